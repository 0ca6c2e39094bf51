"""Files that `make expectations` writes; and which case files have changed since
then.
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
"""For each folder of cases, where `make expectations` remembers what it has filled
in.
"""


def write_folder(folder: Path, texts: Mapping[str, str], check: bool) -> list[str]:
    """Let a folder hold just these texts by name, unless it is only to be checked; a
    line for each that differs.
    """
    names = sorted({*texts, *(file.name for file in folder.glob("*"))})
    return [
        line
        for name in names
        for line in write_file(folder / name, texts.get(name), check)
    ]


def write_file(file: Path, after: str | None, check: bool) -> list[str]:
    """Let a file hold this text, or be gone, unless it is only to be checked; a line if
    it differs.
    """
    before = file.read_text("utf-8") if file.exists() else None
    if before == after:
        return []
    if after is None and not check:
        file.unlink()
    elif after is not None and not check:
        file.parent.mkdir(exist_ok=True)
        file.write_text(after, "utf-8", newline="\n")
    return [
        f"{shown(file)}: {'new' if before is None else 'changed' if after else 'of nothing any more'}"
    ]


def digests(folder: Path) -> dict[str, str]:
    """For each case file in a folder, a digest of what stands in it."""
    texts = {
        shown(file): file.read_text("utf-8") for file in sorted(folder.glob("*.yaml"))
    }
    return {
        name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()
    }


def write_digests(check: bool) -> list[str]:
    """Remember that all case files are filled in as they are, unless that is only to be
    checked.
    """
    lines = []
    for folder, file in FILLED.items():
        if file.exists() or any(folder.glob("*.yaml")):
            lines += write_file(
                file, f"{json.dumps(digests(folder), indent=1)}\n", check
            )
    return lines


def changed_since() -> list[str]:
    """The case files that have changed since `make expectations` has filled them in."""
    changed = []
    for folder, file in FILLED.items():
        filled = json.loads(file.read_text("utf-8")) if file.exists() else {}
        changed += [
            name
            for name, digest in digests(folder).items()
            if filled.get(name) != digest
        ]
    return changed
