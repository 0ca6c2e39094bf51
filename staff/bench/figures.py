"""Side, Figure, Reading: what is compared, and how a comparison is made.

The two sides of a figure take turns, in changing order, so that a machine that slows
down for a while slows both.  Each turn gives one ratio, and the median of the ratios
counts.  The bare times are shown for the eye only, and no limit rests on them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


class WrongResult(Exception):
    """What was measured did not do its work: its time says nothing."""


@dataclass(frozen=True)
class Side:
    """One side of a comparison.

    `seconds` does the work once and returns the CPU seconds for one unit of it, or what
    else the figure has as its unit; it may raise WrongResult.
    """

    name: str
    seconds: Callable[[], float]


@dataclass(frozen=True)
class Figure:
    """A ratio to hold.  A figure without a limit is for information.

    `at_most` limits the kit's seconds over the other side's: how much dearer the kit
    may be.  `at_least` limits the other side's seconds over the kit's: how many times
    faster the kit must be.
    """

    what: str
    kit: Side
    other: Side
    at_most: float | None = None
    at_least: float | None = None
    repeats: int = 5
    warm_up: bool = False
    unit: str = "s"  # of what both sides measure; MiB for memory


@dataclass(frozen=True)
class Reading:
    """What was measured for a figure.

    `problem` says why its result is wrong.  `disturbed` says what other processes did
    if the machine was not quiet.
    """

    figure: Figure
    kit_seconds: float = 0.0
    other_seconds: float = 0.0
    ratio: float = 0.0
    problem: str = ""
    disturbed: str = ""

    @property
    def is_broken(self) -> bool:
        """Whether a result was wrong, or the limit is broken on a quiet machine."""
        at_most, at_least = self.figure.at_most, self.figure.at_least
        is_over = (at_most is not None and self.ratio > at_most) or (
            at_least is not None and self.ratio < at_least
        )
        return bool(self.problem) or (is_over and not self.disturbed)

    @property
    def is_open(self) -> bool:
        """Whether nobody can tell if the limit holds, as the machine was not quiet."""
        return bool(self.disturbed) and not self.problem


def measure(figure: Figure) -> Reading:
    """Let both sides of a figure take turns, and compare."""
    kit, other = figure.kit.seconds, figure.other.seconds
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
    return Reading(
        figure,
        kit_seconds=median(ours for ours, _ in turns),
        other_seconds=median(theirs for _, theirs in turns),
        ratio=1 / ratio if figure.at_least is not None else ratio,
    )


def _take_turn(
    kit: Callable[[], float], other: Callable[[], float], kit_first: bool
) -> tuple[float, float]:
    """The seconds of the kit, and of the other side."""
    first, second = (kit, other) if kit_first else (other, kit)
    seconds = first(), second()
    return seconds if kit_first else seconds[::-1]
