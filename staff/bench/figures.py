"""Side, Figure, Reading: what is compared, and how a comparison is made.

The two sides of a figure take turns, in changing order.  So a machine that slows down
for a while slows both.  Each turn gives one ratio, and the median of the ratios counts.
The table shows the bare times too, but no limit is set on them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


class WrongResult(Exception):
    """Why the work that was measured is wrong; its time then says nothing."""


@dataclass(frozen=True)
class Side:
    """One side of a comparison."""

    name: str  # in the table
    seconds: Callable[[], float]
    """Does the work once; the CPU seconds of one unit, or an amount in another unit.

    It may raise WrongResult.
    """


@dataclass(frozen=True)
class Figure:
    """A ratio to hold.  A figure without a limit is for information."""

    what: str  # in the table
    kit: Side
    other: Side
    at_most: float | None = None  # the kit's seconds may be so many times the other's
    at_least: float | None = None  # the kit must be so many times faster
    repeats: int = 5  # turns that both sides take
    warm_up: bool = False  # whether the first turn is thrown away
    unit: str = "s"  # of the amounts that both sides measure; MiB for memory


@dataclass(frozen=True)
class Reading:
    """What was measured for a figure."""

    figure: Figure
    kit_seconds: float = 0.0  # the median
    other_seconds: float = 0.0  # the median
    ratio: float = 0.0  # compared with the limit
    problem: str = ""  # why the result is wrong
    disturbed: str = ""  # what other processes did, if the machine was not quiet

    @property
    def is_broken(self) -> bool:
        """Whether a result was wrong, or the limit is broken on a quiet machine."""
        at_most = self.figure.at_most
        at_least = self.figure.at_least
        is_dearer = at_most is not None and self.ratio > at_most
        is_slower = at_least is not None and self.ratio < at_least
        is_over = is_dearer or is_slower
        return bool(self.problem) or (is_over and not self.disturbed)

    @property
    def is_open(self) -> bool:
        """Whether nobody can tell if the limit holds, as the machine was not quiet."""
        return bool(self.disturbed) and not self.problem


def measure(figure: Figure) -> Reading:
    """Let both sides of a figure take turns; return the Reading of their times."""
    kit = figure.kit.seconds
    other = figure.other.seconds
    try:
        if figure.warm_up:
            _take_turn(kit, other, kit_first=True)
        turns = [
            _take_turn(kit, other, kit_first=turn % 2 == 0)
            for turn in range(figure.repeats)
        ]
    except WrongResult as error:
        return Reading(figure, problem=str(error))
    ratio = median(ours / theirs for ours, theirs in turns)
    if figure.at_least is not None:
        ratio = 1 / ratio
    return Reading(
        figure,
        kit_seconds=median(ours for ours, _ in turns),
        other_seconds=median(theirs for _, theirs in turns),
        ratio=ratio,
    )


def _take_turn(
    kit: Callable[[], float], other: Callable[[], float], kit_first: bool
) -> tuple[float, float]:
    """The seconds of the kit, and of the other side."""
    if kit_first:
        kit_seconds = kit()
        return kit_seconds, other()
    other_seconds = other()
    return kit(), other_seconds
