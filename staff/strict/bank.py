"""Finds the case files of the master copy, and runs all checks on them."""

import re
from pathlib import Path

from boards.reading import BadFile
from grader.bank.cases import Bank
from grader.bank.points import read_points
from grader.bank.reading import CASES, complete, make_bank
from staff.strict.reading import read_block

HIDDEN = Path(__file__).parent.parent / "hidden"
_NAME = r"[a-z0-9]+(-[a-z0-9]+)+\.yaml"  # the name of a case file


def public_bank() -> Bank:
    """Read all public cases.

    The files are not checked against schemas.  Raises BadFile.
    """
    return check_shares(make_bank(case_files(), read_points()))


def checked_bank() -> Bank:
    """Return all public cases, after check_everything has found no mistake.

    Raises BadFile.
    """
    check_everything()
    return public_bank()


def check_everything() -> None:
    """Check points.yaml, the case files, and the boards, trees and games that cases may
    name.

    Raises BadFile.
    """
    # These modules import jsonschema, and that import takes a long time.
    from staff.strict.cases import check_files
    from staff.strict.points import check_points

    check_points()
    check_files(map(read_block, all_files()))


def all_files() -> list[Path]:
    """The files of public cases, and then those of hidden cases.  Raises BadFile."""
    return [*case_files(), *hidden_files()]


def case_files(folder: Path = CASES) -> list[Path]:
    """Return the case files in a folder, in the order in which they are graded.

    Raises BadFile if the name of a file does not have the right form.
    """
    for file in sorted((*folder.glob("*.yml"), *folder.glob("*.yaml"))):
        if not re.fullmatch(_NAME, file.name):
            raise BadFile(
                file,
                1,
                "a case file has a name such as 2f-endings.yaml: order, dash, what it "
                "is about, in small letters and digits with - between words",
            )
    return sorted(folder.glob("*.yaml"))


def hidden_files() -> list[Path]:
    """The case files that no release contains.

    Raises BadFile if one of them does not say that it is hidden, or has the same name
    as a file of public cases.
    """
    files = case_files(HIDDEN)
    for file in files:
        if read_block(file).get("hidden") is not True:
            raise BadFile(
                file,
                1,
                "a file in staff/hidden/ must say `hidden: true`; "
                "write that line at its top",
            )
        if (CASES / file.name).exists():
            raise BadFile(
                file, 1, f"boards/cases/ has a {file.name} too; rename this one"
            )
    return files


def check_shares(bank: Bank) -> Bank:
    """Check that each function has the cases that its points need, and return the bank.

    Raises BadFile for a function without a public case.  If points.yaml leaves all
    points of a function to hidden cases, BadFile is raised for its first public case
    instead.  A case that is only advice does not count.
    """
    hidden = {name: share for part in bank.parts for name, share in part.hidden.items()}
    for case in bank.cases:
        if hidden.get(case.function) == 1 and not case.hidden and not case.advice:
            raise BadFile(
                *place_of(case.id),
                f"points.yaml leaves all points of {case.function} to hidden cases",
            )
    return complete(bank)


def place_of(case: str) -> tuple[Path, int]:
    """Return the file that has the case with this id, and the line where the case
    begins.

    If no file has the case, return the folder of the public cases.
    """
    for file in all_files():
        for block in read_block(file)["cases"]:
            if f"{file.stem.partition('-')[2]}/{block['id']}" == case:
                return file, block.line
    return CASES, 1
