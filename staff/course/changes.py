"""The differences between two publications: whose score has changed, and why.

A publication keeps three things for each student: a state, some sums, and short texts.
The texts say what the score is made of.  Each text has a name, such as `file`, `time`,
`by hand, total`, `void, alphabeta/nim` and `case alphabeta/nim`.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

CASE = "case "
RULES = "the rules in course.yaml"
NOBODY = "not in this class any more"


@dataclass(frozen=True)
class Entry:
    """What a publication keeps of a student.

    The publication may be one that nobody has made yet.
    """

    student: str  # the id of the student
    state: str  # empty if the student is not in the publication
    # The points before lateness (raw), the penalty and the score, each as text.  A
    # text is empty if the student has no such points.
    sums: Mapping[str, str] = field(default_factory=dict)
    # Short texts that say what the score is made of.  The key says what a text is
    # about.
    made_of: Mapping[str, str] = field(default_factory=dict)

    @property
    def score(self) -> Fraction | None:
        """The score; None if there is none."""
        text = self.sums.get("score", "")
        return Fraction(text) if text else None


@dataclass(frozen=True)
class Change:
    """A student whose score or state has changed since the last publication."""

    before: Entry
    now: Entry
    cause: str  # why, in words
    cases: int  # how many cases have another verdict or other points


def held_once(made_of: Mapping[str, str]) -> dict[str, str]:
    """Return `made_of`, but keep each name and each text in memory only once.

    Many students have the same names and texts.
    """
    return {sys.intern(what): sys.intern(text) for what, text in made_of.items()}


Pair = tuple[Entry, Entry]
"""A student's entry in the last publication, and the student's entry now."""


def pairs(published: Iterable[Entry], now: Iterable[Entry]) -> list[Pair]:
    """Pair the entry that each student had before with the one that the student has
    now.

    `published` are the entries of the last publication.  If a student is in only one of
    `published` and `now`, the other entry of the pair has an empty state.
    """
    before = {entry.student: entry for entry in published}
    after = {entry.student: entry for entry in now}
    both = list[Pair]()
    for id in after | before:
        nothing = Entry(id, "")
        both.append((before.get(id, nothing), after.get(id, nothing)))
    return both


def is_lowered(before: Entry, now: Entry) -> bool:
    """Whether a student has fewer points than before, or has lost the score."""
    if before.score is None:
        return False
    return now.score is None or now.score < before.score


def lowered(both: Iterable[Pair]) -> list[str]:
    """Return the students who have fewer points than before, or have lost the score."""
    return [now.student for before, now in both if is_lowered(before, now)]


def changed(both: Iterable[Pair]) -> list[Change]:
    """Return the students whose score or state has changed, each with the cause."""
    changes = []
    for before, now in both:
        if before.score != now.score or before.state != now.state:
            changes.append(_change(before, now))
    return changes


def _change(before: Entry, now: Entry) -> Change:
    """Return the change of a student, with its cause.

    The cause lists the texts that have changed, except the texts about cases.  If only
    one text about a case has changed, and the state and the file are the same, the
    cause lists that text too.  If it lists no text, the cause is a general phrase.  If
    the student has left the class, the cause says only that.
    """
    different = [
        name
        for name in {**before.made_of, **now.made_of}
        if before.made_of.get(name) != now.made_of.get(name)
    ]
    of_cases = [name for name in different if name.startswith(CASE)]
    causes = [_step(name, before, now) for name in different if name not in of_cases]
    if len(of_cases) == 1 and before.state == now.state and "file" not in different:
        causes.append(_step(of_cases[0], before, now))
    elif of_cases and not causes:
        causes.append("other verdicts, or other points for cases")
    if not now.state:
        causes = [NOBODY]
    return Change(before, now, "; ".join(causes) or RULES, len(of_cases))


def _step(name: str, before: Entry, now: Entry) -> str:
    """Show a text about the score: what it was before, and what it is now.

    If the text is new, show only what it is now.
    """
    new = now.made_of.get(name, "none")
    if name not in before.made_of:
        return f"{name}: {new}"
    return f"{name}: {before.made_of[name]} -> {new}"


def difference(both: Iterable[Pair], number: int) -> str:
    """Say how many scores are higher, lower or the same since the last publication.

    `number` is the number of the last publication; 0 if there was none.
    """
    if not number:
        return "nothing was published before"
    up = list[Fraction]()
    down = list[Fraction]()
    same = 0
    only_one = 0
    for before, now in both:
        if before.score == now.score:
            same += 1
        elif before.score is None or now.score is None:
            only_one += 1
        elif now.score > before.score:
            up.append(now.score - before.score)
        else:
            down.append(now.score - before.score)
    text = f"since publication {number}: {len(up)} up{_span(up)}, "
    text += f"{len(down)} down{_span(down)}, {same} same"
    if only_one:
        text += f", {only_one} with a score only before or now"
    return text


def _span(steps: list[Fraction]) -> str:
    """Return the smallest and the largest of these changes of scores, in brackets.

    The text is empty if there are no changes.
    """
    if not steps:
        return ""
    in_order = sorted(steps, key=abs)
    return f" ({float(in_order[0]):+.2f} to {float(in_order[-1]):+.2f})"
