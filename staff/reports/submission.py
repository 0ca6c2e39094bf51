"""What was handed in: finds lab.py there and grades it.  Nothing else there is ever
used.

The folder is hostile: links, folders with the name lab.py, huge files.  Only an
ordinary file of at most 1 MiB is read, and its bytes go into a folder of ours before
anything runs.
"""

import json
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.bank.reading import load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.grading.source import read_lab
from grader.protocol.words import harmless
from grader.release import read_release

LAB = "lab.py"
DEEPEST = 10
SKIPPED = {"__MACOSX", ".git", ".venv", "__pycache__"}


class NoLab(Exception):
    """There is no lab.py that could be graded.  Its text is a sentence for the
    student.
    """


def grade_submission(folder: Path) -> ScoreSheet:
    """The score sheet for what is in a folder, with as much feedback as the course
    gives.
    """
    bank, kit = load_bank(), read_release()
    try:
        source = read_submitted(folder)
    except NoLab as missing:
        return ScoreSheet(bank, {}, b"", import_failure=str(missing), kit=kit)
    with tempfile.TemporaryDirectory(prefix="submission-") as scratch:
        os.chmod(
            scratch, 0o711
        )  # another user may have to read lab.py: see grader/sandbox/process.py
        lab = Path(scratch, LAB)
        lab.write_bytes(source)
        lab.chmod(0o644)
        return with_feedback(grade(lab, bank), kit.feedback)


def read_submitted(folder: Path) -> bytes:
    """The bytes of the lab.py in a folder: the one at its top, or else the only one
    below.

    Raises NoLab.
    """
    top = folder / LAB
    found = [top] if os.path.lexists(top) else list(_below(folder))
    if not found:
        names = sorted(file.name for file in folder.glob("*.py"))[:3]
        instead = (
            f" (but {', '.join(harmless(name, 60) for name in names)})" if names else ""
        )
        raise NoLab(
            f"There is no lab.py in what you handed in{instead}. Hand in the one file lab.py."
        )
    if len(found) > 1:
        places = ", ".join(
            harmless(file.relative_to(folder).as_posix(), 60) for file in found[:4]
        )
        raise NoLab(
            f"There is more than one lab.py in what you handed in: {places}. Hand in one."
        )
    try:
        return read_lab(found[0])
    except OSError as error:
        raise NoLab(f"Your lab.py {str(error).removeprefix(f'{found[0]} ')}.") from None


def _below(folder: Path) -> Iterator[Path]:
    """Everything with the name lab.py below a folder, some folders deep."""
    for here, folders, files in os.walk(folder):
        if LAB in files or LAB in folders:
            yield Path(here, LAB)
        is_deep = len(Path(here).relative_to(folder).parts) >= DEEPEST
        folders[:] = (
            [] if is_deep else sorted(name for name in folders if name not in SKIPPED)
        )


def say_why(fault: BaseException) -> None:
    """Say to the staff, on standard error, what went wrong and where."""
    frames = traceback.extract_tb(fault.__traceback__)[-6:]
    places = " < ".join(
        f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames)
    )
    print(
        f"the grader failed: {type(fault).__name__}: {harmless(fault)} ({places})",
        file=sys.stderr,
    )


def as_json(report: dict[str, Any]) -> bytes:
    """A report as the bytes of its file."""
    return f"{json.dumps(report, indent=1, ensure_ascii=False)}\n".encode()
