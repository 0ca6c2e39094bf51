"""In the child: takes the answer to a question out of lab.py."""

from types import ModuleType
from typing import Any

from grader.child.encode import encode


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """The answer; None if lab.py has none."""
    return {"value": encode(getattr(lab, function, None))}
