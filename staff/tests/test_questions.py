"""An instructor's own questions for part 3: in a release, in a grade, and refused."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from staff.course.questions import read_questions
from staff.tests.support.masters import copy_master, cut, decide

RIGHT = {"ANSWER_1": "2", "ANSWER_2": "2", "ANSWER_3": "4", "ANSWER_4": "5"}
OF_LAB_PY = {"ANSWER_1": "4", "ANSWER_2": "1", "ANSWER_3": "4", "ANSWER_4": "5"}
NAMED = "questions: questions/second_set.yaml\n"


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy whose course asks the second set."""
    folder = copy_master(tmp_path_factory.mktemp("questions") / "master")
    with (folder / "staff" / "course.yaml").open("a", encoding="utf-8") as course:
        course.write(NAMED)
    return folder


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
    lab.write_text(
        "".join(f"{name} = {answer!r}\n" for name, answer in answers.items())
    )
    out = kit.parent / "results.json"
    environment = {**os.environ, "LAB": str(lab)}
    words = ("test", f"OUT={out}", "V=1", *words)
    done = subprocess.run(
        [sys.executable, "-m", "grader", *words],
        cwd=kit,
        env=environment,
        capture_output=True,
        text=True,
    )
    cases = json.loads(out.read_text("utf-8"))["cases"]
    passed = {
        case["function"]
        for case in cases
        if case["part"] == 3 and case["status"] == "pass"
    }
    return done.stdout + done.stderr, passed


def test_a_release_asks_the_questions_of_the_course(release: Path) -> None:
    lab = (release / "lab.py").read_text("utf-8")
    asked = read_questions(
        Path(__file__).parents[1] / "questions" / "second_set.yaml"
    ).questions
    in_one_line = " ".join(lab.replace("#", " ").split())
    for question in asked:
        assert question.text in in_one_line
        assert all(choice in in_one_line for choice in question.choices)
    assert "in which case can you be sure" not in in_one_line.lower()
    assert "QUESTIONS" not in lab
    handout = (release / "README.md").read_text("utf-8")
    assert "binary trees of depth three" not in handout


@pytest.mark.parametrize(
    ("answers", "right"),
    [
        (RIGHT, set(RIGHT)),
        (OF_LAB_PY, {"ANSWER_3", "ANSWER_4"}),
        ({"ANSWER_1": "3"}, set()),
        ({"ANSWER_2": "4"}, set()),  # a known mistake, to the question of lab.py
    ],
)
def test_the_answers_of_the_course_are_right(
    release: Path, answers: dict[str, str], right: set[str]
) -> None:
    screen, passed = graded(release, answers)
    assert passed == right
    assert "nown mistake" not in screen


def test_a_grade_counts_the_answers_of_the_course(master: Path, release: Path) -> None:
    screen, passed = graded(master, RIGHT, "COURSE=1")
    assert "Part 3 has the questions of staff/questions/second_set.yaml." in screen
    assert passed == set(RIGHT)


@pytest.mark.parametrize("bundle", ["gradescope", "classroom50"])
def test_a_bundle_is_proved_with_the_questions_of_the_course(
    bundle: str, tmp_path: Path
) -> None:
    copy = copy_master(tmp_path / "master")
    decide(copy, show_answers="false")
    with (copy / "staff" / "course.yaml").open("a", encoding="utf-8") as course:
        course.write(NAMED)
    subprocess.run(["git", "add", "--all"], cwd=copy, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "grader", bundle],
        cwd=copy,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "the model solution gets everything" in done.stdout


REFUSED = {
    "a question too few": ("  - text: |\n      Now you run", None, "`questions`"),
    "no such choice": ("right: 5", "right: 6", "number of the right choice"),
    "a number in place of a text": ('"27"', "27", "`choices`"),
    "a choice that stands twice": ('"27"', '"17"', "five choices"),
    "an unknown key": ("why:", "because:", "unknown key `because`"),
    "no mapping": ("about:", "- about:", "second_set.yaml:"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_mistake_in_the_questions_is_named(
    name: str, master: Path, tmp_path: Path
) -> None:
    old, new, complaint = REFUSED[name]
    file = master / "staff" / "questions" / "second_set.yaml"
    text = file.read_text("utf-8")
    changed = text.replace(old, new or "", 1)
    if new is None:  # cut the question out, up to the next one
        begin = text.index(old)
        changed = text[:begin] + text[text.index("  - text:", begin + 1) :]
    try:
        file.write_text(changed, "utf-8")
        done = cut(master, tmp_path / "out")
    finally:
        file.write_text(text, "utf-8")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "staff/questions/second_set.yaml:" in done.stderr
    assert complaint in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_named(master: Path, tmp_path: Path) -> None:
    copy = tmp_path / "master"
    shutil.copytree(master, copy)
    (copy / "staff" / "questions" / "second_set.yaml").unlink()
    done = cut(copy, tmp_path / "out")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "staff/questions/second_set.yaml:1: no such file" in done.stderr
