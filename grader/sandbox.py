"""A student's code, at arm's length: send a case, get an Answer, whatever happens inside.

Two ways of doing it, with the same door: forking.py where there is fork (a process a case), and
spawning.py elsewhere (a process a function).
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

import yaml

KIT = Path(__file__).parent.parent

KEPT_OUTPUT = 64 * 1024
MOST_OUTPUT = 16 * 1024 * 1024
MOST_ANSWER = 8 * 1024 * 1024
WALL_PER_CPU_SECOND = 5
IMPORT_WALL = 15.0

_BOOT = (
    "import sys; sys.path[:0] = [sys.argv[1]]; sys.path.append(sys.argv[2]); "
    "from grader.worker import main; main(sys.argv[3], int(sys.argv[4]) if sys.argv[4] else None)"
)


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


class Sandbox(Protocol):
    """Runs the cases of one lab.py.  `last_was_fresh` says whether the last case had a process to
    itself; where it had not, `renew` gives the next one a new process."""

    last_was_fresh: bool

    def renew(self) -> None:
        """Run the next case in a new process."""

    def load(self) -> Answer:
        """Import lab.py; `imported` of the Answer says whether that went well."""

    def answer(self, request: Request) -> Answer:
        """Run one case."""

    def close(self) -> None:
        """End every process and remove the scratch folder."""


def open_sandbox(lab: Path, fork: bool | None = None) -> Sandbox:
    """A sandbox for this lab.py; `fork` is for tests that force the other way."""
    from grader.forking import ForkingSandbox
    from grader.spawning import SpawningSandbox

    wants_fork = hasattr(os, "fork") and not os.environ.get("GRADER_NO_FORK") if fork is None else fork
    return ForkingSandbox(lab) if wants_fork else SpawningSandbox(lab)


def start_worker(lab: Path, scratch: str, status: int | None = None) -> "subprocess.Popen[bytes]":
    """The child process, in its own session, with a cleared environment, in an empty folder."""
    environment = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PATH": os.defpath}
    if "SYSTEMROOT" in os.environ:
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    libraries = str(Path(yaml.__file__).parent.parent)
    words = [str(KIT), libraries, str(lab.resolve()), "" if status is None else str(status)]
    return subprocess.Popen(
        [sys.executable, "-P", "-s", "-B", "-c", _BOOT, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=() if status is None else (status,),
        start_new_session=True,
        env=environment,
        cwd=scratch,
    )


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


class Scratch:
    """The empty folder that a student's code works in."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="lab-")

    def remove(self) -> None:
        """Delete the folder, whatever stands in it."""
        shutil.rmtree(self.path, ignore_errors=True)
