"""In the child: makes a player, asks it for a move or an estimate, and counts how often
it calls estimators.
"""

from types import ModuleType
from typing import Any

from boards.estimators import ESTIMATORS
from boards.played import Asked, Maker, read_played
from grader.child.encode import encode
from grader.child.requests import Requests
from grader.child.written import function_of
from grader.protocol.plain import Data


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """Ask a player something.  Return the answer, and how often the player called
    estimators for this answer.

    If the inputs have `traced`, also return the calls of the player's methods that led
    to the answer.  These calls are left out if there are more than `traced` of them.

    If the case only makes a player, return whether that raised ValueError.
    """
    player_class = function_of(lab, function)
    played = read_played(inputs)
    game, _ = played.game_at(played.asked)
    requests = Requests(inputs.get("traced", 0))
    estimate = requests.watch_estimator(game.estimate)
    game.estimate = estimate  # type: ignore[assignment, method-assign]

    def make(maker: Maker) -> Any:
        if not maker.estimator:
            return player_class(game, maker.made_for)
        estimator = requests.watch_estimator(ESTIMATORS[maker.estimator])
        return player_class(game, maker.made_for, estimator)

    def ask(player: Any, asked: Asked) -> Any:
        # Each question gets a state of its own, as in a game.
        _, state = played.game_at(asked)
        requests.begin(state)
        if asked.call == "next_move":
            return player.next_move(state)
        return getattr(player, asked.call)(asked.depth, state)

    if played.asked.call == "new":
        try:
            make(played.maker)
        except ValueError:
            return {"value": True}
        return {"value": False}
    player = make(played.maker)
    if "traced" in inputs:
        requests.watch_game(game)
        requests.watch_player(player)
    if played.another:
        ask(make(played.another), played.asked)
    for asked in played.before:
        ask(player, asked)
    value = encode(ask(player, played.asked))
    return {
        "value": value,
        "estimates": requests.estimates,
        "trace": requests.asked(),
    }
