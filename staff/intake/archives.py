"""Reads folders and zips of what was handed in, file by file.

Nothing is unpacked to the disk or run, and no link is followed.
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

_IGNORED = {
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
_ENCRYPTED = 1  # a flag of an entry in a zip
# The methods of compression that the kit reads.  With any other method, Python would
# unpack a whole file at once, however large it is.
_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LARGEST_ZIP = 32 << 20
# If a file is handed in again, course systems add a number to its name: lab-1.py.
_LAB = re.compile(r"lab(?:[-_ ]?\(?\d+\)?)?\.py", re.IGNORECASE)
_LIKE_LAB = re.compile(r".*lab.*\.(?:py|txt)$", re.IGNORECASE)
# The bytes of files with these endings are kept, so that a person can still say that
# one is a lab.py.
_OF_TEXTS = (".py", ".txt")
_OTHER_NAME = "it is not named lab.py; if it is one, write `ready`"


class Unreadable(Exception):
    """Raised if a file cannot be read.

    The text says why, as the end of a sentence that begins with the name of the file.
    """


@dataclass(frozen=True)
class Item:
    """A file in a folder or zip."""

    path: str  # its path in the folder or zip, with slashes
    size: int  # in bytes, as the folder or zip states it
    # Returns the bytes of the file.  The argument is the most bytes that it may have.
    # Raises Unreadable if the file has more.
    read: Callable[[int], bytes]


def items_of(folder: Path) -> Iterator[Item]:
    """Yield the files of a folder and the links in it.

    Raises Refusal if a folder cannot be read.
    """
    for place, folders, names in os.walk(folder, onerror=_refuse_closed_folder):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = sorted(set(folders) - _IGNORED)
        for name in sorted({*names, *linked} - _IGNORED):
            file = Path(place) / name
            is_sound = file.is_file() and not file.is_symlink()
            read = _reader(functools.partial(io.FileIO, file), is_sound)
            yield Item(file.relative_to(folder).as_posix(), file.lstat().st_size, read)


def _refuse_closed_folder(error: OSError) -> None:
    """Raise Refusal because a folder cannot be read.

    Otherwise the files of the folder would be left out, and nobody would notice.
    """
    raise Refusal(
        f"{error.filename} cannot be read ({error.strerror}); "
        "make it readable, or take it out of FROM="
    )


def items_of_zip(archive: Path | bytes) -> Iterator[Item]:
    """Yield the files of a zip.  Raises Unreadable."""
    file = io.BytesIO(archive) if isinstance(archive, bytes) else archive
    try:
        opened = zipfile.ZipFile(file)
    except _BROKEN:
        raise Unreadable("is not a readable zip") from None
    for info in opened.infolist():
        path = info.filename.replace("\\", "/")
        names = path.split("/")
        is_file = bool(path) and not info.is_dir()
        is_ignored = bool(_IGNORED & set(names)) or names[-1].startswith("._")
        if is_file and not is_ignored:
            is_link = stat.S_ISLNK(info.external_attr >> 16)
            is_encrypted = bool(info.flag_bits & _ENCRYPTED)
            is_bounded = info.compress_type in _BOUNDED
            is_sound = is_bounded and not (is_link or is_encrypted or ".." in names)
            read = _reader(functools.partial(opened.open, info), is_sound)
            yield Item(path, info.file_size, read)


def _reader(opens: Callable[[], IO[bytes]], is_sound: bool) -> Callable[[int], bytes]:
    """Return a function that reads a file, and that refuses a link or an encrypted
    file.

    The argument of that function is the largest number of bytes that it reads.  The
    size that the folder or zip states does not matter, since it may be wrong.
    """

    def read(most: int) -> bytes:
        if not is_sound:
            raise Unreadable("is a link, encrypted, or not an ordinary file")
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
class Content:
    """The content of a file that is, or may be, a lab.py."""

    data: bytes = b""  # the bytes to keep; empty if the file is not kept
    reason: str = ""  # says why the file is not a lab.py; empty if it is one


def is_lab(name: str) -> bool:
    """Whether a file has a name that students and systems give to a lab.py.

    >>> [is_lab(name) for name in ("lab.py", "Lab-2.py", "lab (1).py")]
    [True, True, True]
    >>> [is_lab(name) for name in ("my_lab.py", "lab.ipynb")]
    [False, False]
    """
    return bool(_LAB.fullmatch(PurePosixPath(name).name))


def is_like_a_lab(name: str) -> bool:
    """Whether a file may be a lab.py under another name.

    >>> [is_like_a_lab(name) for name in ("lab.py.txt", "LAB.txt", "lab_final.py")]
    [True, True, True]
    >>> [is_like_a_lab(name) for name in ("my_lab.py", "games.py")]
    [True, False]
    """
    return bool(_LIKE_LAB.match(PurePosixPath(name).name))


def typed_content(name: str, system: str) -> Content:
    """The content of a text or a link that a student typed into a system."""
    typed = f"text that was typed into {system}"
    if PurePosixPath(name).stem == "link":
        typed = "a link"
    return Content(reason=f"it is {typed}, not a file")


def content_of(item: Item, name: str, is_named: bool) -> Content:
    """Read a file to which a student gave the name `name`, and return its content.

    `is_named` says whether the name or the place of the file shows that it is a lab.py.
    """
    ending = PurePosixPath(name).suffix.lower()
    try:
        if ending == ".zip":
            return _content_of_zip(item)
        if not is_named and ending not in _OF_TEXTS:
            return Content(reason=f"it is {what_else(name, b'?') or 'no lab.py'}")
        return _content(item, is_named)
    except Unreadable as error:
        return Content(reason=f"it {error}")


def _content_of_zip(item: Item) -> Content:
    """The content of a zip, which must contain exactly one lab.py.  Raises
    Unreadable.
    """
    inner = items_of_zip(item.read(LARGEST_ZIP))
    labs = [file for file in inner if is_lab(file.path)]
    if len(labs) != 1:
        return Content(reason=f"it is a zip with {len(labs) or 'no'} lab.py")
    return _content(labs[0], is_named=True)


def _content(item: Item, is_named: bool) -> Content:
    """The content of a file that may hold Python.  Raises Unreadable."""
    data = item.read(LARGEST)
    other_kind = what_else("lab.py", data)
    if other_kind:
        return Content(data, f"it is {other_kind}")
    if not is_named:
        return Content(data, _OTHER_NAME)
    return Content(data)
