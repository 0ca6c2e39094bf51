"""The cases of the master copy: the files that hold them, and all checks on them before
something is made of them.
"""

import re
from pathlib import Path

from boards.reading import BadFile
from grader.bank.cases import Bank
from grader.bank.points import read_points
from grader.bank.reading import CASES, complete, make_bank
from staff.strict.reading import read_yaml

HIDDEN = Path(__file__).parent.parent / "hidden"
_NAME = r"[a-z0-9]+(-[a-z0-9]+)+\.yaml"


def public_bank() -> Bank:
    """All public cases, as they are, without a look at how they are written.  Raises
    BadFile.
    """
    return check_shares(make_bank(case_files(), read_points()))


def checked_bank() -> Bank:
    """All public cases, and what they share, once everything has been checked.  Raises
    BadFile.
    """
    check_everything()
    return public_bank()


def check_everything() -> None:
    """Raise BadFile for a mistake in the case files, in what they name, or in
    points.yaml.
    """
    from staff.strict.cases import (
        check_files,
    )  # with jsonschema, which takes long to import
    from staff.strict.points import check_points

    check_points()
    check_files(map(read_yaml, all_files()))


def all_files() -> list[Path]:
    """The files of public cases, and of hidden ones.  Raises BadFile."""
    return [*case_files(), *hidden_files()]


def case_files(folder: Path = CASES) -> list[Path]:
    """The case files, in the order in which they are graded.  Raises BadFile."""
    for file in sorted((*folder.glob("*.yml"), *folder.glob("*.yaml"))):
        if not re.fullmatch(_NAME, file.name):
            expected = "order, dash, what it is about, in small letters and digits with - between words"
            raise BadFile(
                file, 1, f"a case file has a name such as 2f-endings.yaml: {expected}"
            )
    return sorted(folder.glob("*.yaml"))


def hidden_files() -> list[Path]:
    """The case files that no release contains.  BadFile if one does not say so."""
    files = case_files(HIDDEN)
    for file in files:
        if read_yaml(file).get("hidden") is not True:
            raise BadFile(
                file,
                1,
                "a file in staff/hidden/ must say `hidden: true`; write that line at its top",
            )
        if (CASES / file.name).exists():
            raise BadFile(
                file, 1, f"boards/cases/ has a {file.name} too; rename this one"
            )
    return files


def check_shares(bank: Bank) -> Bank:
    """The bank, in which every point has a case but for those that are left to hidden
    cases elsewhere.

    Raises BadFile for another.
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
    """The file of a case, by its id, and the line where it begins."""
    for file in all_files():
        for block in read_yaml(file)["cases"]:
            if f"{file.stem.partition('-')[2]}/{block['id']}" == case:
                return file, block.line
    return CASES, 1
