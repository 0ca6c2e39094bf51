"""Who plays, how a game has ended, and how good a position looks.

    side       Minnie or Maxie: Minnie wants low estimates, and Maxie high ones
    outcome    how a game has ended: Winner(side) or DRAW
    status     whether a game has ended: Over(outcome) or IN_PLAY
    estimate   what a position seems to be worth: Definitely(outcome) or Guess(score)

All of these are immutable.  You can compare them with == and use them as keys of a
dict.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Side(Enum):
    """Minnie or Maxie.  In your code, write Player.MINNIE and Player.MAXIE.

    >>> Side.MINNIE.other, str(Side.MAXIE)
    (Player.MAXIE, 'Maxie')
    """

    MINNIE = "Minnie"
    MAXIE = "Maxie"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.MAXIE if self is Side.MINNIE else Side.MINNIE

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Player.{self.name}"


@dataclass(frozen=True, slots=True)
class Winner:
    """The outcome of a game that `player` has won.

    Raises TypeError for anything but Minnie or Maxie.

    >>> from api import Player
    >>> Winner(Player.MAXIE).player
    Player.MAXIE
    """

    player: Side

    def __post_init__(self) -> None:
        _check("Winner", self.player, Side, "Player.MINNIE or Player.MAXIE")

    def __repr__(self) -> str:
        return f"Winner({self.player!r})"


class _Word(Enum):
    """A value that Python shows by its name."""

    def __repr__(self) -> str:
        return self.name


class Draw(_Word):
    """DRAW is the outcome of a game that has ended in a tie: nobody has won.

    >>> DRAW
    DRAW
    """

    DRAW = "draw"


DRAW = Draw.DRAW
Outcome = Winner | Draw


@dataclass(frozen=True, slots=True)
class Over:
    """The status of a game that has ended with `outcome`.

    Raises TypeError for anything but an outcome.

    >>> Over(DRAW).outcome
    DRAW
    """

    outcome: Outcome

    def __post_init__(self) -> None:
        _check("Over", self.outcome, Outcome, "an outcome, Winner(player) or DRAW")


def over(score: float) -> Over:
    """The status of a game that has ended with this score.

    The score is from Maxie's point of view: Maxie has won if it is above 0, Minnie has
    won if it is below 0, and 0 is a draw.

    >>> over(-3), over(0)
    (Over(outcome=Winner(Player.MINNIE)), Over(outcome=DRAW))
    """
    if score == 0:
        return Over(DRAW)
    if score > 0:
        return Over(Winner(Side.MAXIE))
    return Over(Winner(Side.MINNIE))


class InPlay(_Word):
    """IN_PLAY is the status of a game that has not ended yet.

    >>> IN_PLAY
    IN_PLAY
    """

    IN_PLAY = "in play"


IN_PLAY = InPlay.IN_PLAY
Status = Over | InPlay


class Estimate:
    """The base class of Definitely and Guess, so that `<` and `<=` can compare them.

    The higher an estimate, the better for Maxie.
    """

    __slots__ = ()

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Estimate):
            return NotImplemented
        return _rank(self) < _rank(other)

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Estimate):
            return NotImplemented
        return _rank(self) <= _rank(other)


@dataclass(frozen=True, slots=True)
class Definitely(Estimate):
    """The estimate of a position whose outcome is sure.

    A sure win for Minnie is below every guess, and a sure win for Maxie is above every
    guess.  A sure draw ranks level with Guess(0): neither is less than the other,
    although the two are not equal.

    Raises TypeError for anything but an outcome.

    >>> from api import Player
    >>> Definitely(Winner(Player.MINNIE)) < Guess(-1000) < Definitely(DRAW) < Guess(0.5)
    True
    >>> Definitely(DRAW) <= Guess(0) <= Definitely(DRAW), Definitely(DRAW) == Guess(0)
    (True, False)
    """

    outcome: Outcome

    def __post_init__(self) -> None:
        _check(
            "Definitely", self.outcome, Outcome, "an outcome, Winner(player) or DRAW"
        )


@dataclass(frozen=True, slots=True)
class Guess(Estimate):
    """The estimate of a position whose outcome is not sure.

    `score` is a number of any size: the higher, the better for Maxie.  Raises TypeError
    for anything but an int or a float, and ValueError for nan.

    >>> max([Guess(-2), Guess(3), Guess(1)])
    Guess(score=3)
    """

    score: float

    def __post_init__(self) -> None:
        _check("Guess", self.score, int | float, "a number")
        if self.score != self.score:
            raise ValueError("Guess takes a number, not nan")


def _rank(estimate: Estimate) -> tuple[int, float]:
    """The sort key of an estimate.

    Sure wins for Minnie come first, then all guesses by their scores, then sure wins
    for Maxie.  A sure draw counts as a guess of 0.
    """
    if isinstance(estimate, Guess):
        return 0, estimate.score
    if isinstance(estimate, Definitely) and isinstance(estimate.outcome, Winner):
        return (1, 0) if estimate.outcome.player is Side.MAXIE else (-1, 0)
    return 0, 0


def _check(name: str, given: object, expected: Any, words: str) -> None:
    if not isinstance(given, expected) or isinstance(given, bool):
        raise TypeError(f"{name} takes {words}, not {given!r}")
