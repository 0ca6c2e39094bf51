"""The cases of the master copy, checked before anything is done with them.

What has been found good is not checked again until a file changes: `build/checked` has a digest of
all that decides about it.
"""

import contextlib
import hashlib
import re
import sys
from pathlib import Path

from boards.cases import CASES, Bank, complete, make_bank, read_points
from boards.reading import BadFile
from staff.strict.reading import read_yaml

KIT = Path(__file__).parent.parent.parent
HIDDEN = KIT / "staff" / "hidden"
CHECKED = KIT / "build" / "checked"
_NAME = r"[a-z0-9]+(-[a-z0-9]+)+\.yaml"
_SUFFIXES = (".py", ".json", ".yaml")
_DECIDE = ("api", "boards", "grader/kinds", "staff/strict")


def checked_bank() -> Bank:
    """All public cases, and what they share, once everything has been checked."""
    check_everything()
    return check_shares(make_bank(case_files(), read_points()))


def check_everything() -> list[Path]:
    """All case files, in which nothing is wrong, nor in what they name.  Raises BadFile."""
    files = [*case_files(), *hidden_files()]
    digest = _digest(files)
    if not CHECKED.is_file() or CHECKED.read_text("utf-8") != digest:
        from staff.strict.cases import check_files  # with jsonschema, which takes long to import
        from staff.strict.points import check_points

        check_points()
        check_files(map(read_yaml, files))
        with contextlib.suppress(OSError):
            CHECKED.parent.mkdir(exist_ok=True)
            CHECKED.write_text(digest, "utf-8")
    return files


def _digest(files: list[Path]) -> str:
    """Of what is checked, and of what checks it, wherever this copy stands."""
    below = (file for folder in _DECIDE for file in (KIT / folder).rglob("*.*") if file.suffix in _SUFFIXES)
    sha = hashlib.sha256(sys.version.encode())
    for file in sorted({*below, *files}):
        sha.update(
            f"{file.as_posix().removeprefix(KIT.as_posix())} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode()
        )
    return sha.hexdigest()


def case_files(folder: Path = CASES) -> list[Path]:
    """The case files, in the order in which they are graded."""
    for file in sorted((*folder.glob("*.yml"), *folder.glob("*.yaml"))):
        if not re.fullmatch(_NAME, file.name):
            wanted = "order, dash, what it is about, in small letters and digits with - between words"
            raise BadFile(file, 1, f"a case file has a name such as 2f-endings.yaml: {wanted}")
    return sorted(folder.glob("*.yaml"))


def hidden_files() -> list[Path]:
    """The case files that no release contains.  BadFile where one does not say so."""
    files = case_files(HIDDEN)
    for file in files:
        if read_yaml(file).get("hidden") is not True:
            raise BadFile(file, 1, "a file in staff/hidden/ must say `hidden: true`; write that line at its top")
        if (CASES / file.name).exists():
            raise BadFile(file, 1, f"boards/cases/ has a {file.name} too; rename this one")
    return files


def check_shares(bank: Bank) -> Bank:
    """The bank, in which every point has a case but for those that are left to hidden cases elsewhere.

    Raises BadFile for another.
    """
    hidden = {name: share for part in bank.parts for name, share in part.hidden.items()}
    for case in bank.cases:
        if hidden.get(case.function) == 1 and not case.hidden and not case.advice:
            said = f"points.yaml leaves all points of {case.function} to hidden cases"
            raise BadFile(*place_of(case.id), said)
    return complete(bank)


def place_of(case: str) -> tuple[Path, int]:
    """The file of a case, by its id, and the line where it begins."""
    for file in (*case_files(), *case_files(HIDDEN)):
        for block in read_yaml(file)["cases"]:
            if f"{file.stem.partition('-')[2]}/{block['id']}" == case:
                return file, block.line
    return CASES, 1
