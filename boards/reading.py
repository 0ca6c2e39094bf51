"""Reads the YAML files of the kit, such as its named boards, trees and games.

The kit's checks read these files before a release.  So if a file is wrong, somebody has
changed it since, and a BadFile names the file.

Drawings are plain data, because plain data can be sent to the process that runs a
student's code.  built.py makes boards and states from drawings.
"""

import base64
import contextlib
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from boards.refusal import Refusal

_HERE = Path(__file__).parent
BOARDS = _HERE / "boards.yaml"
TREES = _HERE / "trees.yaml"
GAMES = _HERE / "games.yaml"
POINTS = _HERE / "points.yaml"
Drawing = dict[str, Any]
Facts = Mapping[str, Any]  # what a YAML file says of something, or a call of a case

SEALED = "sealed"  # the only key of a sealed file


class BadFile(Refusal):
    """A data file that cannot be used.

    Its text is one line: the file, the line number, what is wrong and how to fix it.
    """

    def __init__(self, file: Path, line: int, message: str) -> None:
        super().__init__(f"{shown(file)}:{line}: {message}")


def shown(file: Path) -> str:
    """The path of a file for people; in the kit, it begins at the kit's top folder."""
    if file.is_relative_to(_HERE.parent):
        return file.relative_to(_HERE.parent).as_posix()
    return str(file)


def read_yaml(file: Path) -> dict[str, Any]:
    """The mapping that a file holds.  Raises BadFile.

    A release seals some files: their text is encoded, so that nobody reads a solution
    by accident.  A seal does not keep anything secret.
    """
    with sound(file):
        data = _mapping(file.read_bytes())
        if data.keys() == {SEALED}:
            return _mapping(zlib.decompress(base64.b64decode(data[SEALED])))
        return data


@contextlib.contextmanager
def sound(file: Path) -> Iterator[None]:
    """A block that uses what a file holds.  Any exception in it becomes a BadFile."""
    try:
        yield
    except (BadFile, ModuleNotFoundError):
        raise
    except FileNotFoundError:
        raise BadFile(file, 1, "no such file") from None
    except Exception as error:
        # Errors of yaml say what the problem is and, if they can, where.
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = " ".join(str(getattr(error, "problem", "") or error).split())[:200]
        raise BadFile(
            file, line, f"this is not as it was handed out ({problem})"
        ) from None


def _mapping(text: bytes) -> dict[str, Any]:
    import yaml  # Importing it takes a while, and many programs read no file.

    data = yaml.load(text.decode(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if not isinstance(data, dict):
        raise ValueError("the file should hold a mapping: lines of `key: value`")
    return data


def write_whole(file: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file completely or not at all, and make its folder if there is none.

    If the data cannot be written, an earlier file of this name does not change.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        new.touch(mode)
        new.write_bytes(data)
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)


def read_boards() -> dict[str, Drawing]:
    """The drawings of the named boards, by name.  Raises BadFile."""
    with sound(BOARDS):
        return {name: drawn_board(**entry) for name, entry in read_yaml(BOARDS).items()}


def name_of_board(data: Facts) -> str:
    """The name of the board in this data; empty if the board has no name."""
    for name, drawing in read_boards().items():
        if drawing.items() <= data.items():
            return name
    return ""


def drawn_board(
    rows: str, players: Iterable[str] = ("Player One", "Player Two"), says: str = ""
) -> Drawing:
    """The drawing of a board, from a text with one row in each line.

    `says` is only for people who read the file.

    >>> drawn_board("...2... ..21.1.", ["Ann", "Bob"])
    {'board': ['...2...', '..21.1.'], 'players': ['Ann', 'Bob']}
    """
    return {"board": rows.split(), "players": list(players)}


def read_trees() -> dict[str, Drawing]:
    """The drawings of the named trees, by name.  Raises BadFile."""
    drawings = {}
    with sound(TREES):
        for name, entry in read_yaml(TREES).items():
            if isinstance(entry, dict):
                drawings[name] = drawn_tree(**entry)
            else:
                drawings[name] = drawn_tree(entry)
    return drawings


def drawn_tree(tree: str, negates: bool = False, says: str = "") -> Drawing:
    """The drawing of a tree, from the text that api.parse_tree reads.

    With `negates`, the scores are from the point of view of the player to move.  `says`
    is only for people who read the file.
    """
    return {"tree": tree, "negates": negates}
