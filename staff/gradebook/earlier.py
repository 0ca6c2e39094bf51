"""Reads submissions of earlier terms from the folder that `make similar WITH=`
names.
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

_QUERY = "SELECT source, bytes FROM submission JOIN lab USING (sha256) ORDER BY source"


@dataclass(frozen=True)
class Earlier:
    """The submissions of earlier terms."""

    # The name of each file; the key is the bytes of the file.
    files: dict[bytes, str] = field(default_factory=dict)
    # The files that cannot be read, each with why, as the end of a sentence.
    unreadable: list[tuple[str, str]] = field(default_factory=list)


def read_earlier(folder: Path) -> Earlier:
    """Read each Python file in a folder, also those in its zips and in its stores.

    A store is the database of an earlier class.  If several files have the same bytes,
    only the first name is kept.  Raises Refusal if there is no such folder or it cannot
    be read, if it has no Python file that can be read, or if a store belongs to this
    class.
    """
    if not folder.is_dir():
        raise Refusal(
            f"there is no folder {folder}; "
            "WITH= is a folder with the submissions of earlier terms"
        )
    earlier = Earlier()
    for item in items_of(folder):
        try:
            items = list(_python_files(folder, item))
        except Unreadable as error:
            earlier.unreadable.append((item.path, str(error)))
            continue
        for python_file in items:
            _add(earlier, python_file)
    if not earlier.files:
        raise Refusal(
            f"{folder} contains no Python file, zip or grades.db; "
            "WITH= is a folder with earlier submissions"
        )
    return earlier


def _add(earlier: Earlier, item: Item) -> None:
    """Add a Python file to the submissions of earlier terms.

    If the file cannot be read, add it to the files that cannot be read.
    """
    try:
        earlier.files.setdefault(item.read(LARGEST), item.path)
    except Unreadable as error:
        earlier.unreadable.append((item.path, str(error)))


def _python_files(folder: Path, item: Item) -> Iterator[Item]:
    """Yield the Python files in a zip or a store, or the file itself if it is Python.

    Nothing is yielded for any other file.  Raises Unreadable, or Refusal if the file is
    the store of this class.
    """
    path = PurePosixPath(item.path)
    ending = path.suffix.lower()
    if path.name == FILE.name:
        yield from _files_of_store(folder / path, item.path)
    elif ending == ".zip":
        for inner in items_of_zip(item.read(LARGEST_ZIP)):
            if inner.path.lower().endswith(".py"):
                yield replace(inner, path=f"{path}/{inner.path}")
    elif ending == ".py":
        yield item


def _files_of_store(file: Path, name: str) -> Iterator[Item]:
    """Yield the submissions in a store, which is a file called grades.db.

    Raises Unreadable, or Refusal if the store belongs to this class.
    """
    if file.samefile(FILE):
        raise Refusal(
            f"{file} is the store of this class; "
            "WITH= is a folder with earlier submissions"
        )
    address = f"{file.absolute().as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as db:
            rows = db.execute(_QUERY).fetchall()
    except sqlite3.Error:
        raise Unreadable("cannot be read") from None
    for source, data in rows:
        read = functools.partial(_stored, bytes(data))
        yield Item(f"{name}: {source}", len(data), read)


def _stored(data: bytes, _most: int) -> bytes:
    """Return the bytes of a submission in a store.

    `_most` limits how many bytes other readers read.  It has no effect here, because
    the bytes are in memory already.
    """
    return data
