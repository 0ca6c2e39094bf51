"""In the child: makes a call, through the worker.py of the kind of function.

This file imports the worker.py of every kind, before lab.py is imported.
"""

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from grader.protocol.plain import Data

_KINDS = {
    file.parent.name: importlib.import_module(f"grader.kinds.{file.parent.name}.worker")
    for file in (Path(__file__).parent.parent / "kinds").glob("*/worker.py")
}


def make_call(lab: ModuleType, kind: str, function: str, inputs: Data) -> Data:
    """Call a function of lab.py once; return its outcome as plain data.

    Raises whatever student code raises, and NotWritten if lab.py has no such function.
    """
    return cast(Data, _KINDS[kind].call(lab, function, inputs))


def stand_in(kind: str, facts: Any) -> Callable[..., Any]:
    """Return a function that gives the reference answers of one call of a case.

    `facts` come from the StandIn of the case.  The function raises Unknown if it has no
    reference answer.
    """
    return cast(Callable[..., Any], _KINDS[kind].stand_in(facts))
