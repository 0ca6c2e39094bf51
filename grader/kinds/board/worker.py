"""In the child: calls a function on a board, and stands in for a rule that is wrong."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from api import ConnectFourBoard
from boards.built import board_of
from boards.excerpts import name_of_excerpt, read_excerpt, rows_of
from grader.child.encode import encode
from grader.child.written import function_of
from grader.protocol.plain import Data

SPOILT = {"$other": "the list of an earlier call, with other things in it now"}


class OldPlace:
    """Puts each new board where the board of the call before was in memory.

    This catches a submission that remembers answers by `id(board)`, such as
    `heuristic-by-identity`: its answer is then the one for the earlier board.  If
    lab.py still holds that board, the board stays as it is.
    """

    def __init__(self) -> None:
        self._board = ConnectFourBoard()
        # The count of a board that nothing holds but this object.
        self._count_if_alone = sys.getrefcount(self._board)

    def move(self, board: ConnectFourBoard) -> ConnectFourBoard:
        """A board equal to this one, in the place of the last board if that is free."""
        if sys.getrefcount(self._board) > self._count_if_alone:
            self._board = board
        for slot in ConnectFourBoard.__slots__:
            setattr(self._board, slot, getattr(board, slot))
        return self._board


class LastAnswer:
    """The answer to the previous call.

    Some submissions, such as `next-fills-one-list`, fill and return the same list in
    every call.  They are caught because each new call changes the previous answer.
    """

    def __init__(self) -> None:
        self._last: tuple[Any, Any] = (None, None)  # the value, and that as plain data

    def is_spoilt_by(self, value: Any, encoded: Any) -> bool:
        """Whether the last answer is the same object as a new one, with other contents.

        The new answer becomes the last one.
        """
        last_value, last_encoded = self._last
        self._last = value, encoded
        return value is last_value and encoded != last_encoded


OLD_PLACE = OldPlace()
LAST_ANSWER = LastAnswer()


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """The answer of the function to the board, and to the flag if the call has one.

    `held` in the inputs says that this call must not change the previous answer.
    """
    flags = [inputs["maximizer"]] if "maximizer" in inputs else []
    value = function_of(lab, function)(OLD_PLACE.move(board_of(inputs)), *flags)
    encoded = encode(value)
    is_spoilt = LAST_ANSWER.is_spoilt_by(value, encoded)
    return {"value": SPOILT if "held" in inputs and is_spoilt else encoded}


def stand_in(facts: Data) -> Callable[..., Any]:
    """A rule of Connect Four that is known for the boards of an excerpt.

    The rule raises an exception for a board on which the excerpt has no answer.
    """
    excerpt = read_excerpt(board_of(facts["inputs"]), facts["excerpt"])
    # By their drawings, because lab.py may have lost the names of the players.
    known = {
        name_of_excerpt(rows_of(board)): excerpt.state(board)
        for board in [*excerpt.columns, *excerpt.scores]
    }

    def rule(board: ConnectFourBoard, *args: Any, **kwargs: Any) -> Any:
        state = known[name_of_excerpt(rows_of(board))]
        match facts["returns"]:
            case "over":
                return state.is_game_over()
            case "moves":
                return [after.snapshot for after in state.generate_next_states()]
        return state.get_endgame_score(*args, **kwargs)

    return rule
