"""Where a player leaves its reference: the innermost call of its methods that returns
something else.

What each call should return is data that `make expectations` stores
(boards/reference_traces/): no rule is known here.
"""

from typing import Any

from api import Over
from boards.played import Played, read_played
from grader.bank.cases import Call
from grader.kinds.kind import Divergence, stored_trace
from grader.kinds.player.judge import UNKNOWN, Place, PlayerAnswer, Request, Said
from grader.protocol.plain import alike
from grader.protocol.words import show


def divergence(call: Call, answer: PlayerAnswer) -> Divergence | None:
    """Where a call leaves the reference; None if that is not certain."""
    if not isinstance(answer, Said) or answer.trace is None:
        return None
    return Comparison(read_played(call.inputs), stored_trace(call)["values"]).first(
        answer.trace
    )


class Comparison:
    """The calls of a player beside the reference.

    `answers` has, for each place, the index of the move to choose (None if there is
    none) and the estimate.
    """

    def __init__(self, played: Played, values: list[Any]) -> None:
        self.asked = played.asked.call
        self.ahead = (
            played.maker.made_for
            if played.asked.call == "next_move"
            else played.asked.depth
        )
        self.answers = {
            tuple(place): (move, {"$estimate": estimate})
            for place, move, estimate in values
        }
        self.game, self.start = played.game_at(played.asked)

    def first(self, call: Request) -> Divergence | None:
        """The innermost wrong call, in this one or below it."""
        place = call.place
        if place is None or not self._is_sound(call) or self._is_right(call):
            return None
        for inner in call.requests:
            if innermost := self.first(inner):
                return innermost
        is_explained = all(
            self._is_right(inner) for inner in call.requests if self._is_sound(inner)
        )
        strangers = [
            inner
            for inner in call.requests
            if inner.place != place and (inner.place or ())[:-1] != place
        ]
        if not is_explained or strangers or call.value == UNKNOWN:
            return None  # a stranger may be of a state which is equal to one of these
        state, name = self._state(place), self._name(place)
        is_over = isinstance(self.game.status(state), Over)
        mover = (
            ""
            if is_over
            else f", {self.game.player_to_string(self.game.player(state))} to move"
        )
        where = f"{name[:1].upper()}{name[1:]}{mover}, in {_call(call)}"
        return Divergence(
            where,
            self._returns(call, place),
            f"returns {_shown(self._expected(call))}",
            place,
        )

    def _is_sound(self, call: Request) -> bool:
        """Whether the call asks about a state within the depth, with the depth that is
        left there.
        """
        if call.place not in self.answers:
            return False
        if call.method == "next_move":
            return call.place == () and self.asked == "next_move"
        is_searched = (
            call.method == "evaluate" or self.answers[call.place][0] is not None
        )
        return is_searched and call.depth == self.ahead - len(call.place)

    def _is_right(self, call: Request) -> bool:
        return alike(call.value) == alike(self._expected(call))

    def _expected(self, call: Request) -> Any:
        """What the reference returns from a sound call."""
        place = call.place or ()
        index, estimate = self.answers[place]
        if call.method == "evaluate":
            return estimate
        move = list(self.game.moves(self._state(place)))[index]
        return move if call.method == "next_move" else [move, estimate]

    def _returns(self, call: Request, place: Place) -> str:
        """What a call returns, and what it rests on: the answers to its own calls."""
        heard = ", ".join(
            f"{self._about(inner, place)}: {_shown(inner.value)}"
            for inner in call.requests
        )
        return f"returns {_shown(call.value)}{heard and f'; its calls gave {heard}'}"

    def _about(self, inner: Request, place: Place) -> str:
        """What an inner call is about: a move with its depth if that is wrong, or the
        state of the call itself.
        """
        if inner.place == place or not inner.place:
            return _call(inner)
        move = self.game.move_to_string(
            list(self.game.moves(self._state(place)))[inner.place[-1]]
        )
        return move if self._is_sound(inner) else f"{move} with depth {inner.depth}"

    def _state(self, place: Place) -> Any:
        state = self.start
        for index in place:
            state = self.game.make_move(state, self.game.moves(state)[index])
        return state

    def _name(self, place: Place) -> str:
        """A place by the moves that lead there."""
        steps = [(self._state(place[:ply]), index) for ply, index in enumerate(place)]
        named = [
            self.game.move_to_string(list(self.game.moves(state))[index])
            for state, index in steps
        ]
        return f"after {', '.join(named)}" if named else "in the given state"


def _call(call: Request) -> str:
    return f"{call.method}({'' if call.depth is None else f'{call.depth}, '}state)"


def _shown(value: Any) -> str:
    return (
        f"({show(value[0])}, {show(value[1])})"
        if isinstance(value, list) and len(value) == 2
        else show(value)
    )
