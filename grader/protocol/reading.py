"""The one door for what comes up the pipe: bytes become an Answer here, or Garbled, and nothing else passes.

A reply is one line of JSON a call, or one for the import, among the last words of a process, and an
empty line at its end.
"""

import contextlib
import dataclasses
import itertools
import json
import re
from pathlib import Path
from typing import Any

from grader.protocol.answer import Answer, Ending, Import, Request
from grader.protocol.plain import LARGEST, Garbled, read_as
from grader.protocol.raised import Frames, Raised
from grader.protocol.survey import read_survey

DEEPEST, MOST_NODES = 150, 100_000
SHORT = 1_000  # in which there is no room for a number that is too large


def read_import(data: bytes) -> Answer:
    """What a child process says of its import of lab.py; GARBLED where that is not ours."""
    lines = [line for line in data.split(b"\n") if line.startswith(b"{")]
    with contextlib.suppress(Garbled):
        match decode(lines[0]) if len(lines) == 1 else None:
            case {"raised": None, "threads": bool(threads), "survey": survey}:
                return Answer(Ending.ANSWERED, imported=Import(threads, read_survey(survey)))
            case {"raised": raised}:
                return Answer(Ending.ANSWERED, raised=read_as(Raised, raised))
    return Answer(Ending.GARBLED)


def decode(line: bytes) -> dict[str, Any] | None:
    """The JSON mapping that a line is; None for anything that the kit's own child never sends.

    Behind it a reply is shallow and not wide, its whole numbers are of a size that a float can be
    compared with, and its texts can be written.

    >>> decode(b'{"case": "a", "outcome": {}}')
    {'case': 'a', 'outcome': {}}
    >>> decode(b'{"forged": 1}{"case": "a"}') is None
    True
    """
    if is_wide(line):
        return None
    try:
        reply = json.loads(line.decode())
        if b"\\u" in line:
            json.dumps(reply, ensure_ascii=False).encode()  # which halves of characters cannot be
        is_small = len(line) <= SHORT and sum(map(line.count, (b"[", b"{"))) <= DEEPEST
        return reply if isinstance(reply, dict) and (is_small or _is_ours(reply)) else None
    except (ValueError, RecursionError):
        return None


def is_wide(data: bytes) -> bool:
    """Whether there is far more in it than in any answer; told without reading it.

    >>> is_wide(b'{"case": [1, 2]}'), is_wide(b"[" * 200_000)
    (False, True)
    """
    return sum(map(data.count, (b"[", b",", b":"))) > MOST_NODES


def _is_ours(reply: dict[str, Any]) -> bool:
    """Whether a reply is shallow and without huge numbers."""
    level: list[Any] = [reply]
    for _ in range(DEEPEST):
        if not level:
            return True
        if any(type(value) is int and abs(value) >= LARGEST for value in level):
            return False
        deeper = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = list(itertools.chain.from_iterable(deeper))
    return not level


def read_status(line: bytes) -> tuple[int, bool] | None:
    """How the process of a case ended (as `waitpid` has it), and whether it left others behind.

    None for what the kit's own child never sends.

    >>> read_status(b'{"ended": 9, "survivors": false}'), read_status(b'{"ended": 65536, "survivors": false}')
    ((9, False), None)
    """
    match decode(line):
        case {"ended": int(ended), "survivors": bool(survivors), **more} if not more and type(ended) is int:
            has_ended = 0 <= ended < 1 << 16 and ended & 0x7F != 0x7F  # which would say that it was only stopped
            return (ended, survivors) if has_ended else None
    return None


def read_outcomes(request: Request, data: bytes) -> Answer:
    """The Answer that a complete reply stands for; GARBLED where it is not one of ours."""
    if is_wide(data):
        return Answer(Ending.TOO_LARGE)
    with contextlib.suppress(Garbled):
        if data.endswith(b"\n\n") and (outcomes := _outcomes(request, data)):
            return answered(outcomes)
    return Answer(Ending.GARBLED)


def answered(outcomes: list[dict[str, Any]]) -> Answer:
    """The Answer that outcomes of calls make, up to the first that raised.  Raises Garbled where that is not ours."""
    for at, outcome in enumerate(outcomes, start=1):
        if "missing" in outcome:
            return Answer(Ending.ANSWERED, outcomes[:at], missing=True)
        if "raised" in outcome:
            return Answer(Ending.ANSWERED, outcomes[:at], raised=read_as(Raised, outcome["raised"]))
    return Answer(Ending.ANSWERED, outcomes)


def with_last_words(answer: Answer, request: Request | None, data: bytes, lab: Path) -> Answer:
    """The Answer of a process that ended early, with what it had sent until then."""
    answer = dataclasses.replace(answer, frames=last_frames(data, lab))
    with contextlib.suppress(Garbled):
        if request:
            return dataclasses.replace(answer, outcomes=_outcomes(request, data[: data.rfind(b"\n") + 1]))
    return answer


def last_frames(data: bytes, lab: Path) -> Frames:
    """The outermost and the innermost line of lab.py in the last words of a process (faulthandler's form).

    The outermost is left out where it is the innermost too, and where there were too many to tell it.

    >>> words = b'  File "/x/api/state.py", line 80 in copy\\n  File "/x/lab.py", line 12 in solve\\n'
    >>> last_frames(words, Path("/x/lab.py"))
    ((12, 'solve'),)
    >>> last_frames(words + b'  File "/x/lab.py", line 7 in look\\n', Path("/x/lab.py"))
    ((7, 'look'), (12, 'solve'))
    >>> last_frames(words.replace(b"/x/", b"/x/Jos\\\\xe9/"), Path("/x/José/lab.py"))
    ((12, 'solve'),)
    """
    file = re.escape(str(lab.resolve()).encode("ascii", "backslashreplace"))
    found = re.findall(rb'^  File "%s", line (\d{1,7}) in (\S{1,60})$' % file, data, re.MULTILINE)
    innermost, outermost = found[:1], found[1:][-1:]
    if re.search(rb"^  \.\.\.$", data, re.MULTILINE):
        outermost = []
    return tuple((int(line), name.decode("ascii", "replace")) for line, name in (*outermost, *innermost))


def _outcomes(request: Request, data: bytes) -> list[dict[str, Any]]:
    """The outcomes of a case's calls, in order.  Raises Garbled where one is not ours, or is one too many.

    A line that does not name the case is nobody's.
    """
    lines = [line for line in data.split(b"\n") if line.startswith(b"{") and request.case.encode() in line]
    if len(lines) > len(request.calls):
        raise Garbled
    return [_outcome(decode(line), request.case) for line in lines]


def _outcome(reply: dict[str, Any] | None, case: str) -> dict[str, Any]:
    match reply:
        case {"case": str(name), "outcome": dict(outcome)} if name == case:
            return outcome
    raise Garbled
