"""In the child: takes the answer to a question out of lab.py."""

from types import ModuleType

from grader.child.encode import encode
from grader.protocol.plain import Data


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """The answer to the question; None if lab.py does not have the name `function`."""
    return {"value": encode(getattr(lab, function, None))}
