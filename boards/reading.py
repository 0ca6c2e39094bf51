"""Reads the data files of the lab.  What they hold has been checked before they were handed out.

A file that was changed or damaged since is named by a BadFile.
"""

import base64
import contextlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ROOT = Path(__file__).parent.parent

SEALED = "sealed"
_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, yaml.YAMLError, zlib.error)


class BadFile(ValueError):
    """A data file that cannot be used.  Its text is one line: file, line, what is wrong, the fix."""

    def __init__(self, file: Path, line: int, message: str) -> None:
        super().__init__(f"{shown(file)}:{line}: {message}")
        self.file = file


def shown(file: Path) -> str:
    """A file as it is named to a person: from the top of the kit, where it stands in there."""
    return file.relative_to(_ROOT).as_posix() if file.is_relative_to(_ROOT) else str(file)


def read_yaml(file: Path) -> dict[str, Any]:
    """The mapping that a file holds, also where a release has sealed it.  Raises BadFile.

    A sealed file is no secret, only not readable by accident.
    """
    with sound(file):
        data = _mapping(file.read_text(encoding="utf-8"))
        if data.keys() == {SEALED}:
            data = _mapping(zlib.decompress(base64.b64decode(data[SEALED])).decode())
        return data


@contextlib.contextmanager
def sound(file: Path) -> Iterator[None]:
    """Whatever is raised in here by the contents of a file is a BadFile that names it."""
    try:
        yield
    except BadFile:
        raise
    except FileNotFoundError:
        raise BadFile(file, 1, "no such file") from None
    except _DAMAGE as error:
        mark = getattr(error, "problem_mark", None)
        problem = " ".join(str(getattr(error, "problem", "") or error).split())[:200]
        raise BadFile(file, mark.line + 1 if mark else 1, f"this is not as it was handed out ({problem})") from None


def _mapping(text: str) -> dict[str, Any]:
    data = yaml.load(text, _Loader)
    if not isinstance(data, dict):
        raise ValueError("the file should hold a mapping: lines of `key: value`")
    return data
