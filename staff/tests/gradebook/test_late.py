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
from staff.course.standing import Handed, Sum, by_student, standing, why_not
from staff.tests.support.masters import COURSE
from staff.tests.support.tables import rows_of

ROWS = rows_of(Path(__file__).with_name("late.yaml"))
for before, row in itertools.pairwise(ROWS):
    row["course"] = (
        before.get("course", {}) if row.get("same") else row.get("course", {})
    )


def course_with(decisions: dict[str, Any], folder: Path) -> Course:
    """The course of the tests with other lines."""
    text = COURSE.read_text("utf-8")
    for key, value in decisions.items():
        text = re.sub(rf"^{key}:.*$", f"{key}: {value}", text, flags=re.MULTILINE)
    (folder / "course.yaml").write_text(text, "utf-8")
    return read_course(folder / "course.yaml")


@pytest.mark.parametrize(
    "row", ROWS, ids=[f"row-{number}" for number in range(1, len(ROWS) + 1)]
)
def test_a_row_of_the_rule(row: dict[str, Any], tmp_path: Path) -> None:
    course = course_with(row.get("course", {}), tmp_path)
    course = dataclasses.replace(
        course, left={"alice": row["left"]} if "left" in row else {}
    )
    handed, points = [], {}
    for number, (time, raw) in enumerate(row["handed"]):
        why = row.get("refused", {}).get(number, "")
        moment = datetime.fromisoformat(str(time)) if time else None
        if moment and not moment.tzinfo:
            moment = moment.replace(tzinfo=course.due.tzinfo)
        handed.append(
            Handed(
                str(number),
                "",
                moment,
                not why,
                why,
                family=str(number),
                students=("alice",),
                found=row.get("found", ""),
            )
        )
        points[str(number)] = Sum(
            Fraction(str(raw)), (row["ungraded"],) if "ungraded" in row else ()
        )
    now = standing(
        course, "alice", by_student(handed)["alice"], lambda file: points[file.source],
        Fraction(row.get("maximum", 100)), Fraction(str(row["total"])) if "total" in row else None,
    )  # fmt: skip
    assert now.state == row.get("state", "graded")
    assert now.score == (Fraction(str(row["score"])) if "score" in row else None)
    assert now.begun == row.get("begun", now.begun)
    assert "raw" not in row or now.raw == row["raw"]
    assert "notes" not in row or list(now.notes) == row["notes"]


ON_TIME, LATE, TOO_LATE = (
    "2027-02-11 20:00:00",
    "2027-02-13 20:00:00",
    "2027-02-20 20:00:00",
)


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
        (
            {}, [(ON_TIME, {"counts": "yes"}), (LATE, {})],
            ["counts, as a person decided", "does not count, as a person decided"],
        ),
        ({}, [(ON_TIME, {}), (LATE, {"counts": "no"})], ["counts", "does not count, as a person decided"]),
        ({}, [("", {}), ("", {})], ["may count: several files, and nothing says which is the last"] * 2),
        ({"excused": "{alice: ill}"}, [(ON_TIME, {})], ["does not count: excused"]),
    ],
)  # fmt: skip
def test_why_a_file_counts_or_not(
    decisions: dict[str, Any],
    files: list[tuple[str, dict[str, Any]]],
    says: list[str],
    tmp_path: Path,
) -> None:
    course = course_with(decisions, tmp_path)
    handed = []
    for number, (time, facts) in enumerate(files):
        moment = (
            datetime.fromisoformat(time).replace(tzinfo=course.due.tzinfo)
            if time
            else None
        )
        handed.append(
            Handed(
                str(number),
                "",
                moment,
                family=str(number),
                students=("alice",),
                **facts,
            )
        )
    assert [why_not(course, "alice", handed, file) for file in handed] == says
