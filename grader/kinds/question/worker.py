"""In the child: the answer to a question, as it stands in lab.py."""

from types import ModuleType
from typing import Any

from grader.calls.encode import encode


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """The answer; None where there is none."""
    return {"value": encode(getattr(lab, function, None))}
