"""What goes down to the child process and what comes back: Request and Answer, both plain data."""

import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


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
    """

    ending: Ending
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    detail: int = 0
    printed: str = ""
    seconds: float = 0.0

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


def decode(data: bytes) -> dict[str, Any] | None:
    """The one line of JSON that a reply is; None for anything else that may come up the pipe.

    >>> decode(b'{"case": "a", "outcomes": []}')
    {'case': 'a', 'outcomes': []}
    >>> decode(b'{"forged": 1}{"case": "a"}') is None
    True
    """
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return reply if isinstance(reply, dict) else None


def read_outcomes(request: Request, data: bytes, printed: str, seconds: float) -> Answer:
    """The Answer that a complete reply stands for; GARBLED where it is not one of ours."""
    reply = decode(data)
    outcomes = reply.get("outcomes") if reply and reply.get("case") == request.case else None
    if not isinstance(outcomes, list) or not all(isinstance(outcome, dict) for outcome in outcomes):
        return Answer(Ending.GARBLED, printed=printed, seconds=seconds)
    return Answer(Ending.ANSWERED, outcomes, printed=printed, seconds=seconds)


def killed_by(number: int, printed: str, seconds: float) -> Answer:
    """The Answer of a process that a signal ended; two of them mean that its CPU time was up."""
    timed_out = number in (getattr(signal, "SIGPROF", 0), getattr(signal, "SIGXCPU", 0))
    ending = Ending.TIMED_OUT if timed_out else Ending.KILLED
    return Answer(ending, detail=number, printed=printed, seconds=seconds)
