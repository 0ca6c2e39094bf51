"""In the child: makes a player, asks it, and counts the estimates that its last answer takes."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from boards.estimators import ESTIMATORS
from boards.played import Asked, Maker, Played, read_played
from grader.calls.encode import encode
from grader.calls.written import function_of


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """What the player answers, and how many estimates it takes for that, the game's and its own.

    Each state is made when the player is asked about it, and gone once it has answered, as in a game.
    """
    player_class, played = function_of(lab, function), read_played(inputs)
    game, _ = played.game_at(played.asked)
    estimates = 0

    def counting(estimator: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def estimate(state: Any) -> Any:
            nonlocal estimates
            estimates += 1
            return estimator(state)

        return estimate

    game.estimate = counting(game.estimate)  # type: ignore[assignment, method-assign]

    def make(maker: Maker) -> Any:
        own = [counting(ESTIMATORS[maker.estimator])] if maker.estimator else []
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
    estimates = 0
    value = _ask(player, played, played.asked)
    return {"value": encode(value), "estimates": estimates}


def _ask(player: Any, played: Played, asked: Asked) -> Any:
    depth = [] if asked.call == "next_move" else [asked.depth]
    return getattr(player, asked.call)(*depth, played.game_at(asked)[1])
