"""What the course grades: parts, points, hidden cases; and what make test COURSE=1 says
of them.
"""

import dataclasses
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.bank.points import read_points
from staff.course import Course, read_course
from staff.release.shares import NO_HIDDEN_CASES, course_bank, notes, notes_on_cases
from staff.release.tree import points_file
from staff.strict import bank as strict_bank
from staff.tests.support.masters import COURSE, copy_master, decide
from staff.tests.support.typed import grader

HIDDEN = """part: {part}
function: {function}
hidden: true
cases:
  - id: secret
    says: Nobody sees this one.
    state: {{tree: FOUR_BY_FOUR}}
    expect: {expect}
"""
DFS = HIDDEN.format(
    part=2,
    function="dfs_maximizing",
    expect="{path: [1, 3], score: 14, evaluations: 16}",
)
MINIMAX = HIDDEN.format(
    part=2,
    function="minimax_search",
    expect="{path: [1, 0], score: 4, evaluations: 16}",
)


@pytest.fixture
def hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in place of staff/hidden/."""
    (tmp_path / "hidden").mkdir()
    monkeypatch.setattr(strict_bank, "HIDDEN", tmp_path / "hidden")
    return tmp_path / "hidden"


def course(**decisions: Any) -> Course:
    """The course with other decisions."""
    return dataclasses.replace(read_course(COURSE), **decisions)


@pytest.mark.parametrize(
    "decisions",
    [
        {},
        {"parts": (1, 2)},
        {"parts": (0, 3), "scaled_to": Fraction(50)},
        {"hidden_share": Fraction(33, 100), "show_answers": False},
        {"hidden_share": Fraction(0)},
    ],
)
def test_the_bank_of_a_course_has_the_points_of_its_release(
    decisions: dict[str, Any], hidden: Path, tmp_path: Path
) -> None:
    (hidden / "2x-more.yaml").write_text(DFS)
    one = course(**decisions)
    bank = course_bank(one)
    file = tmp_path / "points.yaml"
    file.write_bytes(points_file(one, bank.parts))
    assert list(map(vars, bank.parts)) == list(map(vars, read_points(file)))
    assert sum(map(bank.worth, bank.cases)) == sum(part.points for part in bank.parts)
    has_secret = "more/secret" in [case.id for case in bank.cases]
    assert has_secret == (2 in one.parts and one.hidden_share > 0)


# --- notes ---------------------------------------------------------------------------


@pytest.mark.parametrize("shows_answers", [True, False])
def test_without_hidden_cases_a_note_says_so(shows_answers: bool, hidden: Path) -> None:
    bank = course_bank(course(show_answers=shows_answers))
    assert notes_on_cases(bank) == [NO_HIDDEN_CASES]


def test_a_hidden_case_with_three_points_of_a_hundred_is_not_yet_much(
    hidden: Path,
) -> None:
    (hidden / "2x-more.yaml").write_text(DFS)
    assert notes_on_cases(course_bank(course())) == []


def test_a_hidden_case_that_carries_much_is_noted_and_make_release_says_so(
    hidden: Path,
) -> None:
    (hidden / "2y-other.yaml").write_text(MINIMAX)
    bank = course_bank(course())
    says = "other/secret alone carries 4.5 points; write more cases of minimax_search"
    assert notes_on_cases(bank) == [says]
    assert says in notes(course(), bank)


# --- make test COURSE=1 --------------------------------------------------------------


@pytest.fixture(scope="module")
def plain_master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy without hidden cases."""
    return copy_master(tmp_path_factory.mktemp("plain") / "master")


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy of a course with a hidden case, which the model fails."""
    master = copy_master(tmp_path_factory.mktemp("course") / "master")
    (master / "staff" / "hidden").mkdir()
    wrong = DFS.replace("[1, 3]", "[1, 2]")
    (master / "staff" / "hidden" / "2x-more.yaml").write_text(wrong)
    decide(master, parts="[2, 3]", points="50")
    return master


def first_and_last_line(master: Path, *words: str, **environment: str) -> list[str]:
    """The first and the last line that a command prints in a master copy."""
    lines = grader(*words, cwd=master, env={**os.environ, **environment}).stdout
    return [lines.splitlines()[0], lines.splitlines()[-1]]


AS_THE_COURSE = "As the course grades: parts 2, 3; 50 points; 1 hidden case."


def test_make_test_does_not_grade_as_the_course_by_itself(plain_master: Path) -> None:
    first, _ = first_and_last_line(plain_master, "test", "K=dfs")
    assert not first.startswith("As the course grades")


def test_make_test_counts_no_hidden_case_by_itself(master: Path) -> None:
    _, last = first_and_last_line(master, "test", "K=dfs")
    assert last.startswith("6 of 6 points in ")


def test_make_test_says_that_it_grades_as_the_course(master: Path) -> None:
    first, last = first_and_last_line(master, "test", "K=dfs", COURSE="1")
    assert first == AS_THE_COURSE
    assert last.startswith("3.12 of 6.25 points in ")


def test_a_report_counts_no_hidden_case_by_itself(master: Path) -> None:
    first, _ = first_and_last_line(master, "report")
    assert first.startswith("100 of 100 points")


def test_a_report_says_that_it_grades_as_the_course(master: Path) -> None:
    first, last = first_and_last_line(master, "report", COURSE="1")
    assert first == AS_THE_COURSE
    assert last.startswith("46.87 of 50 points. Open in a browser: ")


def test_a_hidden_case_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    master = copy_master(tmp_path / "master")
    (master / "staff" / "hidden").mkdir()
    file = master / "staff" / "hidden" / "2x-more.yaml"
    file.write_text(DFS.replace("FOUR_BY_FOUR", "FIVE"))
    done = grader("test", cwd=master, env={**os.environ, "COURSE": "1"})
    says = "staff/hidden/2x-more.yaml:1: this is not as it was handed out ("
    assert done.stderr.startswith(says)
