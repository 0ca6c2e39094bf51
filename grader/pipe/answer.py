"""What goes down to the child process and what comes back: Request and Answer, both plain data."""

import contextlib
import dataclasses
import json
import re
import secrets
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from grader.pipe.plain import Garbled
from grader.pipe.raised import Raised, read_raised
from grader.pipe.survey import read_survey

DEEPEST, MOST_NODES, LARGEST = 150, 100_000, 10**1000
TIME_IS_UP = tuple(getattr(signal, name, -1) for name in ("SIGPROF", "SIGXCPU", "SIGKILL"))
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
    `detail` is the exit status or the number of the signal.  `printed` is what the code printed.
    `cpu` is what its processes computed, in seconds; 0 where nobody counts that (not on Linux).
    `where` is the line of lab.py and the function in which a process was when its time was up.
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
    where: tuple[int, str] | None = None

    @property
    def cost(self) -> float:
        """The seconds that count: computed, or slept through where that is more; a short nap is free."""
        return max(self.cpu, self.seconds - SHORT_NAP)


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

    def sealed(self, folder: str = "") -> "Request":
        """The same request under a name that nobody can guess, so that no reply is another case's."""
        return dataclasses.replace(self, case=secrets.token_hex(16), folder=folder)

    def line(self) -> bytes:
        """The request as one line of JSON."""
        return json.dumps(vars(self)).encode() + b"\n"


def read_import(data: bytes) -> Answer:
    """What a child process says of its import of lab.py; GARBLED where that is not ours."""
    lines = [line for line in data.split(b"\n") if line.startswith(b"{")]
    with contextlib.suppress(Garbled):
        match decode(lines[0]) if len(lines) == 1 else None:
            case {"raised": None, "threads": bool(threads), "survey": survey}:
                return Answer(Ending.ANSWERED, imported=Import(threads, read_survey(survey)))
            case {"raised": raised}:
                return Answer(Ending.ANSWERED, raised=read_raised(raised))
    return Answer(Ending.GARBLED)


def decode(line: bytes) -> dict[str, Any] | None:
    """The JSON mapping that a line is; None for anything that the kit's own child never sends.

    That is the one door for what comes up the pipe.  Behind it a reply is shallow and not wide, its
    whole numbers are of a size that a float can be compared with, and its texts can be written.

    >>> decode(b'{"case": "a", "outcome": {}}')
    {'case': 'a', 'outcome': {}}
    >>> decode(b'{"forged": 1}{"case": "a"}') is None
    True
    """
    if is_wide(line):
        return None
    try:
        reply = json.loads(line)
        return reply if isinstance(reply, dict) and _is_ours(reply) else None
    except (ValueError, RecursionError):
        return None


def is_wide(data: bytes) -> bool:
    """Whether there is far more in it than in any answer; told without reading it.

    >>> is_wide(b'{"case": [1, 2]}'), is_wide(b"[" * 200_000)
    (False, True)
    """
    return sum(map(data.count, (b"[", b",", b":"))) > MOST_NODES


def _is_ours(reply: dict[str, Any]) -> bool:
    """Whether a reply is shallow, without huge numbers, and without halves of characters."""
    level: list[Any] = [reply]
    for _ in range(DEEPEST):
        if any(type(value) is int and abs(value) >= LARGEST for value in level):
            return False
        inner = [each for value in level if isinstance(value, dict) for each in (*value, *value.values())]
        inner += [each for value in level if isinstance(value, list) for each in value]
        "".join(text for text in level if isinstance(text, str)).encode()
        level = inner
    return not level


def read_status(line: bytes) -> tuple[int, bool] | None:
    """How the process of a case ended (as `waitpid` has it), and whether it left others behind.

    None for what the kit's own child never sends.

    >>> read_status(b'{"ended": 9, "survivors": false}'), read_status(b'{"ended": 65536, "survivors": false}')
    ((9, False), None)
    """
    status = decode(line) or {}
    ended, survivors = status.get("ended"), status.get("survivors")
    if status.keys() != {"ended", "survivors"} or type(ended) is not int or type(survivors) is not bool:
        return None
    has_ended = 0 <= ended < 1 << 16 and ended & 0x7F != 0x7F  # which would say that it was only stopped
    return (ended, survivors) if has_ended else None


def read_outcomes(request: Request, data: bytes) -> Answer:
    """The Answer that a complete reply stands for; GARBLED where it is not one of ours."""
    if is_wide(data):
        return Answer(Ending.TOO_LARGE)
    outcomes = _outcomes(request, data)
    with contextlib.suppress(Garbled):
        if outcomes and data.endswith(b"\n\n"):
            return answered(outcomes)
    return Answer(Ending.GARBLED)


def answered(outcomes: list[dict[str, Any]]) -> Answer:
    """The Answer that outcomes of calls make, up to the first that raised.  Raises Garbled where that is not ours."""
    for at, outcome in enumerate(outcomes, start=1):
        if "missing" in outcome:
            return Answer(Ending.ANSWERED, outcomes[:at], missing=True)
        if "raised" in outcome:
            return Answer(Ending.ANSWERED, outcomes[:at], raised=read_raised(outcome["raised"]))
    return Answer(Ending.ANSWERED, outcomes)


def with_last_words(answer: Answer, request: Request | None, data: bytes, lab: Path) -> Answer:
    """The Answer of a process that ended early, with what it had sent until then."""
    outcomes = _outcomes(request, data[: data.rfind(b"\n") + 1]) if request else None
    return dataclasses.replace(answer, outcomes=outcomes or [], where=last_place(data, lab))


def last_place(data: bytes, lab: Path) -> tuple[int, str] | None:
    """The innermost line of lab.py in the last words of a process (faulthandler's form).

    >>> words = b'  File "/x/api/state.py", line 80 in copy\\n  File "/x/lab.py", line 12 in solve\\n'
    >>> last_place(words, Path("/x/lab.py"))
    (12, 'solve')
    """
    file = re.escape(str(lab.resolve()).encode())
    found = re.search(rb'^  File "%s", line (\d{1,7}) in (\S{1,60})$' % file, data, re.MULTILINE)
    return (int(found[1]), found[2].decode("ascii", "replace")) if found else None


def _outcomes(request: Request, data: bytes) -> list[dict[str, Any]] | None:
    """The outcomes of a case's calls, in order; None where one is not ours, or is one too many.

    A line that does not name the case is nobody's.
    """
    lines = [line for line in data.split(b"\n") if line.startswith(b"{") and request.case.encode() in line]
    if len(lines) > len(request.calls):
        return None
    replies = [decode(line) or {} for line in lines]
    outcomes = [reply["outcome"] for reply in replies if isinstance(reply.get("outcome"), dict)]
    ours = all(reply.get("case") == request.case for reply in replies) and len(outcomes) == len(lines)
    return outcomes if ours else None


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
    return dataclasses.replace(answer, ending=ending, cpu=cpu, seconds=seconds, printed=printed)
