"""Folders and zips of what was handed in, as items to be read.  Nothing is unpacked to disk, run, or followed."""

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.refusal import Refusal

MOST_FILES = 100_000
_PASSED_OVER = {".git", ".venv", "node_modules", "__pycache__", "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


class Unreadable(Exception):
    """The text says why an item cannot be read, as the end of a sentence that begins with its name."""


@dataclass(frozen=True)
class Item:
    """A file in a folder or zip: its path in there with slashes, and its size in bytes, as stated there.

    `read` gives its bytes, if they are at most so many; else it raises Unreadable.
    """

    path: str
    size: int
    read: Callable[[int], bytes]


def items_of(folder: Path) -> Iterator[Item]:
    """The files of a folder.  Raises Refusal if there are too many for a download."""
    count = 0
    for place, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = sorted(set(folders) - _PASSED_OVER)
        for name in sorted({*names, *linked} - _PASSED_OVER):
            count += 1
            if count > MOST_FILES:
                raise Refusal(f"{folder} holds more than {MOST_FILES:,} files; is it the folder of the downloads?")
            file = Path(place) / name
            yield Item(file.relative_to(folder).as_posix(), file.lstat().st_size, _reader_of(file))


def _reader_of(file: Path) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        try:
            if file.is_symlink() or not file.is_file():
                raise Unreadable("is a link, and is not followed" if file.is_symlink() else "is no ordinary file")
            with file.open("rb") as stream:
                return _within(stream.read(most + 1), most)
        except OSError as error:
            raise Unreadable(f"cannot be read ({error.strerror})") from None

    return read


def _within(data: bytes, most: int) -> bytes:
    if len(data) > most:
        raise Unreadable(f"is larger than {most >> 20} MiB")
    return data


def items_of_zip(archive: Path | bytes) -> list[Item]:
    """The files of a zip.  Raises Unreadable."""
    try:
        opened = zipfile.ZipFile(io.BytesIO(archive) if isinstance(archive, bytes) else archive)
    except _BROKEN:
        raise Unreadable("is no zip, or a damaged one") from None
    if len(opened.infolist()) > MOST_FILES:
        raise Unreadable(f"holds more than {MOST_FILES:,} files")
    items = []
    for info in opened.infolist():
        path = info.filename.replace("\\", "/")
        names = path.split("/")
        if path and not info.is_dir() and not _PASSED_OVER & set(names) and not names[-1].startswith("._"):
            items.append(Item(path, info.file_size, _reader_in(opened, info, path)))
    return items


def _reader_in(opened: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> Callable[[int], bytes]:
    reasons = {
        "has a name that leads out of its zip": ".." in path.split("/") or path[:1] == "/" or path[1:2] == ":",
        "is encrypted": info.flag_bits & 1,
        "is a link, and is not followed": stat.S_ISLNK(info.external_attr >> 16),
        "is packed in a way that is not read": info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED),
    }

    def read(most: int) -> bytes:
        for reason, holds in reasons.items():
            if holds:
                raise Unreadable(reason)
        try:
            with opened.open(info) as stream:
                data = stream.read(most + 1)  # whatever size the zip states
        except _BROKEN:
            raise Unreadable("is damaged") from None
        return _within(data, most)

    return read
