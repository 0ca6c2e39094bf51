"""What goes down to the worker and what comes back: Request and Answer, both plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from grader.protocol.raised import Frames, Raised


class Ending(Enum):
    """How the process that ran a case ended."""

    ANSWERED = "answered"
    CPU_TIME_UP = "CPU time up"
    STALLED = "stalled"
    EXITED = "exited"
    KILLED = "killed"
    FLOODED = "flooded"
    TOO_LARGE = "too large"
    GARBLED = "garbled"


@dataclass(frozen=True)
class Import:
    """What is known of an imported lab.py: its survey, and whether each function `forks` from the worker."""

    survey: dict[str, str]
    forks: bool


@dataclass(frozen=True)
class Answer:
    """What came back for a case or from the import: how the process ended, and the outcomes of its calls.

    `outcomes` is plain data that the student's process sent: believe its types, nothing else.  The last of them may be
    that of a call which `raised`.  The import may have raised too; if not, it is `imported`.
    `detail` is the exit status or the number of the signal.  `printed` is what the code printed, with CALL_BEGINS
    before each call.
    `seconds` is how long the grader has waited for it, and `cpu` how many seconds it has computed; 0 if unknown.
    `frames` are the lines of lab.py that were running when its time was up, each with its function, innermost last.
    """

    ending: Ending
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    raised: Raised | None = None
    imported: Import | None = None
    detail: int = 0
    printed: str = ""
    seconds: float = 0.0
    cpu: float = 0.0
    frames: Frames = ()


@dataclass(frozen=True)
class Request:
    """A case as it goes down the pipe: no expectation, nothing that is not needed.

    `watch` has the functions to watch while this one runs, and the reference answers in place of some.
    """

    case: str
    kind: str
    function: str
    calls: tuple[Mapping[str, Any], ...]
    seconds: float
    watch: Mapping[str, Any] | None = None

    def as_data(self) -> dict[str, Any]:
        """What the worker gets of it: all but its name."""
        return {name: value for name, value in vars(self).items() if name != "case"}


def exited(status: int) -> Answer:
    """The Answer of a process that is gone: with this exit status, or by a signal, whose number is then negative.

    >>> exited(3) == Answer(Ending.EXITED, detail=3), exited(-9) == Answer(Ending.KILLED, detail=9)
    (True, True)
    """
    return Answer(Ending.KILLED, detail=-status) if status < 0 else Answer(Ending.EXITED, detail=status)
