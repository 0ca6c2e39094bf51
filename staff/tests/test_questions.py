"""An instructor's own questions for part 3: in a release, in a grade, and refused."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from staff.course.questions import read_questions
from staff.tests.conftest import KIT
from staff.tests.support.masters import copy_master, cut, decide
from staff.tests.support.typed import refusal

ANSWERS = ("ANSWER_1", "ANSWER_2", "ANSWER_3", "ANSWER_4")
RIGHT = dict(zip(ANSWERS, "2245", strict=True))
RIGHT_IN_LAB_PY = dict(zip(ANSWERS, "4145", strict=True))  # to its own questions
SECOND_SET = Path("staff", "questions", "second_set.yaml")


def ask_the_second_set(master: Path) -> Path:
    """Let the course of a master copy ask the second set."""
    with (master / "staff" / "course.yaml").open("a", encoding="utf-8") as course:
        course.write("questions: questions/second_set.yaml\n")
    return master


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy whose course asks the second set."""
    folder = tmp_path_factory.mktemp("questions") / "master"
    return ask_the_second_set(copy_master(folder))


@pytest.fixture(scope="module")
def release(master: Path) -> Path:
    """A release of this course, proved."""
    out = master.parent / "out"
    done = cut(master, out)
    assert done.returncode == 0, done.stderr
    assert "the model solution scores 100 of 100" in done.stdout
    return out


def graded(kit: Path, answers: dict[str, str], *words: str) -> tuple[str, set[str]]:
    """The screen for a lab.py that only answers questions; the right answers."""
    lab = kit.parent / "answers.py"
    lines = [f"{name} = {answer!r}\n" for name, answer in answers.items()]
    lab.write_text("".join(lines))
    out = kit.parent / "results.json"
    done = subprocess.run(
        [sys.executable, "-m", "grader", "test", f"OUT={out}", "V=1", *words],
        cwd=kit,
        env={**os.environ, "LAB": str(lab)},
        capture_output=True,
        text=True,
    )
    passed = {
        case["function"]
        for case in json.loads(out.read_text("utf-8"))["cases"]
        if case["part"] == 3 and case["status"] == "pass"
    }
    return done.stdout + done.stderr, passed


def test_a_release_asks_the_questions_of_the_course(release: Path) -> None:
    lab = (release / "lab.py").read_text("utf-8")
    in_one_line = " ".join(lab.replace("#", " ").split())
    for question in read_questions(KIT / SECOND_SET).questions:
        asked = [question.text, *question.choices]
        assert [text for text in asked if text not in in_one_line] == []
    assert "QUESTIONS" not in lab


def test_a_release_does_not_ask_the_questions_of_lab_py(release: Path) -> None:
    lab = (release / "lab.py").read_text("utf-8")
    in_one_line = " ".join(lab.replace("#", " ").split())
    assert "in which case can you be sure" not in in_one_line.lower()
    handout = (release / "README.md").read_text("utf-8")
    assert "binary trees of depth three" not in handout


@pytest.mark.parametrize(
    ("answers", "right"),
    [
        (RIGHT, {*ANSWERS}),
        (RIGHT_IN_LAB_PY, {"ANSWER_3", "ANSWER_4"}),
        ({"ANSWER_1": "3"}, set()),
        ({"ANSWER_2": "4"}, set()),
    ],
)
def test_the_answers_of_the_course_are_right(
    release: Path, answers: dict[str, str], right: set[str]
) -> None:
    """What is a known mistake in the questions of lab.py is none here."""
    screen, passed = graded(release, answers)
    assert passed == right
    assert "nown mistake" not in screen


def test_a_grade_counts_the_answers_of_the_course(master: Path, release: Path) -> None:
    screen, passed = graded(master, RIGHT, "COURSE=1")
    assert "Part 3 has the questions of staff/questions/second_set.yaml." in screen
    assert passed == {*ANSWERS}


@pytest.mark.parametrize("bundle", ["gradescope", "classroom50"])
def test_a_bundle_is_proved_with_the_questions_of_the_course(
    bundle: str, tmp_path: Path
) -> None:
    master = ask_the_second_set(copy_master(tmp_path / "master"))
    decide(master, show_answers="false")
    subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    command = [sys.executable, "-m", "grader", bundle]
    done = subprocess.run(command, cwd=master, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "the model solution gets everything" in done.stdout


# --- mistakes in the questions -------------------------------------------------------


@pytest.fixture
def questions(master: Path) -> Iterator[Path]:
    """The file of the questions, which is as it was after the test."""
    file = master / SECOND_SET
    text = file.read_text("utf-8")
    yield file
    file.write_text(text, "utf-8")


def refused(master: Path, out: Path) -> str:
    """The line with which no release is cut, and none is."""
    done = cut(master, out)
    assert not out.exists()
    return refusal(done)


MISTAKES = {
    "no such choice": ("right: 5", "right: 6", "number of the right choice"),
    "a number in place of a text": ('"27"', "27", "`choices`"),
    "a choice that stands twice": ('"27"', '"17"', "five choices"),
    "an unknown key": ("why:", "because:", "unknown key `because`"),
    "no mapping": ("about:", "- about:", "second_set.yaml:"),
}


@pytest.mark.parametrize(("old", "new", "says"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_the_questions_is_named(
    old: str, new: str, says: str, questions: Path, master: Path, tmp_path: Path
) -> None:
    text = questions.read_text("utf-8")
    assert old in text
    questions.write_text(text.replace(old, new, 1), "utf-8")
    line = refused(master, tmp_path / "out")
    assert f"{SECOND_SET.as_posix()}:" in line
    assert says in line


def test_a_question_too_few_is_named(
    questions: Path, master: Path, tmp_path: Path
) -> None:
    text = questions.read_text("utf-8")
    begin = text.index("  - text: |\n      Now you run")
    end = text.index("  - text:", begin + 1)
    questions.write_text(text[:begin] + text[end:], "utf-8")
    line = refused(master, tmp_path / "out")
    assert f"{SECOND_SET.as_posix()}:" in line
    assert "`questions`" in line


def test_a_missing_file_is_named(questions: Path, master: Path, tmp_path: Path) -> None:
    questions.unlink()
    line = refused(master, tmp_path / "out")
    assert f"{SECOND_SET.as_posix()}:1: no such file" in line
