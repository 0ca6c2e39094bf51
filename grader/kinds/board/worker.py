"""In the child: calls a function on a board, and makes the stand-in for a wrong
rule.
"""

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
    """Puts each new board where the previous board was in memory.

    This catches a submission that remembers answers by `id(board)`, such as
    `heuristic-by-identity`.  Such a submission gives the answer for the previous board.
    If lab.py still holds the previous board, that board stays as it is.
    """

    def __init__(self) -> None:
        self._board = ConnectFourBoard()
        # The reference count of a board that only this object holds.
        self._count_if_alone = sys.getrefcount(self._board)

    def move(self, board: ConnectFourBoard) -> ConnectFourBoard:
        """Return a board equal to this one.

        If lab.py no longer holds the previous board, the equal board takes the place in
        memory of that board.
        """
        if sys.getrefcount(self._board) > self._count_if_alone:
            self._board = board
        for slot in ConnectFourBoard.__slots__:
            setattr(self._board, slot, getattr(board, slot))
        return self._board


OLD_PLACE = OldPlace()
# The answer to the previous call, and the same answer as plain data.  Some submissions,
# such as `next-fills-one-list`, fill and return the same list in every call.  They are
# caught because each new call changes the previous answer.
LAST: Data = {"value": None, "encoded": None}


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """Call the function on the board, and return the answer.

    The function also gets the flag, if the call has one.  If the inputs have `held`,
    the answer must not be the list of the previous call with other things in it.
    """
    flags = [inputs["maximizer"]] if "maximizer" in inputs else []
    value = function_of(lab, function)(OLD_PLACE.move(board_of(inputs)), *flags)
    encoded = encode(value)
    is_spoilt = value is LAST["value"] and encoded != LAST["encoded"]
    LAST.update(value=value, encoded=encoded)
    return {"value": SPOILT if "held" in inputs and is_spoilt else encoded}


def stand_in(facts: Data) -> Callable[..., Any]:
    """Return a rule of Connect Four that knows the answers for the boards of an
    excerpt.

    The rule raises an exception for a board on which the excerpt has no answer.
    """
    excerpt = read_excerpt(board_of(facts["inputs"]), facts["excerpt"])
    # The keys are the drawings of the boards, because lab.py may have lost the names of
    # the players.
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
