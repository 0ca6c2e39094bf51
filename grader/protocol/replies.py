"""What comes up the pipe from the worker: a line of JSON becomes a Reply here, and nothing else passes.

Whatever wrote the line, a reply is shallow and not wide, its whole numbers are of a size that a float can be compared
with, and its texts can be written.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from grader.protocol.answer import Answer, Ending
from grader.protocol.isolation import Isolation
from grader.protocol.plain import LARGEST, Garbled, read_as
from grader.protocol.raised import Frames, Raised

DEEPEST, MOST_NODES = 150, 100_000
MOST_DIGITS = len(str(LARGEST)) - 1
_LAST_WORDS = re.compile(r"(?:Stack|Current thread 0x\w+) \(most recent call first\):\n(?:  .*\n)*")


@dataclass(frozen=True)
class Reply:
    """A line of the worker's.  `what` it says:

    shut in    lab.py is imported next, with this `isolation`
    imported   it was, or has `raised` something; `survey` has its answers, and `forks` says how functions will run
    outcome    of the next call of a case
    answered   all calls of a case; it took so many seconds of `cpu`, and printed this
    ended      the process of the function has, with this exit `status`, or by this `signal`
    """

    what: Literal["shut in", "imported", "outcome", "answered", "ended"]
    run: str = ""
    case: int = 0
    outcome: dict[str, Any] | None = None
    cpu: float = 0.0
    printed: str = ""
    status: int = 0
    signal: int = 0
    isolation: Isolation | None = None
    forks: bool = False
    survey: Any = None
    raised: Raised | None = None


def read_reply(line: bytes) -> Reply | None:
    """What a line says; None for one that the worker would not write.

    >>> read_reply(b'{"what": "outcome", "run": "a", "case": 1, "outcome": {"value": 3}}').outcome
    {'value': 3}
    >>> read_reply(b'{"what": "outcome", "run": "a", "case": "1", "outcome": {}}'), read_reply(b"hello")
    (None, None)
    """
    try:
        reply: Reply = read_as(Reply, decode(line) if line.startswith(b"{") else None)
    except Garbled:
        return None
    return reply


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
        data = json.loads(line.decode(), parse_int=_small_int)
        if b"\\u" in line:
            json.dumps(data, ensure_ascii=False).encode()  # which halves of characters cannot be
        return data if isinstance(data, dict) and _is_shallow(data, DEEPEST) else None
    except (ValueError, RecursionError):
        return None


def is_wide(data: bytes) -> bool:
    """Whether there is far more in it than in any answer; told without reading it.

    >>> is_wide(b'{"case": [1, 2]}'), is_wide(b"[" * 200_000)
    (False, True)
    """
    return sum(map(data.count, (b"[", b",", b":"))) > MOST_NODES


def _small_int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(digits)
    return int(digits)


def _is_shallow(data: Any, most: int) -> bool:
    if not isinstance(data, dict | list):
        return True
    return most > 0 and all(_is_shallow(each, most - 1) for each in (data.values() if isinstance(data, dict) else data))


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
    *_, words = ["", *_LAST_WORDS.findall(printed)]
    file = re.escape(str(lab.resolve()).encode("ascii", "backslashreplace").decode())
    found = re.findall(rf'^  File "{file}", line (\d{{1,7}}) in (\S{{1,60}})$', words, re.MULTILINE)
    innermost, outermost = found[:1], found[1:][-1:]
    if "\n  ...\n" in words:
        outermost = []
    frames = tuple((int(line), name) for line, name in (*outermost, *innermost))
    return frames, _LAST_WORDS.sub("", printed)
