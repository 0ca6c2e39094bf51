"""In the child: calls a function on a board, and answers in the place of a rule that is
wrong.
"""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from api import ConnectFourBoard
from boards.built import board_of
from boards.excerpts import name_of_excerpt, rows_of
from grader.calls.encode import encode
from grader.calls.written import Unknown, function_of

_boards: list[ConnectFourBoard] = []  # that this process has made
_last: list[Any] = [None, None]  # what came back last, and that as plain data
_ALONE = [object()]
_NOBODY_ELSE = sys.getrefcount(
    _ALONE[0]
)  # how often an object is held that is in one list


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """What the function makes of the board, and of the flag where there is one."""
    flags = [inputs["maximizer"]] if "maximizer" in inputs else []
    value = function_of(lab, function)(_in_an_old_place(board_of(inputs)), *flags)
    earlier, _last[:] = _last[:], [value, encode(value)]
    spoilt = {"$other": "the list of an earlier call, with other things in it now"}
    return {
        "value": spoilt
        if "held" in inputs and value is earlier[0] and _last[1] != earlier[1]
        else _last[1]
    }


def _in_an_old_place(board: ConnectFourBoard) -> ConnectFourBoard:
    """An equal board: an earlier one filled anew, where nobody has kept that, so that
    it stands where that stood in memory: who knows boards by id() takes it for that
    one.
    """
    for place in range(len(_boards)):
        if sys.getrefcount(_boards[place]) == _NOBODY_ELSE:
            for slot in ConnectFourBoard.__slots__:
                setattr(_boards[place], slot, getattr(board, slot))
            return _boards[place]
    _boards.append(board)
    return board


def stand_in(facts: dict[str, Any]) -> Callable[..., Any]:
    """A rule of Connect Four, known for some boards; it raises Unknown for others."""
    known, answer = dict(facts["known"]), _ANSWERS[facts["returns"]]

    def rule(board: ConnectFourBoard, *flags: Any, **named_flags: Any) -> Any:
        rows = name_of_excerpt(rows_of(board))
        if rows not in known:
            raise Unknown
        return answer(board, known[rows], *flags, **named_flags)

    return rule


_ANSWERS: dict[str, Callable[..., Any]] = {
    "over": lambda board, is_over: is_over,
    "moves": lambda board, columns: [*map(board.add_piece, columns)],
    "score": lambda board, scores, is_current_player_maximizer: scores[
        0 if is_current_player_maximizer else 1
    ],
}
