"""Boards, trees and games by name, out of boards.yaml, trees.yaml and games.yaml.

All are plain data, because plain data is what goes down the pipe to the process that runs a student's
code; built.py makes boards and trees of it.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from boards.reading import read_yaml, sound

HERE = Path(__file__).parent
BOARDS, TREES, GAMES = HERE / "boards.yaml", HERE / "trees.yaml", HERE / "games.yaml"

Drawing = dict[str, Any]


def read_boards(file: Path = BOARDS) -> dict[str, Drawing]:
    """The named boards: of each its rows, and who plays.  Raises BadFile."""
    with sound(file):
        return {name: drawn_board(**entry) for name, entry in read_yaml(file).items()}


def name_of_board(data: Mapping[str, Any]) -> str:
    """The name that a board is drawn under; empty where it has none."""
    return next((name for name, known in read_boards().items() if known.items() <= data.items()), "")


def drawn_board(rows: str, players: Iterable[str] = ("Player One", "Player Two"), says: str = "") -> Drawing:
    """A board out of a text with a row in each line."""
    return {"board": rows.split(), "players": list(players)}


def read_trees(file: Path = TREES) -> dict[str, Drawing]:
    """The named trees: each as it is drawn, and whether its scores are in the view of the player to move.

    Raises BadFile.
    """
    with sound(file):
        entries = read_yaml(file).items()
        return {name: drawn_tree(**entry) if isinstance(entry, dict) else drawn_tree(entry) for name, entry in entries}


def drawn_tree(tree: str, negates: bool = False, says: str = "") -> Drawing:
    """A tree as plain data: what a call says of one."""
    return {"tree": tree, "negates": negates}


def read_games(file: Path = GAMES) -> dict[str, str]:
    """The drawings of the named games.  Raises BadFile."""
    return read_yaml(file)
