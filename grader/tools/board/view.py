"""What the page shows: a position as plain data, by the rules of its game."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from api import ConnectFourBoard, Over, TwoPlayerGame, Winner
from api.adapters import Turn
from boards.excerpts import rows_of
from grader.protocol.words import harmless
from grader.tools.pages.lines import winning_cells
from grader.tools.student import CannotPlay


class Look(NamedTuple):
    """Cells, row by row from the top; `.` is an empty one.

    `layout` says what a move is: it drops a piece into one of the `columns`, takes one
    of the `squares`, or takes some pieces from a `row`.
    """

    layout: str
    columns: int
    cells: str

    def words(self, move: Any) -> str:
        """A move in words.

        >>> Look("squares", 3, "." * 9).words(5)
        'row 2, column 3'
        """
        if self.layout == "columns":
            return f"column {move}"
        if self.layout == "squares":
            return f"row {move // 3 + 1}, column {move % 3 + 1}"
        return (
            f"take {move}" if isinstance(move, int) else harmless(repr(move), 40)
        )  # as ZeroBy has its moves


@dataclass(frozen=True)
class Position:
    """A state of a game, and the move that led there from the position before."""

    game: TwoPlayerGame
    state: Any
    before: "Position | None" = None
    move: Any = None

    @cached_property
    def over(self) -> Over | None:
        """How the game has ended; None if it has not."""
        status = self.game.status(self.state)
        return status if isinstance(status, Over) else None

    @cached_property
    def moves(self) -> dict[str, Any]:
        """The possible moves, by what a person types."""
        return (
            {}
            if self.over
            else {str(move): move for move in self.game.moves(self.state)}
        )

    @cached_property
    def look(self) -> Look:
        """What it looks like."""
        if isinstance(self.state, ConnectFourBoard):
            return Look("columns", 7, "".join(rows_of(self.state)))
        if isinstance(self.state, str):
            return Look("squares", 3, self.state)
        start = self.game.start()
        return Look("row", 15, ("o" * _heap(self.state)).ljust(_heap(start), "."))

    @cached_property
    def winning(self) -> list[int]:
        """The cells of the lines that have won; none while nobody has won."""
        if not (self.over and isinstance(self.over.outcome, Winner)):
            return []
        return winning_cells(*self.look)

    def after(self, typed: list[str]) -> "Position":
        """The position after these moves, each as a person types it.  Raises
        CannotPlay.

        >>> from api import Nim
        >>> Position(Nim(), Nim().start()).after(["3", "1"]).look.cells
        'ooooooooooo....'
        """
        position = self
        for word in typed:
            if word not in position.moves:
                words = (
                    ", ".join(map(position.look.words, position.moves.values()))
                    or "none, the game is over"
                )
                raise CannotPlay(
                    f"{harmless(word, 40)!r} is not possible here; these moves are: {words}"
                )
            move = position.moves[word]
            position = Position(
                self.game, self.game.make_move(position.state, move), position, move
            )
        return position

    def shown(self) -> dict[str, Any]:
        """All that the page shows of it."""
        look, over, before = self.look, self.over, self.before
        cells_before = before.look.cells if before else look.cells
        return {
            **look._asdict(),
            "moves": {word: look.words(move) for word, move in self.moves.items()},
            "turn": str(self.game.player(self.state)),
            "last": [
                cell
                for cell, piece in enumerate(look.cells)
                if piece != cells_before[cell]
            ],
            "winning": self.winning,
            "said": f"{self.game.player(before.state)}: {look.words(self.move)}."
            if before
            else "",
            "over": self.game.outcome_to_string(over.outcome) if over else "",
        }


def _heap(state: Any) -> int:
    """How many pieces are left in a state of Nim, or of zero_by.  Raises CannotPlay if
    that is no number.
    """
    if not isinstance(state, Turn):
        return int(state.pieces)
    left = state.position
    if not isinstance(left, int) or isinstance(left, bool) or left < 0:
        raise CannotPlay(
            f"a position of ZeroBy is the number of items left, and yours is {harmless(repr(left), 40)}"
        )
    return left
