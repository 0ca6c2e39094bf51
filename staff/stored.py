"""Writes files for `make expectations`, and finds the case files that have changed
since that command filled them in.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from boards.reading import shown
from grader.bank.reading import CASES

HIDDEN = Path(__file__).with_name("hidden")
FILLED = {
    CASES: Path(__file__).with_name("filled.json"),
    HIDDEN: HIDDEN / "filled.json",
}
"""The file with the digests of the case files that were filled in, for each folder."""


def write_folder(folder: Path, texts: Mapping[str, str], check: bool) -> list[str]:
    """Make a folder hold files with these names and texts, and no other files.

    With `check`, write nothing.  Return a line for each file that differs.
    """
    there = [file.name for file in folder.glob("*")]
    lines = []
    for name in sorted({*texts, *there}):
        lines += write_file(folder / name, texts.get(name), check)
    return lines


def write_file(file: Path, after: str | None, check: bool) -> list[str]:
    """Make a file hold the text `after`.  If `after` is None, delete the file.

    With `check`, write nothing.  Return a line if the file differs.
    """
    before = None
    if file.exists():
        before = file.read_text("utf-8")
    if before == after:
        return []
    if after is None:
        if not check:
            file.unlink()
        return [f"{shown(file)}: of nothing any more"]
    if not check:
        file.parent.mkdir(exist_ok=True)
        file.write_text(after, "utf-8", newline="\n")
    if before is None:
        return [f"{shown(file)}: new"]
    return [f"{shown(file)}: changed"]


def digests(folder: Path) -> dict[str, str]:
    """Return a digest of the text of each case file in a folder.  The key is the name
    of the file.
    """
    digests_by_name = {}
    for file in sorted(folder.glob("*.yaml")):
        text = file.read_text("utf-8")
        digests_by_name[shown(file)] = hashlib.sha256(text.encode()).hexdigest()
    return digests_by_name


def write_digests(check: bool) -> list[str]:
    """Store digests of all case files, which have just been filled in, in the files
    that FILLED names.

    With `check`, write nothing.  In both cases, return a line for each of these files
    of digests that differs.
    """
    lines = []
    for folder, file in FILLED.items():
        if file.exists() or any(folder.glob("*.yaml")):
            text = json.dumps(digests(folder), indent=1)
            lines += write_file(file, f"{text}\n", check)
    return lines


def changed_since() -> list[str]:
    """Return the names of the case files that have changed since `make expectations`
    filled them in.

    Case files that the command has never filled in are among them.
    """
    changed = []
    for folder, file in FILLED.items():
        filled = {}
        if file.exists():
            filled = json.loads(file.read_text("utf-8"))
        for name, digest in digests(folder).items():
            if filled.get(name) != digest:
                changed.append(name)
    return changed
