"""Finds where a player leaves the reference: the innermost call with a wrong answer.

`make expectations` stores the right answers of the calls in boards/reference_traces/.
So this module compares answers, and does not search itself.
"""

from typing import Any

from api import Over
from boards.played import read_played
from grader.bank.cases import Call
from grader.kinds.kind import Divergence, Place, stored_trace
from grader.kinds.player.answer import UNKNOWN, MethodCall, PlayerAnswer
from grader.protocol.plain import alike
from grader.protocol.text import plural, show


def find_divergence(call: Call, answer: PlayerAnswer) -> Divergence | None:
    """Return where the calls in `answer.trace` leave the reference.

    Return None if there is no trace, or if that place is not certain.
    """
    if answer.trace is None:
        return None
    return CallComparison(call).first(answer.trace)


class CallComparison:
    """Compares what the methods of a player returned with what the reference
    returns.
    """

    def __init__(self, call: Call) -> None:
        played = read_played(call.inputs)
        self.asked = played.asked.call  # the method that the case calls
        # How many plies the player should look ahead from the given state.
        self.ahead = played.asked.depth
        if self.asked == "next_move":
            self.ahead = played.maker.made_for
        # The answers of the reference: a move and an estimate for each state.  The key
        # is the place of the state in the tree of the game.  The move is None if the
        # reference does not search from this state.
        self.answers: dict[Place | None, tuple[Any, Any]] = {
            tuple(place): (move, {"$estimate": estimate})
            for place, move, estimate in stored_trace(call)["values"]
        }
        self.game, self.start = played.game_at(played.asked)

    def first(self, call: MethodCall) -> Divergence | None:
        """Return the divergence at the innermost call that has a wrong answer: `call`
        itself, or a call inside it.

        Return None if the answer of `call` is not known to be wrong, or if it is not
        certain which call is at fault.
        """
        if not self._is_sound(call) or self._is_right(call):
            return None
        for inner in call.requests:
            if innermost := self.first(inner):
                return innermost
        place = call.place or ()
        if call.value == UNKNOWN or not self._rests_on_right_answers(call, place):
            return None
        expected = f"returns {_shown(self._expected(call))}"
        return Divergence(
            self._where(call, place), self._returns(call), expected, place
        )

    def _is_sound(self, call: MethodCall) -> bool:
        """Whether the reference says what this call should return.

        It does so only if the call asks about a state that the reference knows, and
        with the right depth.
        """
        if call.place not in self.answers:
            return False
        if call.method == "next_move":
            return call.place == () and self.asked == "next_move"
        move, _ = self.answers[call.place]
        if call.method == "search" and move is None:
            return False  # the reference does not search here
        return call.depth == self.ahead - len(call.place or ())

    def _is_right(self, call: MethodCall) -> bool:
        return alike(call.value) == alike(self._expected(call))

    def _rests_on_right_answers(self, call: MethodCall, place: Place) -> bool:
        """Whether `call` itself must be at fault if its answer is wrong.

        Two things must hold.  First, no call that `call` made has returned an answer
        that is known to be wrong.  Second, all these calls ask about the state of
        `call`, which is at `place`, or about a state one move later.
        """
        for inner in call.requests:
            if self._is_sound(inner) and not self._is_right(inner):
                return False
            if inner.place != place and (inner.place or ())[:-1] != place:
                return False
        return True

    def _expected(self, call: MethodCall) -> Any:
        """Return what the reference returns if it is called like `call`.  `_is_sound`
        must be true of `call`.
        """
        move, estimate = self.answers[call.place]
        if call.method == "evaluate":
            return estimate
        return move if call.method == "next_move" else [move, estimate]

    # --- states and moves -----------------------------------------------------------

    def _way_to(self, place: Place) -> tuple[list[str], Any]:
        """Return the moves from the given state to the state at `place`, in words, and
        the state at `place`.
        """
        moves = []
        state = self.start
        for index in place:
            move = self.game.moves(state)[index]
            moves.append(self.game.move_to_string(move))
            state = self.game.make_move(state, move)
        return moves, state

    # --- in words -------------------------------------------------------------------

    def _where(self, call: MethodCall, place: Place) -> str:
        """Say where a call happens: the call, the moves that lead to its state, and who
        is to move.
        """
        moves, state = self._way_to(place)
        where = "for the given state"
        if moves:
            where = f"after {plural(len(moves), 'move')} ({', '.join(moves)})"
        if not isinstance(self.game.status(state), Over):
            mover = self.game.player_to_string(self.game.player(state))
            where = f"{where}, {mover} to move"
        return f"In {_in_python(call)} {where}"

    def _returns(self, call: MethodCall) -> str:
        """Say what a call returned, and what the calls that it made returned to it."""
        heard = [
            f"{_shown(inner.value)} for {self._about(inner, call)}"
            for inner in call.requests
        ]
        returns = f"returns {_shown(call.value)}"
        if heard:
            returns += f"; the calls it made returned: {', '.join(heard)}"
        return returns

    def _about(self, inner: MethodCall, call: MethodCall) -> str:
        """Say what `inner`, a call that `call` made, asks about.

        If `inner` asks about a state one move later, the text is the move to that
        state.  The depth follows if the reference makes no such call.  If `inner` asks
        about any other state, the text is `inner` as Python.
        """
        if inner.place == call.place or not inner.place:
            return _in_python(inner)
        *_, move = self._way_to(inner.place)[0]
        if self._is_sound(inner):
            return f"move {move}"
        return f"move {move} with depth {inner.depth}"


def _in_python(call: MethodCall) -> str:
    depth = "" if call.depth is None else f"{call.depth}, "
    return f"{call.method}({depth}state)"


def _shown(value: Any) -> str:
    if isinstance(value, list) and len(value) == 2:
        return f"({show(value[0])}, {show(value[1])})"
    return show(value)
