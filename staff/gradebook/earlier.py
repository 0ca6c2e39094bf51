"""What was handed in in earlier terms, to be compared with this one: the folder that
`make similar WITH=` names.
"""

import contextlib
import functools
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from grader.grading.source import LARGEST
from grader.refusal import Refusal
from staff.intake.archives import (
    LARGEST_ZIP,
    Item,
    Unreadable,
    items_of,
    items_of_zip,
)
from staff.store import FILE


@dataclass(frozen=True)
class Earlier:
    """The files of earlier terms by their bytes, each with its name from the folder on.

    `unreadable` has the names of the others, each with the end of a sentence that says
    why.
    """

    files: dict[bytes, str] = field(default_factory=dict)
    unreadable: list[tuple[str, str]] = field(default_factory=list)


def read_earlier(folder: Path) -> Earlier:
    """Read each Python file in a folder, in the zips there, and in the stores of
    earlier grades/ folders.

    If several files have the same bytes, the first gives the name.  Raises Refusal if
    there is none, or for this class's own store.
    """
    if not folder.is_dir():
        raise Refusal(
            f"there is no folder {folder}; WITH= is a folder with the submissions of earlier terms"
        )
    earlier = Earlier()
    for item in items_of(folder):
        try:
            items = list(_python_files(folder, item))
        except Unreadable as error:
            earlier.unreadable.append((item.path, str(error)))
            continue
        for each in items:
            _add(earlier, each)
    if not earlier.files:
        raise Refusal(
            f"{folder} holds no Python file, zip or grades.db; WITH= is a folder with earlier submissions"
        )
    return earlier


def _add(earlier: Earlier, item: Item) -> None:
    try:
        earlier.files.setdefault(item.read(LARGEST), item.path)
    except Unreadable as error:
        earlier.unreadable.append((item.path, str(error)))


def _python_files(folder: Path, item: Item) -> Iterator[Item]:
    """The Python files that a file holds, or the one that it is.  Raises Unreadable."""
    path = PurePosixPath(item.path)
    if path.name == FILE.name:
        yield from _files_of_store(folder / path, item.path)
    elif path.suffix.lower() == ".zip":
        for inner in items_of_zip(item.read(LARGEST_ZIP)):
            if inner.path.lower().endswith(".py"):
                yield replace(inner, path=f"{path}/{inner.path}")
    elif path.suffix.lower() == ".py":
        yield item


def _files_of_store(file: Path, name: str) -> Iterator[Item]:
    """What was handed in according to a store.  Raises Unreadable, or Refusal if the
    store is this class's own.
    """
    if file.samefile(FILE):
        raise Refusal(
            f"{file} is the store of this very class; WITH= is a folder with earlier submissions"
        )
    query = (
        "SELECT source, bytes FROM submission JOIN lab USING (sha256) ORDER BY source"
    )
    try:
        with contextlib.closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as db:
            rows = db.execute(query).fetchall()
    except sqlite3.Error:
        raise Unreadable("cannot be read") from None
    for source, data in rows:
        yield Item(
            f"{name}: {source}", len(data), functools.partial(_stored, bytes(data))
        )


def _stored(data: bytes, _most: int) -> bytes:
    """The bytes of a file that a store has kept, however many these are."""
    return data
