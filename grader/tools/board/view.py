"""Turns a position into plain data, which the page shows."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from api import ConnectFourBoard, Over, TwoPlayerGame, Winner
from api.adapters import Turn
from boards.excerpts import rows_of
from grader.kinds.lines import winning_cells
from grader.protocol.text import harmless
from grader.tools.student import CannotPlay


class Look(NamedTuple):
    """A position as a picture, which consists of cells."""

    # How a move changes the picture.  "columns": a move drops a piece into a column.
    # "squares": a move fills a square.  "row": a move takes pieces away from a row.
    layout: str
    columns: int
    cells: str  # row by row from the top; `.` is an empty cell

    def words(self, move: Any) -> str:
        """Return a move in words.

        >>> Look("squares", 3, "." * 9).words(5)
        'row 2, column 3'
        """
        if self.layout == "columns":
            return f"column {move}"
        if self.layout == "squares":
            return f"row {move // 3 + 1}, column {move % 3 + 1}"
        if isinstance(move, int):
            return f"take {move}"
        return harmless(repr(move), 40)  # a student's ZeroBy may use any moves


@dataclass(frozen=True)
class Position:
    """A state of a game.  If a move led to it, `before` is the position before that
    move.
    """

    game: TwoPlayerGame
    state: Any
    before: "Position | None" = None
    move: Any = None

    @cached_property
    def over(self) -> Over | None:
        """How the game has ended; None if it still goes on."""
        status = self.game.status(self.state)
        return status if isinstance(status, Over) else None

    @cached_property
    def moves(self) -> dict[str, Any]:
        """The legal moves.  The key is what a person types for the move."""
        if self.over:
            return {}
        return {str(move): move for move in self.game.moves(self.state)}

    @cached_property
    def look(self) -> Look:
        """The picture of this position."""
        if isinstance(self.state, ConnectFourBoard):
            return Look("columns", 7, "".join(rows_of(self.state)))
        if isinstance(self.state, str):
            return Look("squares", 3, self.state)
        start = self.game.start()
        return Look("row", 15, ("o" * _heap(self.state)).ljust(_heap(start), "."))

    @cached_property
    def winning(self) -> list[int]:
        """The indices of the cells in the lines with which a player has won."""
        if not (self.over and isinstance(self.over.outcome, Winner)):
            return []
        return winning_cells(*self.look)

    def after(self, typed: list[str]) -> "Position":
        """Return the position to which these moves lead.

        Each word in `typed` is a move as a person types it.  Raises CannotPlay for a
        word that is not a legal move.

        >>> from api import Nim
        >>> Position(Nim(), Nim().start()).after(["3", "1"]).look.cells
        'ooooooooooo....'
        """
        position = self
        for word in typed:
            if word not in position.moves:
                words = ", ".join(map(position.look.words, position.moves.values()))
                raise CannotPlay(
                    f"{harmless(word, 40)!r} is not a legal move here; "
                    f"the legal moves are: {words or 'none, the game is over'}"
                )
            move = position.moves[word]
            position = Position(
                self.game, self.game.make_move(position.state, move), position, move
            )
        return position

    def shown(self) -> dict[str, Any]:
        """Return everything that the page shows about the position, as plain data."""
        look = self.look
        said = outcome = ""
        changed = list[int]()
        if self.before:
            said = f"{self.game.player(self.before.state)}: {look.words(self.move)}."
            cells = zip(look.cells, self.before.look.cells, strict=False)
            changed = [cell for cell, (now, then) in enumerate(cells) if now != then]
        if self.over:
            outcome = self.game.outcome_to_string(self.over.outcome)
        return {
            **look._asdict(),
            "moves": {word: look.words(move) for word, move in self.moves.items()},
            "turn": str(self.game.player(self.state)),
            "last": changed,
            "winning": self.winning,
            "said": said,
            "over": outcome,
        }


def _heap(state: Any) -> int:
    """Return how many pieces are left in a state of Nim or of zero_by.

    Raises CannotPlay if a position of the student's ZeroBy is not a number of items.
    """
    if not isinstance(state, Turn):
        return int(state.pieces)
    left = state.position
    if not isinstance(left, int) or isinstance(left, bool) or left < 0:
        raise CannotPlay(
            "a position of ZeroBy is the number of items left, "
            f"and yours is {harmless(repr(left), 40)}"
        )
    return left
