"""What is different from the last publication: for each student why, and for the class
how many and who has less.

A publication keeps for each student a state, sums, and what the score is made of: short
texts by what they are about, such as `file`, `time`, `by hand, total`, `void,
alphabeta/nim` and `case alphabeta/nim`.
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
    """What a student has in a publication, or would have in the next one.

    `sums` are the points before lateness, the penalty and the score, as they are
    printed; empty for none.
    """

    student: str
    state: str
    sums: Mapping[str, str] = field(default_factory=dict)
    made_of: Mapping[str, str] = field(default_factory=dict)

    @property
    def score(self) -> Fraction | None:
        """The score; None without one."""
        text = self.sums.get("score", "")
        return Fraction(text) if text else None


@dataclass(frozen=True)
class Change:
    """What a student had and has now, why, and how many cases have another verdict or
    other points.
    """

    before: Entry
    now: Entry
    cause: str
    cases: int


def held_once(made_of: Mapping[str, str]) -> dict[str, str]:
    """The same texts; a text that many students have is in memory once for the whole
    class.
    """
    return {sys.intern(what): sys.intern(text) for what, text in made_of.items()}


Pair = tuple[Entry, Entry]
"""What a student had in the last publication, and has now."""


def pairs(published: Iterable[Entry], now: Iterable[Entry]) -> list[Pair]:
    """Each student's entries, of those who are in the class and of those who were; an
    empty state for neither.
    """
    before, after = (
        {entry.student: entry for entry in entries} for entries in (published, now)
    )
    students = [*after, *(student for student in before if student not in after)]
    return [
        (before.get(id, Entry(id, "")), after.get(id, Entry(id, ""))) for id in students
    ]


def is_lowered(before: Entry, now: Entry) -> bool:
    """Whether a student has less than before; no score is less than any."""
    if before.score is None:
        return False
    return now.score is None or now.score < before.score


def lowered(both: Iterable[Pair]) -> list[str]:
    """Who has less than before."""
    return [now.student for before, now in both if is_lowered(before, now)]


def changed(both: Iterable[Pair]) -> list[Change]:
    """Who has another score or state than before, and why."""
    changes = []
    for before, now in both:
        if (before.score, before.state) != (now.score, now.state):
            changes.append(_change(before, now))
    return changes


def _change(before: Entry, now: Entry) -> Change:
    """Why a student's entry is another: the texts that have changed; those of cases as
    a number.
    """
    names = [
        *before.made_of,
        *(name for name in now.made_of if name not in before.made_of),
    ]
    different = [
        name for name in names if before.made_of.get(name) != now.made_of.get(name)
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
    """What a text was, and is now."""
    old, new = before.made_of.get(name), now.made_of.get(name, "none")
    return f"{name}: {new}" if old is None else f"{name}: {old} -> {new}"


def difference(both: Iterable[Pair], number: int) -> str:
    """How many are up, down and the same since a publication of this number; 0 if there
    was none.
    """
    if not number:
        return "nothing was published before"
    steps, same, only_one = list[Fraction](), 0, 0
    for before, now in both:
        if before.score is not None and now.score is not None:
            steps.append(now.score - before.score)
        elif before.score is None and now.score is None:
            same += 1
        else:
            only_one += 1
    up, down = (
        [step for step in steps if step > 0],
        [step for step in steps if step < 0],
    )
    same += len(steps) - len(up) - len(down)
    text = f"since publication {number}: {len(up)} up{_span(up)}, {len(down)} down{_span(down)}"
    text += f", {same} same"
    return f"{text}, {only_one} with a score only before or now" if only_one else text


def _span(steps: list[Fraction]) -> str:
    """The smallest and the largest of some steps."""
    if not steps:
        return ""
    in_order = sorted(steps, key=abs)
    return f" ({float(in_order[0]):+.2f} to {float(in_order[-1]):+.2f})"
