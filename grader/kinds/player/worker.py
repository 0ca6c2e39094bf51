"""In the child: makes a player, asks it, and counts the estimates that its last answer
takes.

Where the inputs say how many events are to be `traced` at most, it sends these of the
last answer too.
"""

from types import ModuleType
from typing import Any

from boards.estimators import ESTIMATORS
from boards.played import Asked, Maker, read_played
from grader.calls.encode import encode
from grader.calls.requests import Requests
from grader.calls.written import function_of


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """What the player answers, and how many estimates it takes for that, the game's and
    its own.

    Each state is made when the player is asked about it, and gone once it has answered,
    as in a game.
    """
    player_class, played = function_of(lab, function), read_played(inputs)
    game, _ = played.game_at(played.asked)
    requests = Requests(inputs.get("traced", 0))
    game.estimate = requests.watch_estimator(game.estimate)  # type: ignore[assignment, method-assign]

    def make(maker: Maker) -> Any:
        estimators = (
            [requests.watch_estimator(ESTIMATORS[maker.estimator])]
            if maker.estimator
            else []
        )
        return player_class(game, maker.made_for, *estimators)

    def ask(player: Any, asked: Asked) -> Any:
        depth, state = (
            [] if asked.call == "next_move" else [asked.depth],
            played.game_at(asked)[1],
        )
        requests.begin(state)
        return getattr(player, asked.call)(*depth, state)

    if played.asked.call == "new":
        try:
            make(played.maker)
        except ValueError:
            return {"refused": True}
        return {"refused": False}
    player = make(played.maker)
    if "traced" in inputs:
        requests.watch_game(game)
        requests.watch_player(player)
    if played.another:
        ask(make(played.another), played.asked)
    for asked in played.before:
        ask(player, asked)
    answer = {
        "value": encode(ask(player, played.asked)),
        "estimates": requests.estimates,
    }
    return answer | ({"trace": requests.asked()} if "traced" in inputs else {})
