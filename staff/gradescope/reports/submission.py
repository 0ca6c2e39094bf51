"""What was handed in: lab.py is found there and graded, and nothing else of it is ever used.

The folder is hostile: links, folders named lab.py, huge files.  Only an ordinary file of at most 1 MiB is read, and its
bytes go into a folder of ours before anything runs.
"""

import json
import os
import stat
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boards.cases import load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.protocol.words import harmless
from grader.release import read_release

LAB = "lab.py"
MOST_BYTES, DEEPEST = 1 << 20, 10
SKIPPED = {"__MACOSX", ".git", ".venv", "__pycache__"}


class NoLab(Exception):
    """There is no lab.py that could be graded.  Its text is a sentence for the student."""


def grade_submission(folder: Path) -> ScoreSheet:
    """The score sheet for what stands in a folder, with as much feedback as the course gives."""
    bank, kit = load_bank(), read_release()
    try:
        source = read_submitted(folder)
    except NoLab as missing:
        return ScoreSheet(bank, {}, b"", import_failure=str(missing), kit=kit)
    with tempfile.TemporaryDirectory(prefix="submission-") as scratch:
        os.chmod(scratch, 0o711)  # another user may have to read lab.py: see grader/sandbox/process.py
        lab = Path(scratch, LAB)
        lab.write_bytes(source)
        lab.chmod(0o644)
        return with_feedback(grade(lab, bank), kit.feedback)


def read_submitted(folder: Path) -> bytes:
    """The bytes of the lab.py in a folder: the one at its top, or else the only one below.

    Raises NoLab.
    """
    top = folder / LAB
    found = [top] if os.path.lexists(top) else list(_below(folder))
    if not found:
        names = sorted(file.name for file in folder.glob("*.py"))[:3]
        instead = f" (but {', '.join(harmless(name, 60) for name in names)})" if names else ""
        raise NoLab(f"There is no lab.py in what you handed in{instead}. Hand in the one file lab.py.")
    if len(found) > 1:
        places = ", ".join(harmless(file.relative_to(folder).as_posix(), 60) for file in found[:4])
        raise NoLab(f"There is more than one lab.py in what you handed in: {places}. Hand in one.")
    return _read_ordinary(found[0])


def _below(folder: Path) -> Iterator[Path]:
    """Whatever is named lab.py below a folder, some folders deep."""
    for here, folders, files in os.walk(folder):
        if LAB in files or LAB in folders:
            yield Path(here, LAB)
        is_deep = len(Path(here).relative_to(folder).parts) >= DEEPEST
        folders[:] = [] if is_deep else sorted(name for name in folders if name not in SKIPPED)


def _read_ordinary(file: Path) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(file, flags)
    except OSError:
        raise NoLab("The lab.py that you handed in is a link, or cannot be read. Hand in the file itself.") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NoLab("The lab.py that you handed in is not a file. Hand in the file itself.")
    with os.fdopen(handle, "rb") as stream:
        source = stream.read(MOST_BYTES + 1)
    if len(source) > MOST_BYTES:
        raise NoLab("The lab.py that you handed in is larger than 1 MiB. A lab.py is text, and far smaller.")
    return source


def say_why(fault: BaseException) -> None:
    """Tell the staff, on standard error, what went wrong and where."""
    frames = traceback.extract_tb(fault.__traceback__)[-6:]
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    print(f"the grader failed: {type(fault).__name__}: {harmless(fault)} ({places})", file=sys.stderr)


def as_json(report: dict[str, Any]) -> str:
    """A report as the text of its file."""
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def write_in_place(file: Path, text: str) -> None:
    """Put a file where it belongs in one step, whatever stands there, be it a link."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
    os.chmod(name, 0o644)
    os.replace(name, file)
