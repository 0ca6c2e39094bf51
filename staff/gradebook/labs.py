"""One file that was handed in: the bytes of its lab.py, or why it is none."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from grader.grading.source import LARGEST, what_else
from staff.gradebook.archives import Item, Unreadable, items_of_zip

LARGEST_ZIP = 32 << 20
_LAB = re.compile(r"lab(?:[-_ ]?\(?\d+\)?)?\.py", re.IGNORECASE)  # a system numbers what is handed in again
_OTHER_NAME = "is not named lab.py; if it is one, write `ready`"


@dataclass(frozen=True)
class Lab:
    """The bytes of what is, or may be, a lab.py; `reason` says why it is none, and is empty if it is one."""

    data: bytes = b""
    reason: str = ""


def is_lab(name: str) -> bool:
    """Whether a file has the name of a lab.py, as students and systems write it.

    >>> [is_lab(name) for name in ("lab.py", "Lab-2.py", "lab (1).py", "my_lab.py", "lab.ipynb")]
    [True, True, True, False, False]
    """
    return bool(_LAB.fullmatch(PurePosixPath(name).name))


def read_lab(item: Item, name: str, is_named: bool) -> Lab:
    """What a file holds; `is_named` says that its place tells that it is a lab.py, whatever its name."""
    ending = PurePosixPath(name).suffix.lower()
    try:
        if ending == ".zip":
            labs = [inner for inner in items_of_zip(item.read(LARGEST_ZIP)) if is_lab(inner.path)]
            if len(labs) != 1:
                return Lab(reason=f"is a zip with {len(labs) or 'no'} lab.py")
            return _checked(labs[0].read(LARGEST))
        if not is_named and ending != ".py":
            return Lab(reason=f"is {what_else(name, b'?') or 'no lab.py'}")
        return _checked(item.read(LARGEST), "" if is_named else _OTHER_NAME)
    except Unreadable as error:
        return Lab(reason=str(error))


def _checked(data: bytes, otherwise: str = "") -> Lab:
    """The bytes, with why they cannot be the text of a lab.py."""
    other = what_else("lab.py", data)
    return Lab(data, f"is {other}" if other else otherwise)
