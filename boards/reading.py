"""Reads the data files of the lab: the boards, trees and games that have names, and
whatever else is YAML.

What they hold has been checked before they were handed out; a file that was changed or
damaged since is named by a BadFile.  All is plain data, because plain data is what goes
down the pipe to the process that runs a student's code; built.py makes boards and trees
of it.
"""

import contextlib
import functools
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from boards.refusal import Refusal

_HERE = Path(__file__).parent
BOARDS, TREES, GAMES = (_HERE / f"{name}.yaml" for name in ("boards", "trees", "games"))
Drawing = dict[str, Any]

SEALED = "sealed"
DRAWN, MOST_DRAWN = (
    "KIT_DRAWN",
    30_000,
)  # an environment variable, and how long it may be: Windows allows no more


class BadFile(Refusal):
    """A data file that cannot be used.  Its text is one line: file, line, what is
    wrong, the fix.
    """

    def __init__(self, file: Path, line: int, message: str) -> None:
        super().__init__(f"{shown(file)}:{line}: {message}")
        self.file = file


def shown(file: Path) -> str:
    """A file as it is named to a person: from the top of the kit, where it stands in
    there.
    """
    return (
        file.relative_to(_HERE.parent).as_posix()
        if file.is_relative_to(_HERE.parent)
        else str(file)
    )


def read_yaml(file: Path) -> dict[str, Any]:
    """The mapping that a file holds, also where a release has sealed it.  Raises
    BadFile.

    A sealed file is no secret, only not readable by accident.
    """
    with sound(file):
        drawn: dict[str, dict[str, Any]] = json.loads(os.environ.get(DRAWN, "{}"))
        data = drawn.get(file.name) or _mapping(file.read_bytes())
        if data.keys() == {SEALED}:
            import base64
            import zlib

            return _mapping(zlib.decompress(base64.b64decode(data[SEALED])))
        return data


@functools.cache
def drawn_already() -> dict[str, str]:
    """What hands the named boards and trees to a process in its environment, so that it
    need not import yaml.
    """
    text = json.dumps({file.name: read_yaml(file) for file in (BOARDS, TREES)})
    return {DRAWN: text} if len(text) <= MOST_DRAWN else {}


@contextlib.contextmanager
def sound(file: Path) -> Iterator[None]:
    """Whatever is raised in here by the contents of a file is a BadFile that names
    it.
    """
    try:
        yield
    except (BadFile, ModuleNotFoundError):
        raise
    except FileNotFoundError:
        raise BadFile(file, 1, "no such file") from None
    except Exception as error:
        mark = getattr(error, "problem_mark", None)
        problem = " ".join(str(getattr(error, "problem", "") or error).split())[:200]
        raise BadFile(
            file,
            mark.line + 1 if mark else 1,
            f"this is not as it was handed out ({problem})",
        ) from None


def _mapping(text: bytes) -> dict[str, Any]:
    import yaml

    data = yaml.load(text.decode(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if not isinstance(data, dict):
        raise ValueError("the file should hold a mapping: lines of `key: value`")
    return data


def write_whole(file: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file, making its folder; where that cannot be, what stands there stays as
    it is.
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
    """The named boards: of each its rows, and who plays.  Raises BadFile."""
    with sound(BOARDS):
        return {name: drawn_board(**entry) for name, entry in read_yaml(BOARDS).items()}


def name_of_board(data: Mapping[str, Any]) -> str:
    """The name that a board is drawn under; empty where it has none."""
    return next(
        (
            name
            for name, known in read_boards().items()
            if known.items() <= data.items()
        ),
        "",
    )


def drawn_board(
    rows: str, players: Iterable[str] = ("Player One", "Player Two"), says: str = ""
) -> Drawing:
    """A board out of a text with a row in each line."""
    return {"board": rows.split(), "players": list(players)}


def read_trees() -> dict[str, Drawing]:
    """The named trees: each as it is drawn, and whether its scores are in the view of
    the player to move.

    Raises BadFile.
    """
    with sound(TREES):
        entries = read_yaml(TREES).items()
        return {
            name: drawn_tree(**entry) if isinstance(entry, dict) else drawn_tree(entry)
            for name, entry in entries
        }


def drawn_tree(tree: str, negates: bool = False, says: str = "") -> Drawing:
    """A tree as plain data: what a call says of one."""
    return {"tree": tree, "negates": negates}
