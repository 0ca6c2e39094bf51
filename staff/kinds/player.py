"""Checks and fills in the cases of players.  Never ships.

boards/played.py says what a call may hold.
"""

from collections.abc import Mapping
from typing import Any

from api import TwoPlayerGame
from boards.played import read_played
from grader.bank.cases import Case
from grader.bank.points import Function
from grader.kinds.kind import Place
from grader.kinds.player.answer import UNKNOWN, MethodCall
from staff.model import Model
from staff.strict.kind import Ask, Writing
from staff.strict.named import Names
from staff.strict.reading import Block

# The values of a search.  The key is a place in the tree of the game: the index of each
# move on the way to it.  The list has the place, the move that the model chose there,
# and the estimate.  The move is None if the model only evaluated the state there.
Values = dict[Place, list[Any]]


class PlayerCases(Writing):
    """How staff write cases of players.

    A call has a `game`.  It may also say which state of the game the player gets, and
    what the player is asked about that state.
    """

    def check(self, function: Function, call: Block, names: Names) -> None:
        if isinstance(call["game"], Block):
            names.check_tree(call["game"])

    def can_be_disguised(self, function: Function) -> bool:
        return True

    def trace(
        self, case: Case, inputs: dict[str, Any], model: Model
    ) -> dict[str, Any] | None:
        """Return the move and the estimate of the model at each place of its search.

        Return None if the case only makes a player, or if the trace of the model's
        calls is missing or not complete.
        """
        answer = model.ask(case.function, inputs)
        if answer.trace is None or answer.trace.value == UNKNOWN:
            return None
        played = read_played(inputs)
        game, state = played.game_at(played.asked)
        values: Values = {}
        _collect(values, game, answer.trace, state)
        return {"values": [values[place] for place in sorted(values)]}

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        answer = ask(function.name, inputs)
        asked = inputs.get("call", "search")
        if asked == "new":
            return {"refused": answer.value}
        if asked == "next_move":
            expect = {"move": answer.value}
        elif asked == "evaluate":
            expect = {"estimate": answer.value["$estimate"]}
        else:
            move, estimate = answer.value
            expect = {"move": move, "estimate": estimate["$estimate"]}
        return {**expect, "estimates": answer.estimates}


def _collect(values: Values, game: TwoPlayerGame, call: MethodCall, state: Any) -> None:
    """Enter into `values` what the calls of the model have returned.

    These are `call`, and all calls that it made, directly or indirectly.
    """
    moves = list(game.moves(state))
    assert call.place is not None
    for inner in call.requests:
        assert inner.place is not None
        inner_state = state
        if inner.place != call.place:
            inner_state = game.make_move(state, moves[inner.place[-1]])
        _collect(values, game, inner, inner_state)
    place = list(call.place)
    if call.method == "evaluate":
        values.setdefault(call.place, [place, None, call.value["$estimate"]])
    if call.method == "search":
        move, estimate = call.value
        values[call.place] = [place, move, estimate["$estimate"]]


WRITING = PlayerCases()
