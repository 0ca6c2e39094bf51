"""Names: the misconceptions that give just the wrong answers of a lab, in all public cases of a function.

boards/misconceptions/ has a file for each function, which `make expectations` writes and which is read
only where something has failed: for each known mistake a digest of its answer to every case that it
fails and of what is located in it, and none of its code.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boards.cases import CASES, Case
from grader.judging.verdict import SLOW, Status, Verdict
from grader.pipe.plain import fingerprint

MISCONCEPTIONS = CASES.with_name("misconceptions")
MOST_NAMES = 2
_SAYS_NOTHING = (Status.WAITS, Status.UNGRADED)


@dataclass(frozen=True)
class Misconception:
    """A mistake that many make: what the code does, what helps, and a question that leads on."""

    name: str
    hint: str = ""
    question: str = ""


def fitting(cases: Sequence[Case], verdicts: Mapping[str, Verdict], fact: str = "") -> tuple[Misconception, ...]:
    """The misconceptions that fit the verdicts on all cases of a function, if they are one or two.

    None where a case was not run or not begun.  A case that waits for another function, or could not be
    judged, says nothing.  `fact` is what was located: where it is known of other mistakes, and not of one,
    that one is contradicted by it.
    """
    found = [verdicts.get(case.id) for case in cases]
    if any(verdict is None or verdict.status is Status.NOT_STARTED or not verdict.ran for verdict in found):
        return ()
    gists = {each.case: each.gist for each in found if each and each.status not in _SAYS_NOTHING}
    stored = json.loads((MISCONCEPTIONS / f"{cases[0].function}.json").read_text("utf-8"))
    known = [(each, wrong) for each in stored["misconceptions"] for wrong in each["wrong"].values()]
    place = fingerprint(fact) if any(wrong["place"] == fingerprint(fact) for _, wrong in known) else ""
    fits = {
        Misconception(each["name"], each["hint"], each["question"]): None
        for each, wrong in known
        if place in ("", wrong["place"])
        and all(agree(wrong["cases"].get(case, ""), gist) for case, gist in gists.items())
    }
    return tuple(fits) if any(gists.values()) and len(fits) <= MOST_NAMES else ()


def agree(stored: str, found: str) -> bool:
    """Whether a mistake of which this is stored may give what was found.

    >>> agree("a1b2", "a1b2"), agree("a1b2", ""), agree(SLOW, "a1b2"), agree(SLOW, "")
    (True, False, True, False)
    """
    return stored == found or (stored == SLOW and found != "")
