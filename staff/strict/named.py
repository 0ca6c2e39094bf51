"""Checks boards.yaml, trees.yaml and games.yaml: a mistake in a drawing is a line in a file."""

from collections.abc import Mapping
from pathlib import Path

from api import parse_tree
from api.tic_tac_toe import LINES
from boards.built import board_of
from boards.reading import BOARDS, GAMES, TREES, Drawing, drawn_board, drawn_tree
from staff.strict import schema
from staff.strict.graphs import check_graph
from staff.strict.reading import Block, meant, read_yaml


def read_boards(file: Path = BOARDS) -> dict[str, Drawing]:
    """The named boards.  Raises BadFile."""
    schema.check(root := read_yaml(file), schema.BOARDS / "boards.json")
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
        block.fail(
            f"{name}: no game leads there, as {board.get_current_player_name()}, who is to move, has four in a row", key
        )


def _check_name(root: Block, name: str) -> None:
    """Labs import it by this name, and their functions have small letters."""
    if not (name.isidentifier() and name.isupper()):
        root.fail(
            f"{name!r} cannot be imported; a name is of capital letters, digits and _, such as FOUR_BY_FOUR", name
        )


def check_board(block: Block, boards: Mapping[str, Drawing]) -> None:
    """A board by name, or drawn on the spot as a block of rows.  Raises BadFile."""
    value: str = block["board"]
    if "." in value or "\n" in value:
        _check_board(drawn_board(value), block, "board", "this board")
    elif value not in boards:
        hint = meant(value, boards) or "draw it in boards/boards.yaml"
        block.fail(f"no board is named `{value}`; {hint}", "board")


def check_tic_tac_toe(block: Block, key: str) -> None:
    """Nine squares as the two players fill them.  Raises BadFile."""
    more = block[key].count("X") - block[key].count("O")
    if more not in (0, 1):
        block.fail(f"`{key}` is no position: X moves first, and the players take turns; it is {block[key]!r}", key)
    mover = "O" if more else "X"
    if any({block[key][square] for square in line} == {mover} for line in LINES):
        block.fail(f"no game leads to {block[key]!r}, as {mover}, who is to move, has three in a row already", key)


def read_trees(file: Path = TREES) -> dict[str, Drawing]:
    """The named trees.  Raises BadFile, at the line of the drawing."""
    schema.check(root := read_yaml(file), schema.BOARDS / "trees.json")
    trees, board_names = {}, read_yaml(BOARDS).keys()
    for name, entry in root.items():
        _check_name(root, name)
        if name in board_names:
            root.fail(f"{name} is a board in {BOARDS.name} too; rename one", name)
        trees[name] = drawn_tree(**entry) if isinstance(entry, Block) else drawn_tree(entry)
        try:
            parse_tree(trees[name]["tree"], trees[name]["negates"])
        except ValueError as error:
            owner, key = (entry, "tree") if isinstance(entry, Block) else (root, name)
            _fail_in_drawing(owner, key, name, error)
    return trees


def check_drawing(block: Block) -> None:
    """A tree that is drawn on the spot.  Raises BadFile, at the line of the drawing."""
    try:
        parse_tree(block["tree"], block.get("negates", False))
    except ValueError as error:
        _fail_in_drawing(block, "tree", "this tree", error)


def read_games(file: Path = GAMES) -> dict[str, str]:
    """The drawings of the named games.  Raises BadFile, at the line of the drawing."""
    schema.check(root := read_yaml(file), schema.BOARDS / "games.json")
    for name, drawing in root.items():
        try:
            check_graph(drawing)
        except ValueError as error:
            _fail_in_drawing(root, name, name, error)
    return dict(root)


def _fail_in_drawing(block: Block, key: str, name: str, error: ValueError) -> None:
    """Turn `line 3: …` of a drawing into the line of the file."""
    line, _, message = str(error).removeprefix("line ").partition(": ")
    block.fail(f"{name}: {message}", key, offset=int(line))
