"""Counts the estimates that a player asks for, at the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from api.outcomes import Estimate


@dataclass
class Tally:
    """How many estimates were asked for."""

    estimates: int = 0


def counted(estimator: Callable[[Any], Estimate], tally: Tally) -> Callable[[Any], Estimate]:
    """The same estimator, which adds to the tally.

    >>> from api import Guess
    >>> tally = Tally()
    >>> counted(Guess, tally)(3), tally.estimates
    (Guess(score=3), 1)
    """

    def estimate(state: Any) -> Estimate:
        tally.estimates += 1
        return estimator(state)

    return estimate
