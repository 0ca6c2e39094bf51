"""What lateness costs and which submission counts: the table of the rule, row by row
(late.yaml).
"""

import dataclasses
import itertools
import re
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from staff.course import Course, read_course
from staff.course.standing import (
    Handed,
    Standing,
    Sum,
    by_student,
    standing,
    why_not,
)
from staff.tests.support.masters import COURSE
from staff.tests.support.tables import rows_of

ALICE = "alice"


def rows_of_the_rule() -> list[dict[str, Any]]:
    """The rows of the table, each with the lines of its own course."""
    rows = rows_of(Path(__file__).with_name("late.yaml"))
    rows[0].setdefault("course", {})
    for before, row in itertools.pairwise(rows):
        if row.get("same"):
            row["course"] = before["course"]
        else:
            row.setdefault("course", {})
    return rows


ROWS = rows_of_the_rule()


def course_with(decisions: dict[str, Any], folder: Path) -> Course:
    """The course of the tests with other lines."""
    text = COURSE.read_text("utf-8")
    for key, value in decisions.items():
        text = re.sub(rf"^{key}:.*$", f"{key}: {value}", text, flags=re.MULTILINE)
    (folder / "course.yaml").write_text(text, "utf-8")
    return read_course(folder / "course.yaml")


def moment(time: object, course: Course) -> datetime | None:
    """A time of the table, in the zone of the course; None if nobody knows it."""
    if not time:
        return None
    written = datetime.fromisoformat(str(time))
    return written if written.tzinfo else written.replace(tzinfo=course.due.tzinfo)


def handed_in(number: int, submitted: datetime | None, **facts: Any) -> Handed:
    """A file of Alice's; the number names it."""
    name = str(number)
    return Handed(name, "", submitted, family=name, students=(ALICE,), **facts)


def standing_of(row: dict[str, Any], course: Course) -> Standing:
    """How Alice stands, who has handed in the files of a row."""
    files = []
    points = {}
    for number, (time, raw) in enumerate(row["handed"]):
        reason = row.get("refused", {}).get(number, "")
        file = handed_in(
            number,
            moment(time, course),
            ready=not reason,
            reason=reason,
            found=row.get("found", ""),
        )
        files.append(file)
        ungraded = (row["ungraded"],) if "ungraded" in row else ()
        points[file.source] = Sum(Fraction(str(raw)), ungraded)
    by_hand = Fraction(str(row["total"])) if "total" in row else None
    return standing(
        course,
        ALICE,
        by_student(files)[ALICE],
        lambda file: points[file.source],
        Fraction(row.get("maximum", 100)),
        by_hand,
    )


@pytest.mark.parametrize(
    "row", ROWS, ids=[f"row-{number}" for number in range(1, len(ROWS) + 1)]
)
def test_a_row_of_the_rule(row: dict[str, Any], tmp_path: Path) -> None:
    course = course_with(row["course"], tmp_path)
    if "left" in row:
        course = dataclasses.replace(course, left={ALICE: row["left"]})
    now = standing_of(row, course)
    assert now.state == row.get("state", "graded")
    assert now.score == (Fraction(str(row["score"])) if "score" in row else None)
    assert now.begun == row.get("begun", now.begun)
    assert now.raw == row.get("raw", now.raw)
    assert list(now.notes) == row.get("notes", list(now.notes))


ON_TIME = "2027-02-11 20:00:00"
LATE = "2027-02-13 20:00:00"
TOO_LATE = "2027-02-20 20:00:00"
EXCUSED = {"excused": "{alice: ill}"}
BY_A_PERSON = "does not count, as a person decided"


@pytest.mark.parametrize(
    ("decisions", "files", "says"),
    [
        ({}, [(ON_TIME, {})], ["counts"]),
        ({}, [(ON_TIME, {}), (LATE, {})], ["does not count: another file is the last one", "counts"]),
        ({}, [(ON_TIME, {}), (TOO_LATE, {})], ["counts", "does not count: more than 3 days late"]),
        ({}, [(TOO_LATE, {})], ["counts"]),
        (
            {"counts": "last on time"}, [(ON_TIME, {}), (LATE, {})],
            ["counts", "does not count: another file is on time"],
        ),
        ({"counts": "best"}, [(ON_TIME, {}), (LATE, {})], ["may count: the best one will"] * 2),
        ({}, [(ON_TIME, {"ready": False, "reason": "empty"})], ["does not count: refused (empty)"]),
        ({}, [(ON_TIME, {"counts": "yes"}), (LATE, {})], ["counts, as a person decided", BY_A_PERSON]),
        ({}, [(ON_TIME, {}), (LATE, {"counts": "no"})], ["counts", BY_A_PERSON]),
        ({}, [("", {}), ("", {})], ["may count: several files, and nothing says which is the last"] * 2),
        (EXCUSED, [(ON_TIME, {})], ["does not count: excused"]),
    ],
)  # fmt: skip
def test_why_a_file_counts_or_not(
    decisions: dict[str, Any],
    files: list[tuple[str, dict[str, Any]]],
    says: list[str],
    tmp_path: Path,
) -> None:
    course = course_with(decisions, tmp_path)
    handed = [
        handed_in(number, moment(time, course), **facts)
        for number, (time, facts) in enumerate(files)
    ]
    assert [why_not(course, ALICE, handed, file) for file in handed] == says
