"""Finds the kind of a graded function, by the name that points.yaml gives it."""

import functools
import importlib
from pathlib import Path
from typing import Any

from boards.cases import POINTS, Function
from boards.reading import BadFile
from grader.kinds.kind import Kind

KINDS = tuple(sorted(file.parent.name for file in Path(__file__).parent.glob("*/__init__.py")))


@functools.cache
def kind_of(function: Function) -> Kind[Any]:
    """The kind of a graded function.  BadFile where grader/kinds/ has no such folder."""
    if function.kind not in KINDS:
        problem = f"{function.name} is of the kind `{function.kind}`; grader/kinds/ has {', '.join(KINDS)}"
        raise BadFile(POINTS, 1, problem)
    try:
        kind: Kind[Any] = importlib.import_module(f"grader.kinds.{function.kind}.kind").KIND
    except (AttributeError, ImportError) as error:
        raise BadFile(Path(__file__).parent / function.kind / "kind.py", 1, str(error)) from None
    return kind
