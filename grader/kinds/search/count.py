"""Judges the count of static evaluations of a search whose path and score are right.

A search that counts wrong earns half.  A search that is asked to prune earns a quarter
if it counts wrong, and nothing if it prunes nothing where there is something to prune,
whatever it reports.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.bank.cases import Call
from grader.kinds.search.answer import Evidence, ExpectedResult, show_part
from grader.kinds.search.nodes import Nodes
from grader.protocol.plain import is_number
from grader.protocol.text import plural, show
from grader.verdicts.verdict import RIGHT, Finding, wrong

HALF = Fraction(1, 2)
QUARTER = Fraction(1, 4)


def judge_count(
    call: Call, expected: ExpectedResult, reported: Any, seen: Evidence
) -> Finding:
    """The finding on the count of a result whose path and score are right."""
    count = Count(call, expected, reported, seen)
    credit = HALF
    unpruned = expected.unpruned
    if unpruned is not None:
        credit = QUARTER
        if unpruned != expected.evaluations and count.shows_no_pruning(unpruned):
            return wrong(_no_pruning(count, unpruned))
    if count.number is None:
        shown = show_part(reported)
        text = f"The count of evaluations is {shown}; it should be a plain number."
        return Finding(credit, text)
    if count.seen_instead is not None:
        seen_instead = str(count.seen_instead)
        row = ("states evaluated", str(expected.evaluations), seen_instead)
        return Finding(credit, _another_was_seen(count, count.seen_instead), (row,))
    if count.number == expected.evaluations:
        return RIGHT
    return Finding(credit, _wrong_number(count, count.number))


@dataclass(frozen=True)
class Count:
    """The count that a search reports, beside what is known of it."""

    call: Call
    expected: ExpectedResult
    reported: Any  # plain data, whatever came back
    seen: Evidence  # if it is not `watched`, it proves nothing

    @property
    def number(self) -> float | None:
        """The reported count; None if it is no number."""
        return self.reported if is_number(self.reported) else None

    @property
    def seen_instead(self) -> int | None:
        """How many states the recorder saw evaluated.

        None if that is not certain, or if the reported count may be right.
        """
        seen = self.seen
        if not seen.watched or seen.unattributed:
            return None
        if self.reported == seen.evaluated + seen.repeated:
            return None
        most = seen.evaluated + seen.alike
        if self.number is not None and seen.evaluated <= self.number <= most:
            return None
        return seen.evaluated

    # --- evidence that a search which could prune has pruned nothing ----------------

    def shows_no_pruning(self, unpruned: int) -> bool:
        """Whether one of three kinds of evidence shows that nothing was pruned.

        `unpruned` is the count of plain minimax.  The search reports that count, and
        may be right; or as many known places were evaluated; or the evaluations are not
        to be found.  Known places outweigh everything but a report that agrees with
        them.
        """
        if self.number == unpruned and self.seen_instead is None:
            return True
        if not self.seen.watched:
            return False
        if self.seen.evaluated >= unpruned:
            return not self._leaves_out(unpruned)
        return self._hides_evaluations(unpruned)

    def _leaves_out(self, unpruned: int) -> bool:
        """Whether a search that evaluated as many states as plain minimax has pruned.

        It may have evaluated inner nodes to order its moves: then it has pruned if it
        left out leaves.  It may have evaluated the leaves for that too: then it comes
        back to those that it searches.  These are at least as many as it reports, and
        not all.
        """
        seen = self.seen
        if 0 < (self.number or 0) <= seen.repeated < unpruned:
            return True
        if len(seen.order) != seen.evaluated or seen.unattributed:
            return False
        nodes = Nodes(self.call)
        return 0 < sum(map(nodes.is_leaf, seen.order)) < unpruned

    def _hides_evaluations(self, unpruned: int) -> bool:
        """Whether the search counts wrong, and its evaluations are not to be found.

        Either fewer were seen than it needs and reports, so that another search was
        watched; or with those of unknown places they are as many as in plain minimax.
        """
        seen = self.seen
        needed: float = self.expected.evaluations
        if self.number == needed and seen.total:
            return False
        if self.number is not None:
            needed = min(needed, self.number)
        has_all = seen.unattributed > 0 and seen.total >= unpruned
        return seen.total < max(1, needed) or has_all


# --- what is said -------------------------------------------------------------------


def _no_pruning(count: Count, unpruned: int) -> str:
    seen = count.seen
    report = f"You report {show_part(count.reported)}"
    if not seen.watched:
        return f"{report}; plain minimax makes {unpruned}."
    if seen.evaluated < unpruned:
        were_seen = plural(seen.total, "evaluation was", "evaluations were")
        return f"{report}, and {were_seen} seen; plain minimax makes {unpruned}."
    plain = f"plain minimax makes {plural(unpruned, 'evaluation')} too"
    if count.seen_instead is None and not seen.unattributed:
        return f"Nothing was pruned: {plain}."
    if seen.evaluated > unpruned:
        plain = f"plain minimax makes {unpruned}"
    states = plural(seen.evaluated, "state")
    return f"{report}, but your search evaluated {states}; {plain}."


def _another_was_seen(count: Count, seen: int) -> str:
    states = plural(seen, "state")
    text = f"You report {show(count.reported)}, but your search evaluated {states}."
    if seen > max(count.expected.evaluations, count.reported):
        text += (
            " Are some not counted, or made only to sort the children? "
            "Search the children in their given order."
        )
    return text


def _wrong_number(count: Count, number: float) -> str:
    seen = count.seen
    right = "The score is" if count.expected.path is None else "Path and score are"
    if seen.repeated and number == seen.evaluated + seen.repeated:
        states = plural(seen.evaluated, "state")
        return (
            f"{right} right. Your search makes {show(number)} evaluations of {states}: "
            "does it search some of them more than once?"
        )
    off = number - count.expected.evaluations
    excess = "many" if off > 0 else "few"
    there = f"there are {show(abs(off))} evaluations"
    if abs(off) == 1:
        there = "there is 1 evaluation"
    return f"{right} right, but {there} too {excess}."
