"""What a command gave on standard output, read and typed."""

from dataclasses import dataclass
from typing import Any

from grader.judging.sentences import complaint
from grader.kinds.zero_by.kind import KIND as ZERO_BY
from grader.pipe.plain import Garbled, is_count
from grader.pipe.raised import read_raised


@dataclass(frozen=True)
class Output:
    """Standard output: its first lines as text, the number of all lines, and their digest.

    Where the status is not 0, `complaint` says why.
    """

    status: int
    text: str
    lines: int
    digest: str
    complaint: str


def read_output(outcome: dict[str, Any]) -> Output:
    """The output that the child sent.  Raises Garbled for what it would not send."""
    if "failed" in outcome:
        function = outcome["failed"]
        if function not in ("ZeroBy", "solve", "remoteness"):
            raise Garbled
        own = (function, *(ZERO_BY.methods if function == "ZeroBy" else ()))
        return Output(1, "", 0, "", complaint(own, read_raised(outcome.get("because"))))
    text, digest, why = (outcome.get(key) for key in ("text", "digest", "complaint"))
    status, lines = outcome.get("status"), outcome.get("lines")
    if not all(isinstance(each, str) for each in (text, digest, why)) or not (is_count(status) and is_count(lines)):
        raise Garbled
    return Output(status, text, lines, digest, why)  # type: ignore[arg-type]
