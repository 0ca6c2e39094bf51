"""Side, Figure, Reading: what is compared, and how it is compared.

A figure is a ratio of two sides.  The two sides take turns, and each side is the first
one in every second turn.  So a machine that slows down for a while slows down both
sides.  Each turn gives one ratio, and the median of the ratios counts.  The table also
shows the times themselves, but no limit is set on them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


class WrongResult(Exception):
    """Raised if the work that was measured gave a wrong result, so that its time says
    nothing.
    """


@dataclass(frozen=True)
class Side:
    """One side of a comparison."""

    name: str  # its name in the table
    seconds: Callable[[], float]
    """Does the work once, and returns the CPU seconds of one unit, or an amount in
    another unit.

    It may raise WrongResult.
    """


@dataclass(frozen=True)
class Figure:
    """A ratio that may have a limit.  A figure without a limit is only for
    information.
    """

    what: str  # its name in the table
    kit: Side
    other: Side
    # The kit may need at most this many times the seconds of the other side.
    at_most: float | None = None
    # The kit must be at least this many times faster than the other side.
    at_least: float | None = None
    repeats: int = 5  # how many turns each side takes
    warm_up: bool = False  # whether the result of a first turn is thrown away
    unit: str = "s"  # the unit of what both sides measure: s, MiB or points


@dataclass(frozen=True)
class Reading:
    """What was measured for a figure."""

    figure: Figure
    kit_seconds: float = 0.0  # the median over all turns
    other_seconds: float = 0.0  # the median over all turns
    ratio: float = 0.0  # the ratio that is compared with the limit
    problem: str = ""  # says why the result is wrong; empty if it is right
    disturbed: str = ""  # says what other processes did; empty if the machine was quiet

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
        """Whether it is unknown if the limit holds, because the machine was not
        quiet.
        """
        return bool(self.disturbed) and not self.problem


def measure(figure: Figure) -> Reading:
    """Let both sides of a figure take turns, and return what was measured.

    If a result is wrong, the reading has no numbers, and says what was wrong.
    """
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
    """Let both sides work once; return the seconds of the kit and of the other side."""
    if kit_first:
        kit_seconds = kit()
        return kit_seconds, other()
    other_seconds = other()
    return kit(), other_seconds
