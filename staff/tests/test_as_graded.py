"""What the course grades: parts, points, hidden cases; and what make test COURSE=1 says
of them.
"""

import dataclasses
import os
import subprocess
import sys
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
    secret = any(case.id == "more/secret" for case in bank.cases)
    assert secret == (2 in one.parts and one.hidden_share > 0)


def test_what_is_easily_had_and_what_costs_much_is_said(hidden: Path) -> None:
    assert notes_on_cases(course_bank(course())) == [NO_HIDDEN_CASES]
    assert notes_on_cases(course_bank(course(show_answers=False))) == [NO_HIDDEN_CASES]
    (hidden / "2x-more.yaml").write_text(DFS)
    assert (
        notes_on_cases(course_bank(course())) == []
    )  # 3 points of 100 are not yet much
    (hidden / "2y-other.yaml").write_text(MINIMAX)
    (note,) = notes_on_cases(course_bank(course()))
    assert (
        note
        == "other/secret alone carries 4.5 points; write more cases of minimax_search"
    )
    assert note in notes(course(), course_bank(course())), "and make release prints it"


def test_make_test_in_the_master_copy_says_what_it_grades(tmp_path: Path) -> None:
    master = copy_master(tmp_path / "master")

    def first_and_last_line(*words: str, **environment: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "grader", *(words or ("test", "K=dfs"))], cwd=master, capture_output=True, text=True,
            env={**os.environ, **environment},
        )  # fmt: skip
        lines = done.stdout.splitlines()
        return (lines[0], lines[-1]) if lines else (done.stderr, "")

    assert not first_and_last_line()[0].startswith("As the course grades")
    (master / "staff" / "hidden").mkdir()
    (master / "staff" / "hidden" / "2x-more.yaml").write_text(
        DFS.replace("[1, 3]", "[1, 2]")
    )
    decide(master, parts="[2, 3]", points="50")
    plain, course = first_and_last_line(), first_and_last_line(COURSE="1")
    assert plain[1].startswith("6 of 6 points in ")
    assert course[0] == "As the course grades: parts 2, 3; 50 points; 1 hidden case."
    assert course[1].startswith("3.12 of 6.25 points in ")
    assert first_and_last_line("report")[0].startswith("100 of 100 points")
    report = first_and_last_line("report", COURSE="1")
    assert report[0] == course[0] and report[1].startswith(
        "46.87 of 50 points. Open in a browser: "
    )
    (master / "staff" / "hidden" / "2x-more.yaml").write_text(
        DFS.replace("FOUR_BY_FOUR", "FIVE")
    )
    assert first_and_last_line(COURSE="1")[0].startswith(
        "staff/hidden/2x-more.yaml:1: this is not as it was handed out ("
    )
