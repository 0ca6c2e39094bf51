"""What goes down to the child process and what comes back: Request and Answer, both plain data."""

import json
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from grader.protocol.raised import Frames, Raised

TIME_IS_UP = tuple(getattr(signal, name, -1) for name in ("SIGPROF", "SIGXCPU", "SIGKILL"))
CROWD_SECONDS = 2.0
SHORT_NAP = 0.1
MOST_OF_IT = 0.75  # CPU time is counted in hundredths


class Ending(Enum):
    """How the process that ran a case ended."""

    ANSWERED = "answered"
    CPU_TIME_UP = "CPU time up"
    WALL_TIME_UP = "wall time up"
    STALLED = "stalled"
    CROWDED = "crowded"
    OUT_OF_MEMORY = "out of memory"
    DISK_FULL = "disk full"
    EXITED = "exited"
    KILLED = "killed"
    FLOODED = "flooded"
    TOO_LARGE = "too large"
    GARBLED = "garbled"


@dataclass(frozen=True)
class Import:
    """What is told of a lab.py that was imported: whether it has started threads, and its survey."""

    threads: bool
    survey: dict[str, str]


@dataclass(frozen=True)
class Answer:
    """What came back for a case or from the import: how the process ended, and the outcomes of its calls.

    `outcomes` is plain data that the student's process sent: believe its types, nothing else.  The
    last of them may be that of a call which `raised`, or whose function is `missing`; so may the
    import.  `imported` is there where that went well.
    `detail` is the exit status or the number of the signal.  `printed` is what the code printed, with
    CALL_BEGINS before each call.
    `cpu` is what its processes computed, in seconds; 0 where nobody counts that (not on Linux).
    `frames` are the lines of lab.py in which a process was when its time was up, each with its function:
    the outermost, as far as that is known, and the innermost.
    """

    ending: Ending
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    raised: Raised | None = None
    missing: bool = False
    imported: Import | None = None
    detail: int = 0
    printed: str = ""
    seconds: float = 0.0
    cpu: float = 0.0
    frames: Frames = ()

    @property
    def cost(self) -> float:
        """The seconds that count: computed, or slept through where that is more; a short nap is free.

        To end a crowd of processes takes about as long as it may take.
        """
        return max(self.cpu, self.seconds - SHORT_NAP, CROWD_SECONDS if self.ending is Ending.CROWDED else 0.0)


@dataclass(frozen=True)
class Request:
    """A case as it goes down the pipe: no expectation, nothing that is not needed.

    `folder` is the one that this case has to itself; where it is empty, the process stays where it is.
    `watch` has the functions to watch while this one runs, and the asked answers in place of some.
    """

    case: str
    kind: str
    function: str
    calls: tuple[Mapping[str, Any], ...]
    seconds: float
    watch: Mapping[str, Any] | None = None
    folder: str = ""

    def as_data(self) -> dict[str, Any]:
        """What the worker is told of it: all but its name."""
        return {name: value for name, value in vars(self).items() if name not in ("case", "folder")}

    def sealed(self, folder: str = "") -> "Request":
        """The same request under a name that nobody can guess, so that no reply is another case's."""
        return replace(self, case=os.urandom(16).hex(), folder=folder)

    def line(self) -> bytes:
        """The request as one line of JSON."""
        return json.dumps(vars(self)).encode() + b"\n"


def exited(code: int) -> Answer:
    """The Answer of a process that is gone: with this exit status, or by a signal, whose number is then negative.

    >>> exited(3) == Answer(Ending.EXITED, detail=3), exited(-9) == Answer(Ending.KILLED, detail=9)
    (True, True)
    """
    return Answer(Ending.KILLED, detail=-code) if code < 0 else Answer(Ending.EXITED, detail=code)


def measured(answer: Answer, limit: float, cpu: float, seconds: float, printed: str) -> Answer:
    """The Answer with the CPU seconds that its processes took, of `limit` that they had, and the seconds in all.

    They tell what the ending alone does not: a signal that ends a process when its time is up from
    one that it sent itself, and a process that computed until the wall clock stopped it from one
    that slept or was not let run.

    >>> measured(Answer(Ending.WALL_TIME_UP), 2.0, cpu=0.01, seconds=10.0, printed="").ending
    <Ending.STALLED: 'stalled'>
    """
    ending = answer.ending
    if ending is Ending.WALL_TIME_UP and cpu < limit:
        ending = Ending.STALLED
    if ending is Ending.KILLED and answer.detail in TIME_IS_UP:
        is_up = cpu >= MOST_OF_IT * limit if sys.platform == "linux" else answer.detail in TIME_IS_UP[:2]
        ending = Ending.CPU_TIME_UP if is_up else Ending.KILLED
    return replace(answer, ending=ending, cpu=cpu, seconds=seconds, printed=printed)
