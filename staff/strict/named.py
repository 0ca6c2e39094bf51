"""Checks boards.yaml, trees.yaml and games.yaml: a mistake in a drawing is a line in a file."""

from collections.abc import Mapping
from pathlib import Path

from boards.graph_games import GraphGame
from boards.named import BOARDS, GAMES, TREES, BoardDrawing, TreeDrawing, drawn_board, drawn_tree
from staff.strict.reading import Block, read_yaml


def read_boards(file: Path = BOARDS) -> dict[str, BoardDrawing]:
    """The named boards.  Raises BadFile."""
    root = read_yaml(file)
    for name, entry in root.items():
        if not isinstance(entry, Block):
            root.fail(f"{name} is {entry!r}; a board is a mapping with `rows: |`", name)
    return {name: read_board(entry, name) for name, entry in root.items()}


def read_board(entry: Block, name: str) -> BoardDrawing:
    """One board: a mapping with `rows` (a block of text), and perhaps `players` and `says`."""
    entry.allow({"rows", "players", "says"})
    players = entry.texts("players", BoardDrawing.players)
    if len(players) != 2:
        entry.fail(f"{name}: `players` are two names, not {len(players)}", "players")
    drawing = drawn_board(entry.take("rows", str), players)
    try:
        drawing.board()
    except ValueError as error:
        entry.fail(f"{name}: {error}", "rows")
    return drawing


def check_board(block: Block, boards: Mapping[str, BoardDrawing]) -> None:
    """A board by name, or drawn on the spot as a block of rows.  Raises BadFile."""
    value = block.take("board", str)
    if "." in value or "\n" in value:
        drawn = Block(block.file, block.lines["board"])
        drawn["rows"] = value
        read_board(drawn, "this board")
    elif value not in boards:
        block.fail(f"no board is named `{value}`; draw it in boards/boards.yaml", "board")


def read_trees(file: Path = TREES) -> dict[str, TreeDrawing]:
    """The named trees.  Raises BadFile, at the line of the drawing."""
    trees = {}
    for name, entry in (block := read_yaml(file)).items():
        owner, key = (entry, "tree") if isinstance(entry, Block) else (block, name)
        owner.allow({"tree", "negates", "says"} if owner is entry else block.keys())
        trees[name] = drawn_tree(owner.take(key, str), owner.take("negates", bool, False) if owner is entry else False)
        try:
            trees[name].tree()
        except ValueError as error:
            _fail_in_drawing(owner, key, name, error)
    return trees


def read_games(file: Path = GAMES) -> dict[str, str]:
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
