"""Boards, trees and games by name, out of boards.yaml, trees.yaml and games.yaml.

Each is kept as plain data as well, because plain data is what goes down the pipe to the process
that runs a student's code.
"""

from dataclasses import dataclass
from pathlib import Path

from api import ConnectFourBoard, TreeNode, parse_tree
from boards.graph_games import GraphGame
from boards.reading import Block, read_yaml

HERE = Path(__file__).parent


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


@dataclass(frozen=True)
class TreeDrawing:
    """A tree as it is drawn, and whether its scores are in the view of the player to move."""

    outline: str
    negates: bool = False

    def tree(self) -> TreeNode:
        """The root.  ValueError, with the line, where the outline is not a tree."""
        return parse_tree(self.outline, self.negates)


_PIECES = {".": 0, "1": 1, "2": 2}


def read_boards(file: Path = HERE / "boards.yaml") -> dict[str, BoardDrawing]:
    """The named boards.  Raises BadFile."""
    root = read_yaml(file)
    for name, entry in root.items():
        if not isinstance(entry, Block):
            root.fail(f"{name} is {entry!r}; a board is a mapping with `rows: |`", name)
    return {name: read_board(entry, name) for name, entry in root.items()}


def read_board(entry: Block, name: str) -> BoardDrawing:
    """One board: a mapping with `rows` (a block of text), and perhaps `players` and `says`."""
    entry.allow({"rows", "players", "says"})
    players = entry.texts("players", ["Player One", "Player Two"])
    if len(players) != 2:
        entry.fail(f"{name}: `players` are two names, not {len(players)}", "players")
    drawing = BoardDrawing(tuple(entry.take("rows", str).split()), (players[0], players[1]))
    try:
        drawing.board()
    except ValueError as error:
        entry.fail(f"{name}: {error}", "rows")
    return drawing


def read_trees(file: Path = HERE / "trees.yaml") -> dict[str, TreeDrawing]:
    """The named trees.  Raises BadFile, at the line of the drawing."""
    trees = {}
    for name, entry in (block := read_yaml(file)).items():
        if isinstance(entry, Block):
            entry.allow({"tree", "negates", "says"})
            trees[name] = TreeDrawing(entry.take("tree", str), entry.take("negates", bool, False))
        else:
            trees[name] = TreeDrawing(block.take(name, str))
        owner, key = (entry, "tree") if isinstance(entry, Block) else (block, name)
        try:
            trees[name].tree()
        except ValueError as error:
            _fail_in_drawing(owner, key, name, error)
    return trees


def read_games(file: Path = HERE / "games.yaml") -> dict[str, str]:
    """The drawings of the named games.  Raises BadFile, at the line of the drawing."""
    games = {}
    for name in (block := read_yaml(file)):
        games[name] = block.take(name, str)
        try:
            GraphGame(games[name])
        except ValueError as error:
            _fail_in_drawing(block, name, name, error)
    return games


def _fail_in_drawing(block: Block, key: str, name: str, error: ValueError) -> None:
    """Turn `line 3: …` of a drawing into the line of the file."""
    line, _, message = str(error).removeprefix("line ").partition(": ")
    block.fail(f"{name}: {message}", key, offset=int(line))
