"""In the worker: makes a call as the worker.py of its kind does.

All of them are imported with this file, before lab.py is.
"""

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

_FOLDERS = os.scandir(Path(__file__).parent.parent / "kinds")
_NAMES = [
    folder.name for folder in _FOLDERS if os.path.exists(f"{folder.path}/worker.py")
]
_KINDS = {
    name: importlib.import_module(f"grader.kinds.{name}.worker") for name in _NAMES
}


def make_call(
    lab: ModuleType, kind: str, function: str, inputs: dict[str, Any]
) -> dict[str, Any]:
    """Call a function of lab.py once, and return its encoded result (and what was
    recorded).

    Raises whatever student code raises, and NotWritten if lab.py has no such function.
    """
    return cast(dict[str, Any], _KINDS[kind].call(lab, function, inputs))


def stand_in(kind: str, facts: Any) -> Callable[..., Any]:
    """A function that gives the reference answers of one call of a case, and raises
    Unknown for all else.
    """
    return cast(Callable[..., Any], _KINDS[kind].stand_in(facts))
