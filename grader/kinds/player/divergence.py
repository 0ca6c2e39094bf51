"""Where a player leaves its reference: the innermost call of its methods that asks or answers something else.

What each call should answer is data that `make expectations` stores (boards/reference_traces/): no rule is known here.
"""

from dataclasses import replace
from typing import Any

from api import Over
from boards.cases import Case
from boards.played import Played, read_played
from grader.kinds.kind import Divergence
from grader.kinds.player.drawing import draw_state
from grader.kinds.player.judge import UNKNOWN, Place, PlayerAnswer, Request, Said
from grader.kinds.search.nodes import stored_trace
from grader.protocol.plain import alike
from grader.protocol.words import show

Facts = tuple[str, str]  # what the player does, and what the reference does


def divergence(case: Case, at: int, answer: PlayerAnswer) -> Divergence | None:
    """Where the call of a case leaves the reference; None if that is not certain."""
    if not isinstance(answer, Said) or answer.trace is None:
        return None
    found = Comparison(read_played(case.calls[at].inputs), stored_trace(case, at)["values"]).first(answer.trace)
    if found is None or not found.node or isinstance(case.calls[at].inputs["game"], str):
        return found
    return replace(found, picture=tuple(draw_state(case.graded, case.calls[at], answer, found.node)))


class Comparison:
    """The calls of a player beside the reference.

    `answers` has, for each place, the index of the move to choose (None if none is to be) and the estimate.
    """

    def __init__(self, played: Played, values: list[Any]) -> None:
        self.asked = played.asked.call
        self.ahead = played.maker.made_for if played.asked.call == "next_move" else played.asked.depth
        self.answers = {tuple(place): (move, {"$estimate": estimate}) for place, move, estimate in values}
        self.game, self.start = played.game_at(played.asked)

    def first(self, call: Request) -> Divergence | None:
        """The innermost wrong call, in this one or below it."""
        place = call.place
        if place is None or not self._is_sound(call) or self._is_right(call):
            return None
        for inner in call.requests:
            if found := self.first(inner):
                return found
        wrong = [inner for inner in call.requests if self._is_sound(inner) and not self._is_right(inner)]
        strangers = [inner for inner in call.requests if inner.place != place and (inner.place or ())[:-1] != place]
        if wrong or strangers or call.value == UNKNOWN:
            return None  # a stranger may be of a state which is equal to one of these
        yours, expected = self._asks(call) or self._returns(call, place)
        state = self._state(place)
        mover = "" if self._is_over(place) else f", {self.game.player_to_string(self.game.player(state))} to move"
        name = self._name(place)
        where = f"{name[:1].upper()}{name[1:]}{mover}, in {_call(call)}"
        return Divergence(where, yours, expected, node=place)

    def _is_sound(self, call: Request) -> bool:
        """Whether the call asks about a state within the depth, with the depth that is left there."""
        if call.place not in self.answers:
            return False
        if call.method == "next_move":
            return call.place == () and self.asked == "next_move"
        is_searched = call.method == "evaluate" or self.answers[call.place][0] is not None
        return is_searched and call.depth == self.ahead - len(call.place)

    def _is_right(self, call: Request) -> bool:
        return alike(call.value) == alike(self._expected(call))

    def _expected(self, call: Request) -> Any:
        """What the reference answers to a sound call."""
        place = call.place or ()
        index, estimate = self.answers[place]
        if call.method == "evaluate":
            return estimate
        move = list(self.game.moves(self._state(place)))[index]
        return move if call.method == "next_move" else [move, estimate]

    def _asks(self, call: Request) -> Facts | None:
        """A call that is made with another depth, or where the reference makes none."""
        unsound = [inner for inner in call.requests if not self._is_sound(inner)]
        looks_less_far_first = call.method == "next_move" and len(unsound) < len(call.requests)
        if not unsound or looks_less_far_first or unsound[0].depth is None:
            return None
        place = unsound[0].place or ()
        about = "" if place == call.place else f" about the state {self._name(place)}"
        is_last = self._is_over(call.place or ()) or call.depth == 0
        expected = "asks nothing more" if is_last else f"asks with depth {self.ahead - len(place)} there"
        return f"asks {_call(unsound[0])}{about}", expected

    def _returns(self, call: Request, place: Place) -> Facts:
        """Another answer, with what it rests on."""
        moves = [self.game.move_to_string(move) for move in self.game.moves(self._state(place))]
        heard = {inner.place[-1]: inner.value for inner in call.requests if inner.place and inner.place[:-1] == place}
        known = {below[-1]: answer[1] for below, answer in self.answers.items() if below and below[:-1] == place}
        of_yours, of_expected = (
            f" of {', '.join(f'{moves[at]}: {_shown(value)}' for at, value in found.items())}" if found else ""
            for found in (heard, known)
        )
        taken = [f", after the estimate {show(each.value)}" for each in call.estimates if each.place == place][-1:]
        yours = f"returns {_shown(call.value)}{of_yours}{''.join(taken)}"
        return yours, f"returns {_shown(self._expected(call))}{of_expected if of_expected != of_yours else ''}"

    def _is_over(self, place: Place) -> bool:
        return isinstance(self.game.status(self._state(place)), Over)

    def _state(self, place: Place) -> Any:
        state = self.start
        for index in place:
            state = self.game.make_move(state, self.game.moves(state)[index])
        return state

    def _name(self, place: Place) -> str:
        """A place by the moves that lead there."""
        steps = [(self._state(place[:ply]), index) for ply, index in enumerate(place)]
        named = [self.game.move_to_string(list(self.game.moves(state))[index]) for state, index in steps]
        return f"after {', '.join(named)}" if named else "in the given state"


def _call(call: Request) -> str:
    return f"{call.method}({'' if call.depth is None else f'{call.depth}, '}state)"


def _shown(value: Any) -> str:
    return f"({show(value[0])}, {show(value[1])})" if isinstance(value, list) and len(value) == 2 else show(value)
