"""Checks boards.yaml, trees.yaml and games.yaml, and what cases draw themselves."""

import graphlib
import itertools
import re
from collections.abc import Collection
from pathlib import Path

from api import parse_tree
from boards.built import board_of
from boards.reading import BOARDS, GAMES, TREES, Drawing, drawn_board
from staff.strict import schema
from staff.strict.reading import Block, meant, read_block

_POSITION = re.compile(r"\w+\s+(->(\s+\w+)+|=\s+(WIN|TIE|LOSE))")


class Names:
    """The names that a case may use for boards, trees and games.

    Raises BadFile for a mistake in boards.yaml, trees.yaml or games.yaml.
    """

    def __init__(self) -> None:
        self.boards = checked_boards()
        self.trees = names_of_trees()
        self.games = names_of_games()

    def check_board(self, block: Block) -> None:
        """Check that `board` names a board, or is drawn as a block of rows."""
        text = block["board"]
        if "." in text or "\n" in text:
            _check_board(drawn_board(text), block, "board", "this board")
        else:
            _check_named(block, "board", self.boards, "boards.yaml")

    def check_tree(self, block: Block) -> None:
        """Check that `tree` names a tree, or is drawn as an outline."""
        if "\n" in block["tree"]:
            _check_tree(block, "tree", "this tree", block.get("negates", False))
        else:
            _check_named(block, "tree", self.trees, "trees.yaml")

    def check_graph(self, block: Block) -> None:
        """Check that `graph` names a game, or is drawn as a graph."""
        if " " not in block["graph"]:
            _check_named(block, "graph", self.games, "games.yaml")
            return
        try:
            _check_graph(block["graph"])
        except ValueError as error:
            block.fail(f"this game: {error}", "graph")


def _check_named(block: Block, key: str, known: Collection[str], file: str) -> None:
    if block[key] not in known:
        hint = meant(block[key], known) or f"draw it in boards/{file}"
        block.fail(f"no {key} is named `{block[key]}`; {hint}", key)


def checked_boards(file: Path = BOARDS) -> dict[str, Drawing]:
    """Read and check the named boards.  Raises BadFile."""
    schema.check(root := read_block(file), schema.BOARDS / "boards.json")
    for name, entry in root.items():
        _check_name(root, name)
        _check_board(drawn_board(**entry), entry, "rows", name)
    return {name: drawn_board(**entry) for name, entry in root.items()}


def _check_board(drawing: Drawing, block: Block, key: str, name: str) -> None:
    try:
        board = board_of(drawing)
    except ValueError as error:
        block.fail(f"{name}: {error}", key)
    if any(len(chain) >= 4 for chain in board.get_all_chains(current_player=True)):
        mover = board.get_current_player_name()
        block.fail(
            f"{name}: no game leads there, as {mover}, who is to move, has four in a "
            "row",
            key,
        )


def _check_name(root: Block, name: str) -> None:
    """Check that lab.py can import a board or tree by this name.

    The capital letters of such a name distinguish it from the functions of lab.py.
    """
    if not (name.isidentifier() and name.isupper()):
        root.fail(
            f"{name!r} cannot be imported; use capital letters, digits and _, as in "
            "FOUR_BY_FOUR",
            name,
        )


def names_of_trees(file: Path = TREES) -> Collection[str]:
    """Check the named trees; return their names.

    Raises BadFile.  For a mistake in the drawing of a tree, the error names the line of
    the file in which the mistake is.
    """
    schema.check(root := read_block(file), schema.BOARDS / "trees.json")
    boards = read_block(BOARDS)
    for name, entry in root.items():
        _check_name(root, name)
        if name in boards:
            root.fail(f"{name} is a board in {BOARDS.name} too; rename one", name)
        if isinstance(entry, Block):
            _check_tree(entry, "tree", name, entry.get("negates", False))
        else:
            _check_tree(root, name, name)
    return root.keys()


def _check_tree(block: Block, key: str, name: str, negates: bool = False) -> None:
    try:
        parse_tree(block[key], negates)
    except ValueError as error:
        line, _, message = str(error).removeprefix("line ").partition(": ")
        block.fail(f"{name}: {message}", key, offset=int(line))


def names_of_games(file: Path = GAMES) -> Collection[str]:
    """Check the named games; return their names.  Raises BadFile."""
    schema.check(root := read_block(file), schema.BOARDS / "games.json")
    for name, drawing in root.items():
        try:
            _check_graph(drawing)
        except ValueError as error:
            root.fail(f"{name}: {error}", name)
    return root.keys()


def _check_graph(drawing: str) -> None:
    """Check that a drawing is a finite game, and that each position has a line.

    Raises ValueError.

    >>> _check_graph("top -> top")
    Traceback (most recent call last):
    ValueError: 'top' is on a cycle; games must end
    """
    after: dict[str, list[str]] = {}
    for line in drawing.splitlines():
        if not _POSITION.fullmatch(line.strip()):
            raise ValueError(f"{line.strip()!r} is neither `a -> b c` nor `a = LOSE`")
        position, sign, *successors = line.split()
        after[position] = []
        if sign == "->":
            after[position] = successors
    for position in itertools.chain.from_iterable(after.values()):
        if position not in after:
            raise ValueError(f"{position!r} has no line; write one")
    try:
        graphlib.TopologicalSorter(after).prepare()
    except graphlib.CycleError as error:
        raise ValueError(
            f"{error.args[1][0]!r} is on a cycle; games must end"
        ) from None
