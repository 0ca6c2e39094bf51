"""How cases of functions on Connect Four boards are written.  Never ships."""

from collections.abc import Mapping
from typing import Any

from api import ConnectFourBoard
from boards.built import board_of
from boards.reading import drawn_board
from grader.bank.points import Function
from staff.kinds.excerpts import columns_of, write_excerpt
from staff.strict.kind import Ask, AskAll, Writing
from staff.strict.named import Names
from staff.strict.reading import Block

_EXPECTED = {
    "over": "value",
    "moves": "columns",
    "score": "score",
    "bounds": "",
    "estimate": "",
}
_IS_OVER = {
    "score": True,
    "bounds": True,
    "estimate": False,
}  # the game that it is asked of
WON = 1000


class BoardCases(Writing):
    """A `board`, by name or drawn on the spot, and for a score whether the maximizer is
    to move.
    """

    def check(self, function: Function, call: Block, names: Names) -> None:
        if function.returns not in _EXPECTED:
            call.fail(
                f"points.yaml says no `returns` of {function.name} that is one of {', '.join(_EXPECTED)}"
            )
        names.check_board(call)
        is_over = _is_over(
            board_of(names.boards.get(call["board"]) or drawn_board(call["board"]))
        )
        if _IS_OVER.get(function.returns, is_over) != is_over:
            state = "not over yet" if is_over else "over"
            call.fail(
                f"{function.name} is for a game that is {state}; take another board",
                "board",
            )
        is_told = function.returns not in ("over", "moves")
        if is_told and "maximizer" not in call:
            call.fail("`maximizer` is missing")
        if not is_told and "maximizer" in call:
            call.fail(
                f"leave `maximizer` out: {function.name} is not told who that is",
                "maximizer",
            )

    def compares(self, function: Function) -> bool:
        return function.returns in ("bounds", "estimate")

    def excerpt(
        self, function: Function, inputs: Mapping[str, Any], ask_all: AskAll
    ) -> str:
        return write_excerpt(dict(inputs), 1, ask_all) if function.may_call else ""

    def can_be_disguised(self, function: Function) -> bool:
        return function.returns != "estimate"

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        value = ask(function.name, inputs)
        if function.returns == "moves":
            return {"columns": columns_of(board_of(inputs), value)}
        if key := _EXPECTED[function.returns]:
            return {key: value}
        if value >= WON:
            return {"at_least": WON}
        return {"at_most": -WON} if value <= -WON else {"between": [-WON, WON]}


def _is_over(board: ConnectFourBoard) -> bool:
    return board.count_pieces() == 42 or any(
        len(chain) >= 4 for chain in board.get_all_chains()
    )


WRITING = BoardCases()
