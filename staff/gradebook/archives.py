"""Folders and zips of what was handed in, as items to be read.  Nothing is unpacked to disk, run, or followed."""

import functools
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_PASSED_OVER = {".git", ".venv", "node_modules", "__pycache__", "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)
_ENCRYPTED = 1


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
    """The files of a folder, and the links in it."""
    for place, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = sorted(set(folders) - _PASSED_OVER)
        for name in sorted({*names, *linked} - _PASSED_OVER):
            file = Path(place) / name
            is_sound = file.is_file() and not file.is_symlink()
            read = _reader(functools.partial(io.FileIO, file), is_sound)
            yield Item(file.relative_to(folder).as_posix(), file.lstat().st_size, read)


def items_of_zip(archive: Path | bytes) -> Iterator[Item]:
    """The files of a zip.  Raises Unreadable."""
    try:
        opened = zipfile.ZipFile(io.BytesIO(archive) if isinstance(archive, bytes) else archive)
    except _BROKEN:
        raise Unreadable("is no zip that can be read") from None
    for info in opened.infolist():
        path = info.filename.replace("\\", "/")
        names = path.split("/")
        if path and not info.is_dir() and not _PASSED_OVER & set(names) and not names[-1].startswith("._"):
            is_link = stat.S_ISLNK(info.external_attr >> 16)
            is_bounded = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack all at once
            is_sound = is_bounded and not (is_link or info.flag_bits & _ENCRYPTED or ".." in names)
            yield Item(path, info.file_size, _reader(functools.partial(opened.open, info), is_sound))


def _reader(opens: Callable[[], IO[bytes]], is_sound: bool) -> Callable[[int], bytes]:
    """What reads a file, whatever size its folder or zip states."""

    def read(most: int) -> bytes:
        if not is_sound:
            raise Unreadable("is a link, encrypted, or no ordinary file")
        try:
            with opens() as stream:
                data = stream.read(most + 1)
        except _BROKEN:
            raise Unreadable("cannot be read") from None
        if len(data) > most:
            raise Unreadable(f"is larger than {most >> 20} MiB")
        return data

    return read
