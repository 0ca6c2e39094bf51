"""Folders whose files `make expectations` writes."""

from collections.abc import Mapping
from pathlib import Path

from boards.reading import shown


def write_folder(folder: Path, texts: Mapping[str, str], check: bool) -> list[str]:
    """Let a folder hold just these texts by name, unless it is only to be checked; a line for each that differs."""
    lines = []
    for name in sorted({*texts, *(file.name for file in folder.glob("*"))}):
        file, after = folder / name, texts.get(name)
        before = file.read_text("utf-8") if file.exists() else None
        if before == after:
            continue
        lines.append(f"{shown(file)}: {'new' if before is None else 'changed' if after else 'of nothing any more'}")
        if check:
            continue
        if after is None:
            file.unlink()
        else:
            folder.mkdir(exist_ok=True)
            file.write_text(after, "utf-8", newline="\n")
    return lines
