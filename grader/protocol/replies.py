"""What comes up the pipe from the worker: a line of JSON becomes a Reply here, and
nothing else passes.

Whatever wrote the line, a reply is neither deep nor wide, its whole numbers have no
more digits than Python prints, and its texts can be printed.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from grader.protocol.answer import Answer, Ending, Frames, Isolation, Raised
from grader.protocol.plain import Garbled, read_as

DEEPEST, MOST_NODES = 200, 1_000_000
_LAST_WORDS = re.compile(
    r"(?:Stack|Current thread 0x\w+) \(most recent call first\):\n(?:  .*\n)*"
)


@dataclass(frozen=True)
class Reply:
    """A line of the worker's.  `what` it says:

    shut in    lab.py is imported next, with this `isolation`
    imported   it was, or has `raised` something; `survey` has its answers, and `forks` says how functions will run
    called     the code of lab.py has called the watched function `name`, for the first time in this call of a case
    unknown    and no reference answer is known for that
    outcome    of the next call of a case
    answered   all calls of a case are done; they took so many seconds of `cpu`, and `printed` this
    ended      the process of the function has ended, with this exit `status` or by this `signal`
    """

    what: Literal[
        "shut in", "imported", "called", "unknown", "outcome", "answered", "ended"
    ]
    run: str = ""
    name: str = ""
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
    """What a line says; None if the worker would not write it.

    >>> read_reply(b'{"what": "outcome", "run": "a", "outcome": {"value": 3}}').outcome
    {'value': 3}
    >>> read_reply(b'{"what": "outcome", "run": 1, "outcome": {}}'), read_reply(b"hello")
    (None, None)
    """
    if sum(map(line.count, (b"[", b",", b":"))) > MOST_NODES:
        return None
    try:
        data = json.loads(line.decode())
        if b"\\u" in line:
            json.dumps(
                data, ensure_ascii=False
            ).encode()  # raises ValueError for half a character
        is_shallow = sum(map(line.count, (b"[", b"{"))) <= DEEPEST or _is_shallow(
            data, DEEPEST
        )  # counting is quick
        return cast(Reply, read_as(Reply, data)) if is_shallow else None
    except (Garbled, ValueError, RecursionError):
        return None


def _is_shallow(data: Any, most: int) -> bool:
    if not isinstance(data, dict | list):
        return True
    return most > 0 and all(
        _is_shallow(each, most - 1)
        for each in (data.values() if isinstance(data, dict) else data)
    )


def answered(outcomes: list[dict[str, Any]], calls: int) -> Answer:
    """The Answer that the outcomes of so many calls make; GARBLED if the worker would
    not have sent them.
    """
    *_, last = [{}, *outcomes]
    try:
        raised = read_as(Raised | None, last.get("raised"))
    except Garbled:
        return Answer(Ending.GARBLED)
    if len(outcomes) > calls:
        return Answer(Ending.GARBLED)
    return Answer(Ending.ANSWERED, outcomes, raised=raised)


def split_last_words(printed: str, lab: Path) -> tuple[Frames, str]:
    """The lines of lab.py in the last words of a process, innermost last, and what else
    was printed.

    The last words are faulthandler's, which writes the innermost line first, and leaves
    out what is far from it.

    >>> words = 'Stack (most recent call first):\\n  File "/x/api/state.py", line 80 in copy\\n'
    >>> words += '  File "/x/lab.py", line 12 in solve\\n  File "/x/lab.py", line 7 in look\\n'
    >>> split_last_words(f"hello\\n{words}", Path("/x/lab.py"))
    (((7, 'look'), (12, 'solve')), 'hello\\n')
    """
    *_, words = ["", *_LAST_WORDS.findall(printed)]
    file = re.escape(str(lab).encode("ascii", "backslashreplace").decode())
    lines = re.findall(
        rf'^  File "{file}", line (\d{{1,7}}) in (\S{{1,60}})$', words, re.MULTILINE
    )
    return tuple((int(line), name) for line, name in reversed(lines)), _LAST_WORDS.sub(
        "", printed
    )
