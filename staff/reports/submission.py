"""Finds lab.py in the folder that was handed in, and grades it.

The folder is hostile: it may contain links, folders with the name lab.py, or huge
files.  This module reads only an ordinary file of at most 1 MiB.  It copies the bytes
of that file into a folder of the grader before anything runs.  It uses no other file of
the hostile folder.

`make collect` looks for lab.py with code of its own, in staff/intake/.  This module
cannot use that code, because it also runs in a bundle, which has no staff/.
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
from grader.grading.source import NotALab, read_lab
from grader.protocol.text import harmless
from grader.release import read_release

LAB = "lab.py"
DEEPEST = 10  # the most folders between the top and lab.py
SKIPPED = {"__MACOSX", ".git", ".venv", "__pycache__"}


class NoLab(Exception):
    """Raised if no lab.py can be graded.  The text is a sentence for the student."""


def grade_submission(folder: Path) -> ScoreSheet:
    """Grade the lab.py in a folder; return the score sheet.

    The sheet has as much feedback as the course gives to students.  If no lab.py can be
    graded, the sheet says why.
    """
    bank = load_bank()
    kit = read_release()
    try:
        source = read_submitted(folder)
    except NoLab as missing:
        return ScoreSheet(bank, {}, b"", import_failure=str(missing), kit=kit)
    with tempfile.TemporaryDirectory(prefix="submission-") as scratch:
        # The process that runs lab.py may belong to another user, who has to read
        # lab.py (see grader/sandbox/process.py).
        os.chmod(scratch, 0o711)
        lab = Path(scratch, LAB)
        lab.write_bytes(source)
        lab.chmod(0o644)
        return with_feedback(grade(lab, bank), kit.feedback)


def read_submitted(folder: Path) -> bytes:
    """Return the bytes of the lab.py in a folder.

    This is the lab.py at the top of the folder, or else the only one below.  Raises
    NoLab if there is none, if there are several below, or if it cannot be read.
    """
    lab = _lab_in(folder)
    try:
        return read_lab(lab)
    except NotALab as error:
        raise NoLab(f"Your lab.py {error.reason}.") from None
    except OSError as error:
        raise NoLab(f"Your lab.py cannot be read: {error.strerror}.") from None


def _lab_in(folder: Path) -> Path:
    """Return the path of the lab.py at the top of a folder, or else of the only one
    below.

    Raises NoLab if there is none, or if there are several below.
    """
    top = folder / LAB
    if os.path.lexists(top):
        return top
    labs = list(_below(folder))
    if not labs:
        instead = ""
        names = sorted(file.name for file in folder.glob("*.py"))[:3]
        if names:
            instead = f" (but {', '.join(harmless(name, 60) for name in names)})"
        raise NoLab(
            f"There is no lab.py in what you handed in{instead}. "
            "Hand in the one file lab.py."
        )
    if len(labs) > 1:
        names = [lab.relative_to(folder).as_posix() for lab in labs[:4]]
        places = ", ".join(harmless(name, 60) for name in names)
        raise NoLab(
            f"There is more than one lab.py in what you handed in: {places}. "
            "Hand in one."
        )
    return labs[0]


def _below(folder: Path) -> Iterator[Path]:
    """Yield the path of every file, folder or link that is named lab.py.

    The search goes at most DEEPEST folders down, and leaves out folders in SKIPPED.
    """
    for here, folders, files in os.walk(folder):
        if LAB in files or LAB in folders:
            yield Path(here, LAB)
        is_deep = len(Path(here).relative_to(folder).parts) >= DEEPEST
        inner = sorted(name for name in folders if name not in SKIPPED)
        # os.walk goes only into the folders that stay in this list.
        folders[:] = []
        if not is_deep:
            folders[:] = inner


def say_why(fault: BaseException) -> None:
    """Print for the staff, on standard error, what went wrong and where."""
    frames = traceback.extract_tb(fault.__traceback__)[-6:]
    places = " < ".join(
        f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames)
    )
    print(
        f"the grader failed: {type(fault).__name__}: {harmless(fault)} ({places})",
        file=sys.stderr,
    )


def as_json(report: dict[str, Any]) -> bytes:
    """Return a report in JSON, as bytes."""
    return f"{json.dumps(report, indent=1, ensure_ascii=False)}\n".encode()
