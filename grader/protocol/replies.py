"""Reads what the child sends through the pipe: each line of JSON becomes a Reply.

Student code may have written a line.  So a line that could do harm is ignored.  The
data of a line must be neither deeply nested nor very large.  Python must be able to
print its whole numbers, and to encode its texts.
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
    """A line that the child has sent.  `what` is one of these words:

    shut in    lab.py is imported next, with this `isolation`
    imported   lab.py was imported: `survey` and `forks`.  Or the import has `raised` an
               exception
    called     lab.py has called the watched function `name`, for the first time in this
               case
    unknown    the stand-in of the function `name` had no answer to a call
    outcome    the next call of a case is done, with this `outcome`
    answered   the case is over: `cpu` and `printed`
    result     in a game, the search has a result: `after`, `score`, `is_counted`
    spent      in a game, the search has asked for more evaluations than its budget
    moved      in a game, the search is over.  It has `returned` or `raised` something.
               Neither is set if the search was stopped because its budget was spent
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
    # The name that the grader has chosen for the run of a function or a game.  Empty
    # during the import of lab.py.
    run: str = ""
    # The name of the watched function that was called.
    name: str = ""
    outcome: Data | None = None
    # The seconds of CPU that the case, or the turn of a game, has used so far.
    cpu: float = 0.0
    # What the code printed during the case.
    printed: str = ""
    # The exit status of the process.
    status: int = 0
    # The number of the signal that ended the process; 0 if none did.
    signal: int = 0
    isolation: Isolation | None = None
    # True if the child will fork a process for each function.
    forks: bool = False
    # The answers to the survey.  The grader has not checked their form yet.
    survey: Any = None
    raised: Raised | None = None
    # The number of the turn in its game, and how many evaluations have been counted in
    # this turn so far.
    turn: int = 0
    evaluations: int = 0
    # The first move of a result leads to the position `after`.  `score` is the score of
    # the result.  Both are plain data.
    after: Any = None
    score: Any = None
    # Whether a counted evaluation has returned this score or its negative.
    is_counted: bool = False
    # The type of what the search returned, in words.
    returned: str = ""


def read_reply(line: bytes) -> Reply | None:
    """Return the Reply that a line holds.

    Return None if the grader's own code in the child would not write such a line.

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
            # If a text contains half of a surrogate pair, this line raises ValueError.
            json.dumps(data, ensure_ascii=False).encode()
        # Counting brackets is quick, and most lines have few.  Only a line with many
        # brackets has to be looked at in detail.
        brackets = sum(map(line.count, (b"[", b"{")))
        if brackets <= DEEPEST or _is_shallow(data, DEEPEST):
            return cast(Reply, read_as(Reply, data))
    except (Garbled, ValueError, RecursionError):
        pass
    return None


def _is_shallow(data: Any, most: int) -> bool:
    """Whether the lists and mappings in `data` are nested no deeper than `most`
    levels.
    """
    if isinstance(data, dict):
        data = list(data.values())
    if not isinstance(data, list):
        return True
    return most > 0 and all(_is_shallow(part, most - 1) for part in data)


def answered(outcomes: list[Data], calls: int) -> Answer:
    """Return the Answer for a case whose calls had these outcomes.

    `calls` is the number of calls in the case.  The Answer is GARBLED if the grader's
    own code would not have sent these outcomes.
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
    """Separate the output of a process from the lines that faulthandler has added to
    it.

    These added lines say which code was running at the end, the innermost line first.
    Return the lines of lab.py among them, innermost last.  Return also the rest of the
    output.

    >>> words = "Stack (most recent call first):\\n"
    >>> words += '  File "/x/api/state.py", line 80 in copy\\n'
    >>> words += '  File "/x/lab.py", line 12 in solve\\n'
    >>> words += '  File "/x/lab.py", line 7 in look\\n'
    >>> split_last_words(f"hello\\n{words}", Path("/x/lab.py"))
    (((7, 'look'), (12, 'solve')), 'hello\\n')
    """
    *_, words = ["", *_LAST_WORDS.findall(printed)]
    # faulthandler writes only ASCII characters.
    file = re.escape(str(lab).encode("ascii", "backslashreplace").decode())
    line_of_lab = rf'^  File "{file}", line (\d{{1,7}}) in (\S{{1,60}})$'
    innermost_first = re.findall(line_of_lab, words, re.MULTILINE)
    frames = tuple((int(line), name) for line, name in reversed(innermost_first))
    return frames, _LAST_WORDS.sub("", printed)
