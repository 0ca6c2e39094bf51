"""In the child: makes a player, asks it, and counts the estimates that its last answer takes."""

from types import ModuleType
from typing import Any

from boards.estimators import ESTIMATORS
from boards.played import Asked, Maker, Played, read_played
from grader.calls.counting import Tally, counted
from grader.calls.encode import encode
from grader.calls.written import function_of


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """What the player answers, and how many estimates it takes for that, the game's and its own.

    Each state is made when the player is asked about it, and gone once it has answered, as in a game.
    """
    player_class, played = function_of(lab, function), read_played(inputs)
    game, _ = played.game_at(played.asked)
    tally = Tally()
    game.estimate = counted(game.estimate, tally)  # type: ignore[assignment, method-assign]

    def make(maker: Maker) -> Any:
        own = [counted(ESTIMATORS[maker.estimator], tally)] if maker.estimator else []
        return player_class(game, maker.made_for, *own)

    if played.asked.call == "new":
        try:
            make(played.maker)
        except ValueError:
            return {"refused": True}
        return {"refused": False}
    player = make(played.maker)
    if played.another:
        _ask(make(played.another), played, played.asked)
    for asked in played.before:
        _ask(player, played, asked)
    tally.estimates = 0
    value = _ask(player, played, played.asked)
    return {"value": encode(value), "estimates": tally.estimates}


def _ask(player: Any, played: Played, asked: Asked) -> Any:
    depth = [] if asked.call == "next_move" else [asked.depth]
    return getattr(player, asked.call)(*depth, played.game_at(asked)[1])
