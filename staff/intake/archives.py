"""Folders and zips of what was handed in, as items to be read, and which of these are a
lab.py.

Nothing is unpacked to disk, run, or followed.
"""

import functools
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from grader.grading.source import LARGEST, what_else
from grader.refusal import Refusal

_PASSED_OVER = {
    ".git",
    ".venv",
    "node_modules",
    "__pycache__",
    "__MACOSX",
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
}
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
_ENCRYPTED = 1
LARGEST_ZIP = 32 << 20
_LAB = re.compile(
    r"lab(?:[-_ ]?\(?\d+\)?)?\.py", re.IGNORECASE
)  # a system numbers what is handed in again
_LIKE_LAB = re.compile(r".*lab.*\.(?:py|txt)$", re.IGNORECASE)
_OF_TEXTS = (
    ".py",
    ".txt",
)  # whose bytes are kept, so that a person can say that such a file is a lab.py
_OTHER_NAME = "it is not named lab.py; if it is one, write `ready`"


class Unreadable(Exception):
    """The text says why an item cannot be read, as the end of a sentence that begins
    with its name.
    """


@dataclass(frozen=True)
class Item:
    """A file in a folder or zip: its path in there with slashes, and its size in bytes,
    as stated there.

    `read` gives its bytes, if they are at most so many; else it raises Unreadable.
    """

    path: str
    size: int
    read: Callable[[int], bytes]


def items_of(folder: Path) -> Iterator[Item]:
    """The files of a folder, and the links in it.  Raises Refusal."""
    for place, folders, names in os.walk(folder, onerror=_refuse_closed_folder):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = sorted(set(folders) - _PASSED_OVER)
        for name in sorted({*names, *linked} - _PASSED_OVER):
            file = Path(place) / name
            is_sound = file.is_file() and not file.is_symlink()
            read = _reader(functools.partial(io.FileIO, file), is_sound)
            yield Item(file.relative_to(folder).as_posix(), file.lstat().st_size, read)


def _refuse_closed_folder(error: OSError) -> None:
    """Raise Refusal for a folder that cannot be read: files in it would be passed over,
    and nobody would know.
    """
    raise Refusal(
        f"{error.filename} cannot be read ({error.strerror}); allow that, or take it out of FROM="
    )


def items_of_zip(archive: Path | bytes) -> Iterator[Item]:
    """The files of a zip.  Raises Unreadable."""
    try:
        opened = zipfile.ZipFile(
            io.BytesIO(archive) if isinstance(archive, bytes) else archive
        )
    except _BROKEN:
        raise Unreadable("is no zip that can be read") from None
    for info in opened.infolist():
        path = info.filename.replace("\\", "/")
        names = path.split("/")
        if (
            path
            and not info.is_dir()
            and not _PASSED_OVER & set(names)
            and not names[-1].startswith("._")
        ):
            is_link = stat.S_ISLNK(info.external_attr >> 16)
            is_bounded = info.compress_type in (
                zipfile.ZIP_STORED,
                zipfile.ZIP_DEFLATED,
            )  # others unpack all at once
            is_sound = is_bounded and not (
                is_link or info.flag_bits & _ENCRYPTED or ".." in names
            )
            yield Item(
                path,
                info.file_size,
                _reader(functools.partial(opened.open, info), is_sound),
            )


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


@dataclass(frozen=True)
class Lab:
    """The bytes of what is, or may be, a lab.py; `reason` says why it is none, and is
    empty if it is one.
    """

    data: bytes = b""
    reason: str = ""


def is_lab(name: str) -> bool:
    """Whether a file has the name of a lab.py, as students and systems write it.

    >>> [is_lab(name) for name in ("lab.py", "Lab-2.py", "lab (1).py", "my_lab.py", "lab.ipynb")]
    [True, True, True, False, False]
    """
    return bool(_LAB.fullmatch(PurePosixPath(name).name))


def is_like_a_lab(name: str) -> bool:
    """Whether a file may be a lab.py under another name.

    >>> [is_like_a_lab(name) for name in ("lab.py.txt", "LAB.txt", "lab_final.py", "my_lab.py", "games.py")]
    [True, True, True, True, False]
    """
    return bool(_LIKE_LAB.match(PurePosixPath(name).name))


def typed_lab(name: str, system: str) -> Lab:
    """What was handed in without a file: a text that was typed into the system, or a
    link.
    """
    what = (
        "a link"
        if PurePosixPath(name).stem == "link"
        else f"text that was typed into {system}"
    )
    return Lab(reason=f"it is {what}, and no file")


def read_lab(item: Item, name: str, is_named: bool) -> Lab:
    """What a file holds; `is_named` says that its place tells that it is a lab.py,
    whatever its name.
    """
    ending = PurePosixPath(name).suffix.lower()
    try:
        if ending == ".zip":
            labs = [
                inner
                for inner in items_of_zip(item.read(LARGEST_ZIP))
                if is_lab(inner.path)
            ]
            if len(labs) != 1:
                return Lab(reason=f"it is a zip with {len(labs) or 'no'} lab.py")
            item, is_named = labs[0], True
        elif not is_named and ending not in _OF_TEXTS:
            return Lab(reason=f"it is {what_else(name, b'?') or 'no lab.py'}")
        data = item.read(LARGEST)
    except Unreadable as error:
        return Lab(reason=f"it {error}")
    other = what_else("lab.py", data)
    if other:
        return Lab(data, f"it is {other}")
    return Lab(data, "" if is_named else _OTHER_NAME)
