"""Reads what comes up the pipe from the child: a line of JSON becomes a Reply.

Student code may have written the line.  So nothing else passes: a reply is neither deep
nor wide, Python can print its whole numbers, and its texts can be encoded.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from grader.protocol.answer import Answer, Ending, Frames, Isolation, Raised
from grader.protocol.plain import Data, Garbled, read_as

DEEPEST = 200
MOST_NODES = 1_000_000
_LAST_WORDS = re.compile(
    r"(?:Stack|Current thread 0x\w+) \(most recent call first\):\n(?:  .*\n)*"
)


@dataclass(frozen=True)
class Reply:
    """A line that the child has sent.

    shut in    lab.py is imported next, with this `isolation`
    imported   lab.py was imported: `survey` and `forks`; or it has `raised` something
    called     lab.py has called the watched function `name`, in this call for the first
               time
    unknown    the stand-in of the function `name` has no answer to a call
    outcome    `outcome` is that of the next call of a case
    answered   all calls of a case are done: `cpu` and `printed`
    result     in a game, the search has a result: `after`, `score`, `is_counted`
    spent      in a game, the search has asked for more evaluations than its budget
    moved      in a game, the search is over: it has `returned` or `raised` something;
               nothing is known if it was stopped
    ended      the process of the function has ended: `status` or `signal`
    """

    what: Literal[
        "shut in",
        "imported",
        "called",
        "unknown",
        "outcome",
        "answered",
        "result",
        "spent",
        "moved",
        "ended",
    ]
    # The name that the grader gave the run.  It is empty before the first run.
    run: str = ""
    # A watched function.
    name: str = ""
    outcome: Data | None = None
    # The seconds of CPU that the case has used.
    cpu: float = 0.0
    # What the code printed during the case.
    printed: str = ""
    # The exit status of the process.
    status: int = 0
    # The number of the signal that ended the process; 0 if none did.
    signal: int = 0
    isolation: Isolation | None = None
    # Whether each function will run in a process of its own.
    forks: bool = False
    # The answers to the survey.  Nothing about their form is certain.
    survey: Any = None
    raised: Raised | None = None
    # The number of the turn in its game, and the evaluations that were counted in this
    # turn so far.
    turn: int = 0
    evaluations: int = 0
    # The position after the first move of a result's path, and its score, encoded.
    after: Any = None
    score: Any = None
    # Whether an evaluation that was counted has returned this score.
    is_counted: bool = False
    # What the search has returned, in words.
    returned: str = ""


def read_reply(line: bytes) -> Reply | None:
    """Return what a line says; None if the grader's own code would not write it.

    >>> read_reply(b'{"what": "outcome", "run": "a", "outcome": {"value": 3}}').outcome
    {'value': 3}
    >>> read_reply(b'{"what": "outcome", "run": 1, "outcome": {}}')
    >>> read_reply(b"hello")
    """
    if sum(map(line.count, (b"[", b",", b":"))) > MOST_NODES:
        return None
    try:
        data = json.loads(line.decode())
        if b"\\u" in line:
            # This raises ValueError for half a character.
            json.dumps(data, ensure_ascii=False).encode()
        # Counting is quick, and only a few lines have so many brackets.
        brackets = sum(map(line.count, (b"[", b"{")))
        if brackets <= DEEPEST or _is_shallow(data, DEEPEST):
            return cast(Reply, read_as(Reply, data))
    except (Garbled, ValueError, RecursionError):
        pass
    return None


def _is_shallow(data: Any, most: int) -> bool:
    """Whether at most so many lists and mappings stand in each other."""
    if isinstance(data, dict):
        data = list(data.values())
    if not isinstance(data, list):
        return True
    return most > 0 and all(_is_shallow(part, most - 1) for part in data)


def answered(outcomes: list[Data], calls: int) -> Answer:
    """Return the Answer that the outcomes of so many calls make.

    The Answer is GARBLED if the grader's own code would not have sent these outcomes.
    """
    raised = None
    try:
        if len(outcomes) > calls:
            raise Garbled
        if outcomes:
            raised = read_as(Raised | None, outcomes[-1].get("raised"))
    except Garbled:
        return Answer(Ending.GARBLED)
    return Answer(Ending.ANSWERED, outcomes, raised=raised)


def split_last_words(printed: str, lab: Path) -> tuple[Frames, str]:
    """Split what a process printed into the lines of lab.py at its end, and the rest.

    The last words come from faulthandler.  It writes the innermost line first, which is
    last in the result.

    >>> words = "Stack (most recent call first):\\n"
    >>> words += '  File "/x/api/state.py", line 80 in copy\\n'
    >>> words += '  File "/x/lab.py", line 12 in solve\\n'
    >>> words += '  File "/x/lab.py", line 7 in look\\n'
    >>> split_last_words(f"hello\\n{words}", Path("/x/lab.py"))
    (((7, 'look'), (12, 'solve')), 'hello\\n')
    """
    *_, words = ["", *_LAST_WORDS.findall(printed)]
    # Faulthandler writes no other than ASCII characters.
    file = re.escape(str(lab).encode("ascii", "backslashreplace").decode())
    line_of_lab = rf'^  File "{file}", line (\d{{1,7}}) in (\S{{1,60}})$'
    innermost_first = re.findall(line_of_lab, words, re.MULTILINE)
    frames = tuple((int(line), name) for line, name in reversed(innermost_first))
    return frames, _LAST_WORDS.sub("", printed)
