"""Files that `make expectations` writes; and which case files have changed since then."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from boards.cases import CASES
from boards.reading import shown

FILLED = Path(__file__).with_name("filled.json")


def write_folder(folder: Path, texts: Mapping[str, str], check: bool) -> list[str]:
    """Let a folder hold just these texts by name, unless it is only to be checked; a line for each that differs."""
    names = sorted({*texts, *(file.name for file in folder.glob("*"))})
    return [line for name in names for line in write_file(folder / name, texts.get(name), check)]


def write_file(file: Path, after: str | None, check: bool) -> list[str]:
    """Let a file hold this text, or be gone, unless it is only to be checked; a line if it differs."""
    before = file.read_text("utf-8") if file.exists() else None
    if before == after:
        return []
    if after is None and not check:
        file.unlink()
    elif after is not None and not check:
        file.parent.mkdir(exist_ok=True)
        file.write_text(after, "utf-8", newline="\n")
    return [f"{shown(file)}: {'new' if before is None else 'changed' if after else 'of nothing any more'}"]


def digests() -> dict[str, str]:
    """For each case file that ships, a digest of what stands in it."""
    texts = {shown(file): file.read_text("utf-8") for file in sorted(CASES.glob("*.yaml"))}
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}


def write_digests(check: bool) -> list[str]:
    """Remember that all case files are filled in as they are, unless that is only to be checked."""
    return write_file(FILLED, f"{json.dumps(digests(), indent=1)}\n", check)


def changed_since() -> list[str]:
    """The case files that have changed since `make expectations` has filled them in."""
    filled = json.loads(FILLED.read_text("utf-8"))
    return [name for name, digest in digests().items() if filled.get(name) != digest]
