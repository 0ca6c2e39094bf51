"""Checks and fills in the cases of functions on Connect Four boards.  Never ships."""

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

RETURNS = ("over", "moves", "score", "bounds", "estimate")
WON = 1000


class BoardCases(Writing):
    """How staff write cases of functions on boards.

    A call has a `board`, which is a name or a drawing.  If the function returns a score
    or an estimate, the call also says in `maximizer` whether the maximizer is to move.
    """

    def check(self, function: Function, call: Block, names: Names) -> None:
        if function.returns not in RETURNS:
            known = ", ".join(RETURNS)
            call.fail(
                f"points.yaml says no `returns` of {function.name} "
                f"that is one of {known}"
            )
        names.check_board(call)
        drawing = names.boards.get(call["board"]) or drawn_board(call["board"])
        is_over = _is_over(board_of(drawing))
        if function.returns in ("score", "bounds") and not is_over:
            self._fail_at_board(function, call, "over")
        if function.returns == "estimate" and is_over:
            self._fail_at_board(function, call, "not over yet")
        takes_maximizer = function.returns not in ("over", "moves")
        if takes_maximizer and "maximizer" not in call:
            call.fail("`maximizer` is missing")
        if not takes_maximizer and "maximizer" in call:
            call.fail(
                f"leave `maximizer` out: {function.name} is not told who that is",
                "maximizer",
            )

    def _fail_at_board(self, function: Function, call: Block, state: str) -> None:
        call.fail(
            f"{function.name} is for a game that is {state}; take another board",
            "board",
        )

    def compares(self, function: Function) -> bool:
        return function.returns in ("bounds", "estimate")

    def excerpt(
        self, function: Function, inputs: Mapping[str, Any], ask_all: AskAll
    ) -> str:
        if not function.may_call:
            return ""
        return write_excerpt(dict(inputs), 1, ask_all)

    def can_be_disguised(self, function: Function) -> bool:
        return function.returns != "estimate"

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        value = ask(function.name, inputs)
        match function.returns:
            case "over":
                return {"value": value}
            case "moves":
                return {"columns": columns_of(board_of(inputs), value)}
            case "score":
                return {"score": value}
        if value >= WON:
            return {"at_least": WON}
        if value <= -WON:
            return {"at_most": -WON}
        return {"between": [-WON, WON]}


def _is_over(board: ConnectFourBoard) -> bool:
    """Whether a board is full or has four in a row.  This function uses nothing of
    lab.py.
    """
    is_full = board.count_pieces() == board.num_rows * board.num_cols
    return is_full or any(len(chain) >= 4 for chain in board.get_all_chains())


WRITING = BoardCases()
