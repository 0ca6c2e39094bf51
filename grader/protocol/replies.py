"""What comes up the pipe from the worker: a line of JSON becomes a Reply here, and nothing else passes.

Whatever wrote the line, a reply is shallow and not wide, its whole numbers are of a size that a float can be compared
with, and its texts can be written.
"""

import contextlib
import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.protocol.answer import Answer, Ending
from grader.protocol.isolation import Isolation
from grader.protocol.plain import LARGEST, Garbled, read_as
from grader.protocol.raised import Frames, Raised

DEEPEST, MOST_NODES = 150, 100_000
SHORT = 1_000  # in which there is no room for a number that is too large
_LAST_WORDS = re.compile(r"(?:Stack|Current thread 0x\w+) \(most recent call first\):\n(?:  .*\n)*")


@dataclass(frozen=True)
class Outcome:
    """What came of a call of a case."""

    run: str
    case: int
    outcome: dict[str, Any]


@dataclass(frozen=True)
class EndOfCase:
    """A case has come to its end: the CPU seconds that it took, and what it printed."""

    run: str
    case: int
    cpu: float
    printed: str


@dataclass(frozen=True)
class EndOfFunction:
    """The process of a function has ended: its exit status, or the signal, and whether it left another one behind."""

    run: str
    exit: int
    signal: int
    cpu: float
    leaves: bool


@dataclass(frozen=True)
class ShutIn:
    """What holds the worker; lab.py is imported next."""

    isolation: Isolation


@dataclass(frozen=True)
class EndOfImport:
    """lab.py was imported, or has raised something; `survey` is read elsewhere."""

    cpu: float
    printed: str
    forks: bool = False
    survey: Any = None
    raised: Raised | None = None


Reply = Outcome | EndOfCase | EndOfFunction | ShutIn | EndOfImport


def read_reply(line: bytes) -> Reply | None:
    """What a line says; None for one that the worker would not write.

    >>> read_reply(b'{"run": "a", "case": 0, "outcome": {"value": 3}}')
    Outcome(run='a', case=0, outcome={'value': 3})
    >>> read_reply(b'{"run": "a", "case": "0", "outcome": {}}'), read_reply(b"hello")
    (None, None)
    """
    data = decode(line) if line.startswith(b"{") else None
    for form in Reply.__args__ if data else ():
        with contextlib.suppress(Garbled):
            reply: Reply = read_as(form, data)
            return reply
    return None


def decode(line: bytes) -> dict[str, Any] | None:
    """The JSON mapping that a line is; None for anything that the worker would not write.

    >>> decode(b'{"case": "a", "outcome": {}}')
    {'case': 'a', 'outcome': {}}
    >>> decode(b'{"forged": 1}{"case": "a"}') is None
    True
    """
    if is_wide(line):
        return None
    try:
        data = json.loads(line.decode())
        if b"\\u" in line:
            json.dumps(data, ensure_ascii=False).encode()  # which halves of characters cannot be
        is_small = len(line) <= SHORT and sum(map(line.count, (b"[", b"{"))) <= DEEPEST
        return data if isinstance(data, dict) and (is_small or _is_ours(data)) else None
    except (ValueError, RecursionError):
        return None


def is_wide(data: bytes) -> bool:
    """Whether there is far more in it than in any answer; told without reading it.

    >>> is_wide(b'{"case": [1, 2]}'), is_wide(b"[" * 200_000)
    (False, True)
    """
    return sum(map(data.count, (b"[", b",", b":"))) > MOST_NODES


def _is_ours(data: dict[str, Any]) -> bool:
    """Whether data is shallow and without huge numbers."""
    level: list[Any] = [data]
    for _ in range(DEEPEST):
        if not level:
            return True
        if any(type(value) is int and abs(value) >= LARGEST for value in level):
            return False
        deeper = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = list(itertools.chain.from_iterable(deeper))
    return not level


def answered(outcomes: list[dict[str, Any]], calls: int) -> Answer:
    """The Answer that outcomes of so many calls make, up to the first that raised; GARBLED where they are not ours."""
    if len(outcomes) > calls:
        return Answer(Ending.GARBLED)
    for at, outcome in enumerate(outcomes, start=1):
        if "missing" in outcome:
            return Answer(Ending.ANSWERED, outcomes[:at], missing=True)
        if "raised" in outcome:
            try:
                return Answer(Ending.ANSWERED, outcomes[:at], raised=read_as(Raised, outcome["raised"]))
            except Garbled:
                return Answer(Ending.GARBLED)
    return Answer(Ending.ANSWERED, outcomes)


def split_last_words(printed: str, lab: Path) -> tuple[Frames, str]:
    """The lines of lab.py in the last words of a process, and what else was printed.

    The last words are faulthandler's, who writes the innermost line first.  The outermost is left out where it is the
    innermost too, and where there were too many to tell it.

    >>> words = 'Stack (most recent call first):\\n  File "/x/api/state.py", line 80 in copy\\n'
    >>> words += '  File "/x/lab.py", line 12 in solve\\n'
    >>> split_last_words(f"hello\\n{words}", Path("/x/lab.py"))
    (((12, 'solve'),), 'hello\\n')
    >>> split_last_words(words + '  File "/x/lab.py", line 7 in look\\n', Path("/x/lab.py"))
    (((7, 'look'), (12, 'solve')), '')
    """
    told = _LAST_WORDS.findall(printed)
    words = told[-1] if told else ""
    file = re.escape(str(lab.resolve()).encode("ascii", "backslashreplace").decode())
    found = re.findall(rf'^  File "{file}", line (\d{{1,7}}) in (\S{{1,60}})$', words, re.MULTILINE)
    innermost, outermost = found[:1], found[1:][-1:]
    if "\n  ...\n" in words:
        outermost = []
    frames = tuple((int(line), name) for line, name in (*outermost, *innermost))
    return frames, _LAST_WORDS.sub("", printed)
