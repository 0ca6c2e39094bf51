"""Counts outcomes by function, and computes the interval of a share."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from staff.figures.outcome import Outcome, Place

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Counts:
    """How many submissions had which outcome.

    The last four numbers leave out the submissions that the grader does not catch.
    """

    function: str  # the incorrect function, or "all"
    submissions: int
    caught: int  # the incorrect function loses points
    spilled: int  # another function loses points
    waiting: int  # another function waits
    nowhere: int  # no function loses points
    named: int  # the screen has the name of a known mistake
    located: int  # the screen has a place
    by_call: int  # the only place on the screen is a call
    explained: int  # named, located or both


def counted(outcomes: Sequence[Outcome], function: str) -> Counts:
    """Count these outcomes.

    `function` is the incorrect function, or "all".
    """
    caught = [outcome for outcome in outcomes if outcome.is_caught]
    return Counts(
        function,
        submissions=len(outcomes),
        caught=len(caught),
        spilled=sum(outcome.spills for outcome in outcomes),
        waiting=sum(outcome.makes_others_wait for outcome in outcomes),
        nowhere=sum(not outcome.lost for outcome in outcomes),
        named=sum(outcome.is_named for outcome in caught),
        located=sum(outcome.is_located for outcome in caught),
        by_call=sum(outcome.places == {Place.CALL} for outcome in caught),
        explained=sum(outcome.is_explained for outcome in caught),
    )


def by_function(outcomes: Sequence[Outcome]) -> list[Counts]:
    """Count the outcomes of each incorrect function, and then all outcomes."""
    of_functions: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        for function in outcome.submission.functions:
            of_functions.setdefault(function, []).append(outcome)
    rows = [counted(some, function) for function, some in of_functions.items()]
    return [*rows, counted(outcomes, "all")]


@dataclass(frozen=True)
class Share:
    """The share that `count` is of the number `of`, with Wilson's interval."""

    count: int
    of: int

    @property
    def percent(self) -> str:
        """The share in whole percent.

        >>> Share(1, 3).percent
        '33%'
        """
        return f"{100 * self.count / self.of:.0f}%"

    @property
    def interval(self) -> str:
        """The ends of Wilson's interval in whole percent.

        >>> Share(207, 225).interval
        '88 to 95%'
        """
        low, high = wilson(self.count, self.of)
        return f"{100 * low:.0f} to {100 * high:.0f}%"


def wilson(count: int, of: int) -> tuple[float, float]:
    """Return the ends of Wilson's score interval, which holds the true share with a
    confidence of 95%.

    >>> [f"{end:.4f}" for end in wilson(8, 10)]
    ['0.4902', '0.9433']
    """
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    middle = count + z * z / 2
    spread = z * (count * (of - count) / of + z * z / 4) ** 0.5
    return (middle - spread) / (of + z * z), (middle + spread) / (of + z * z)
