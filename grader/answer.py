"""What goes down to the child process and what comes back: Request and Answer, both plain data."""

import dataclasses
import json
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

DEEPEST, MOST_DIGITS = 100, 400
READY = b"ready\n"


class NeverStarted(RuntimeError):
    """The child process ended before it came to lab.py: a fault of ours or of the machine's."""


class Ending(Enum):
    """How the process that ran a case ended."""

    ANSWERED = "answered"
    TIMED_OUT = "timed out"
    EXITED = "exited"
    KILLED = "killed"
    FLOODED = "flooded"
    TOO_LARGE = "too large"
    GARBLED = "garbled"


@dataclass(frozen=True)
class Answer:
    """What came back for a case: how the process ended, and the outcomes of its calls.

    `outcomes` is plain data that the student's process sent: believe its types, nothing else.
    `detail` is the exit status or the number of the signal.  `printed` is what the code printed.
    `cpu` is what its processes computed, in seconds; 0 where nobody counts that (not on Linux).
    `where` is the line of lab.py and the function in which a process was when its time was up.
    """

    ending: Ending
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    detail: int = 0
    printed: str = ""
    seconds: float = 0.0
    cpu: float = 0.0
    where: tuple[int, str] | None = None

    @property
    def imported(self) -> bool:
        """Of the Answer to `load`: whether lab.py could be imported."""
        return self.ending is Ending.ANSWERED and self.outcomes[0].get("imported") is True


@dataclass(frozen=True)
class Request:
    """A case as it goes down the pipe: no expectation, nothing that is not needed."""

    case: str
    function: str
    calls: tuple[Mapping[str, Any], ...]
    seconds: float

    def line(self) -> bytes:
        """The request as one line of JSON."""
        data = {"case": self.case, "function": self.function, "calls": self.calls, "seconds": self.seconds}
        return json.dumps(data).encode() + b"\n"


def read_import(data: bytes) -> dict[str, Any] | None:
    """What a child process says of its import of lab.py; None where it cannot be read.

    Raises NeverStarted where the child did not come so far.
    """
    if not data.startswith(READY):
        raise NeverStarted("the process for lab.py could not be started")
    return decode(data.removeprefix(READY).strip())


def decode(line: bytes) -> dict[str, Any] | None:
    """The JSON mapping that a line is; None for anything else that may come up the pipe.

    >>> decode(b'{"case": "a", "outcome": {}}')
    {'case': 'a', 'outcome': {}}
    >>> decode(b'{"forged": 1}{"case": "a"}') is None
    True
    """
    try:
        reply = json.loads(line, parse_int=_number)
        return reply if isinstance(reply, dict) and _is_shallow(reply, DEEPEST) else None
    except (ValueError, RecursionError):
        return None


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("too many digits")
    return int(digits)


def _is_shallow(value: Any, depth: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_shallow(each, depth - 1) for each in inner)


def read_outcomes(request: Request, data: bytes, printed: str, seconds: float) -> Answer:
    """The Answer that a complete reply stands for; GARBLED where it is not one of ours."""
    lines = [line for line in data.split(b"\n") if line.startswith(b"{")]
    outcomes = _outcomes(request, lines)
    ending = Ending.ANSWERED if data.endswith(b"\n\n") and len(outcomes) == len(lines) else Ending.GARBLED
    return Answer(ending, outcomes if ending is Ending.ANSWERED else [], printed=printed, seconds=seconds)


def with_last_words(answer: Answer, request: Request, data: bytes, lab: Path) -> Answer:
    """The Answer of a process that ended early, with what it had sent until then."""
    outcomes = _outcomes(request, data.split(b"\n"))
    return dataclasses.replace(answer, outcomes=outcomes, where=last_place(data, lab))


def last_place(data: bytes, lab: Path) -> tuple[int, str] | None:
    """The innermost line of lab.py in the last words of a process (faulthandler's form).

    >>> words = b'  File "/x/api/state.py", line 80 in copy\\n  File "/x/lab.py", line 12 in solve\\n'
    >>> last_place(words, Path("/x/lab.py"))
    (12, 'solve')
    """
    file = re.escape(str(lab.resolve()).encode())
    found = re.search(rb'^  File "%s", line (\d{1,7}) in (\S{1,60})$' % file, data, re.MULTILINE)
    return (int(found[1]), found[2].decode("ascii", "replace")) if found else None


def _outcomes(request: Request, lines: list[bytes]) -> list[dict[str, Any]]:
    replies = (decode(line) for line in lines)
    good = (reply for reply in replies if reply and reply.get("case") == request.case)
    return [reply["outcome"] for reply in good if isinstance(reply.get("outcome"), dict)]


def killed_by(number: int, printed: str, seconds: float) -> Answer:
    """The Answer of a process that a signal ended; two of them mean that its CPU time was up."""
    timed_out = number in (getattr(signal, "SIGPROF", 0), getattr(signal, "SIGXCPU", 0))
    ending = Ending.TIMED_OUT if timed_out else Ending.KILLED
    return Answer(ending, detail=number, printed=printed, seconds=seconds)
