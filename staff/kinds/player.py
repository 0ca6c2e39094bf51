"""How cases of a player are written (boards/played.py says what a call may hold).
Never ships.
"""

from collections.abc import Mapping
from typing import Any

from boards.played import read_played
from grader.bank.cases import Case
from grader.bank.points import Function
from grader.kinds.player.judge import UNKNOWN, Made, Request, Said
from staff.model import Model
from staff.strict.kind import Ask, Writing
from staff.strict.named import Names
from staff.strict.reading import Block


class PlayerCases(Writing):
    """A `game`, a state of it, what is asked, and what the same player or another one
    is asked before.
    """

    def check(self, function: Function, call: Block, names: Names) -> None:
        if isinstance(call["game"], Block):
            names.check_tree(call["game"])

    def can_be_disguised(self, function: Function) -> bool:
        return True

    def trace(
        self, case: Case, inputs: dict[str, Any], model: Model
    ) -> dict[str, Any] | None:
        """At each place the index of the move to choose, and the estimate; None if the
        player is asked nothing.
        """
        played, answer = read_played(inputs), model.ask(case.function, inputs)
        if (
            not isinstance(answer, Said)
            or answer.trace is None
            or answer.trace.value == UNKNOWN
        ):
            return None
        (game, root), values = (
            played.game_at(played.asked),
            dict[tuple[int, ...], list[Any]](),
        )

        def read(request: Request, state: Any) -> None:
            moves = list(game.moves(state))
            for inner in request.requests:
                assert inner.place is not None
                same = inner.place == request.place
                read(
                    inner,
                    state if same else game.make_move(state, moves[inner.place[-1]]),
                )
            assert request.place is not None
            value, place = request.value, list(request.place)
            if request.method == "evaluate":
                values.setdefault(request.place, [place, None, value["$estimate"]])
            if request.method == "search":
                values[request.place] = [
                    place,
                    moves.index(value[0]),
                    value[1]["$estimate"],
                ]

        read(answer.trace, root)
        return {"values": [values[place] for place in sorted(values)]}

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        answer = ask(function.name, inputs)
        if isinstance(answer, Made):
            return {"refused": answer.refused}
        value, estimates = answer.value, {"estimates": answer.estimates}
        asked = inputs.get("call", "search")
        if asked == "next_move":
            return {"move": value, **estimates}
        if asked == "evaluate":
            return {"estimate": value["$estimate"], **estimates}
        return {"move": value[0], "estimate": value[1]["$estimate"], **estimates}


WRITING = PlayerCases()
