"""Boards, trees and games by name, out of boards.yaml, trees.yaml and games.yaml.

Each is kept as plain data as well, because plain data is what goes down the pipe to the process
that runs a student's code.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api import ConnectFourBoard
from boards.reading import read_yaml, sound

HERE = Path(__file__).parent
BOARDS, TREES, GAMES = HERE / "boards.yaml", HERE / "trees.yaml", HERE / "games.yaml"


@dataclass(frozen=True)
class BoardDrawing:
    """A Connect Four board as it is drawn: six or fewer rows of `.`, `1` and `2`, the top first."""

    rows: tuple[str, ...]
    players: tuple[str, str] = ("Player One", "Player Two")

    def board(self) -> ConnectFourBoard:
        """The board.  ValueError, with row and column, where no game leads to it.

        >>> BoardDrawing(("1.",)).board()
        Traceback (most recent call last):
        ValueError: row 5 has 2 squares; a row has 7
        """
        empty = ["......."] * (6 - len(self.rows))
        for row in self.rows:
            if strange := set(row) - set(_PIECES):
                raise ValueError(f"{min(strange)!r} stands in the row {row}; a square is `.`, `1` or `2`")
        array = [[_PIECES[square] for square in row] for row in (*empty, *self.rows)]
        return ConnectFourBoard(array, self.players)


_PIECES = {".": 0, "1": 1, "2": 2}


def read_boards(file: Path = BOARDS) -> dict[str, BoardDrawing]:
    """The named boards.  Raises BadFile."""
    with sound(file):
        return {name: drawn_board(**entry) for name, entry in read_yaml(file).items()}


def name_of_board(drawing: BoardDrawing) -> str:
    """The name that a board is drawn under; empty where it has none."""
    return next((name for name, known in read_boards().items() if known == drawing), "")


def drawn_board(rows: str, players: Any = BoardDrawing.players, says: str = "") -> BoardDrawing:
    """A board out of a text with a row in each line."""
    return BoardDrawing(tuple(rows.split()), tuple(players))


def read_trees(file: Path = TREES) -> dict[str, dict[str, Any]]:
    """The named trees: each as it is drawn, and whether its scores are in the view of the player to move.

    Raises BadFile.
    """
    with sound(file):
        entries = read_yaml(file).items()
        return {name: drawn_tree(**entry) if isinstance(entry, dict) else drawn_tree(entry) for name, entry in entries}


def drawn_tree(tree: str, negates: bool = False, says: str = "") -> dict[str, Any]:
    """A tree as plain data: what a call says of one."""
    return {"tree": tree, "negates": negates}


def read_games(file: Path = GAMES) -> dict[str, str]:
    """The drawings of the named games.  Raises BadFile."""
    return read_yaml(file)
