"""Whose a file is: a table of downloads (downloads.yaml), each with its one correct
outcome.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide
from staff.tests.support.tables import named, rows_of

ROWS = rows_of(Path(__file__).with_name("downloads.yaml"))
TAKEN = [row for row in ROWS if "refuses" not in row]
REFUSED = [row for row in ROWS if "refuses" in row]
UNUSUAL = re.compile(r"[^\w./ -]", re.ASCII)


def class_with_downloads(row: dict[str, Any], desk: Desk) -> str:
    """Let a row's class and its downloads be there; the name of the roster."""
    decide(desk.kit, **row.get("course", {}))
    (roster,) = row["roster"]
    lay(desk.folder, row["roster"])
    if "before" in row:
        lay(desk.folder / "earlier", row["before"])
        desk.collected(FROM="earlier", ROSTER=roster)
    lay(desk.folder / "downloads", row["downloads"])
    return str(roster)


def owners(desk: Desk) -> dict[str, str]:
    """Whose each file is, as far as the kit says."""
    return {row["source"]: row["kit_student"] for row in desk.read()}


def reasons(desk: Desk) -> dict[str, str]:
    """Why the kit refuses a file, for each that it refuses."""
    return {
        row["source"]: row["kit_reason"]
        for row in desk.read()
        if row["kit_state"] == "refused"
    }


@pytest.mark.parametrize("row", TAKEN, ids=named)
def test_whose_a_file_is(row: dict[str, Any], desk: Desk) -> None:
    roster = class_with_downloads(row, desk)
    report = desk.collected(FROM="downloads", ROSTER=roster)
    assert owners(desk) == row["owners"]
    assert reasons(desk) == row.get("refused", {})
    assert desk.names() == row.get("names", desk.names())
    assert max(map(len, report.splitlines())) <= 79
    for said in row.get("says", []):
        assert any(words in report for words in said.split("|")), (said, report)
    for said in row.get("says_not", []):
        assert said not in report


def is_read_back_with_care(row: dict[str, Any]) -> bool:
    """Whether the table that the kit writes for a row has an unusual sign in a name, a
    file that is refused, several owners of a file, or files of two downloads.
    """
    names = " ".join(row["owners"])
    several = any("," in ids for ids in row["owners"].values())
    return (
        bool(UNUSUAL.search(names)) or several or bool({"refused", "before"} & set(row))
    )


READ_BACK = [row for row in TAKEN if is_read_back_with_care(row)]


@pytest.mark.parametrize("row", READ_BACK, ids=named)
def test_the_kit_reads_its_own_table_again(row: dict[str, Any], desk: Desk) -> None:
    roster = class_with_downloads(row, desk)
    desk.collected(FROM="downloads", ROSTER=roster)
    desk.collected()
    assert owners(desk) == row["owners"]


@pytest.mark.parametrize("row", [row for row in TAKEN if "ready" in row], ids=named)
def test_a_person_may_take_a_file_that_the_kit_refuses(
    row: dict[str, Any], desk: Desk
) -> None:
    roster = class_with_downloads(row, desk)
    desk.collected(FROM="downloads", ROSTER=roster)
    for source in row["ready"]:
        desk.edit(source, state="ready", reason="")
    desk.collected()
    for source in row["ready"]:
        assert desk.row(source).endswith("; yes; ready")


@pytest.mark.parametrize("row", REFUSED, ids=named)
def test_downloads_that_are_refused_in_a_line(row: dict[str, Any], desk: Desk) -> None:
    roster = class_with_downloads(row, desk)
    done = desk.collect(FROM="downloads", ROSTER=roster)
    assert done.returncode == 2
    assert (done.stdout, done.stderr) == ("", f"{row['refuses']}\n")


LOGINS = [f"s{number:02}" for number in range(20)]
PUSHES = [f"hw-1-{login},c,2027-02-12T10:00:00Z" for login in LOGINS]


def csv(*lines: str) -> str:
    return "\n".join(lines)


@pytest.fixture
def nameless(desk: Desk) -> Desk:
    """A class of whose repositories nothing says where the logins begin."""
    roster = csv("id,github", *(f"id-{login},{login}" for login in LOGINS))
    lay(desk.folder, {"roster.csv": roster})
    files = {f"hw-1-{login}/lab.py": login for login in LOGINS}
    files["pushes.csv"] = csv("repository,commit,pushed", *PUSHES)
    lay(desk.folder / "downloads", files)
    return desk


def test_a_class_of_which_nothing_says_where_the_logins_begin(nameless: Desk) -> None:
    report = nameless.collected(FROM="downloads", ROSTER="roster.csv")
    assert "downloads: nothing says for sure where the logins begin" in report
    assert report.count("perhaps of id-s") == 12
    assert "      and 8 more lines such as these\n" in report
    assert set(owners(nameless).values()) == {""}


def test_a_class_whose_logins_are_in_a_column_of_their_own(nameless: Desk) -> None:
    nameless.collected(FROM="downloads", ROSTER="roster.csv")
    with_logins = [
        f"{line},{login}" for line, login in zip(PUSHES, LOGINS, strict=True)
    ]
    pushes = csv("repository,commit,pushed,login", *with_logins)
    lay(nameless.folder / "downloads", {"pushes.csv": pushes})
    report = nameless.collected(FROM="downloads")
    assert "20 on time" in report
    assert "perhaps" not in report
    assert owners(nameless) == {
        f"hw-1-{login}/lab.py": f"id-{login}" for login in LOGINS
    }
