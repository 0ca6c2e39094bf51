"""In the child: calls a function on a board.  Also makes a stand-in, which gives right
answers in place of a function that is wrong.
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

SPOILT = {"$other": "the list of an earlier call, with its contents changed"}


class OldPlace:
    """Puts each new board into the place in memory where the previous board was.

    So the new board has the id of the previous board.  A submission that remembers
    answers by `id(board)` then gives the answer for the previous board, and is caught.
    One such submission is `heuristic-by-identity`.  If lab.py still holds the previous
    board, that board stays as it is, and the new board has a place of its own.
    """

    def __init__(self) -> None:
        self._board = ConnectFourBoard()
        # What sys.getrefcount returns for a board that nobody but this object holds.
        self._count_if_alone = sys.getrefcount(self._board)

    def move(self, board: ConnectFourBoard) -> ConnectFourBoard:
        """Return a board that equals `board`.

        If lab.py no longer holds the previous board, the returned board is at the place
        of the previous one in memory.
        """
        if sys.getrefcount(self._board) > self._count_if_alone:
            self._board = board
        for slot in ConnectFourBoard.__slots__:
            setattr(self._board, slot, getattr(board, slot))
        return self._board


OLD_PLACE = OldPlace()
# The value that the function returned in the previous call, and the plain data that was
# made of this value then.  Some submissions, such as `next-fills-one-list`, return the
# same list in every call, with new boards in it.  They are caught because the list is
# no longer equal to the plain data.
LAST: Data = {"value": None, "encoded": None}


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """Call the function on the board, and return its answer.

    If the inputs have `maximizer`, the function gets this flag too.  Return SPOILT
    instead if the inputs have `held`, and the function returns the same list as in the
    previous call, with other things in it.
    """
    flags = [inputs["maximizer"]] if "maximizer" in inputs else []
    value = function_of(lab, function)(OLD_PLACE.move(board_of(inputs)), *flags)
    encoded = encode(value)
    is_spoilt = value is LAST["value"] and encoded != LAST["encoded"]
    LAST.update(value=value, encoded=encoded)
    return {"value": SPOILT if "held" in inputs and is_spoilt else encoded}


def stand_in(facts: Data) -> Callable[..., Any]:
    """Return a function that gives the right answers of a rule of Connect Four.

    It knows only the boards of the excerpt in `facts`.  For any other board, it raises
    an exception.
    """
    excerpt = read_excerpt(board_of(facts["inputs"]), facts["excerpt"])
    # The keys are drawings instead of boards, because a board of lab.py may have lost
    # the names of the players, and then equals none of these boards.
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
