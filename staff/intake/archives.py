"""Reads the files of students from folders and zips, one file at a time.

The module writes nothing to the disk, runs nothing, and follows no link that it finds
in a folder or zip.
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
# The methods of compression that the kit reads.  With any other method, Python may
# unpack many more bytes than it is asked for.
_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LARGEST_ZIP = 32 << 20
# If a student hands in a file again, course systems add a number to its name, as in
# lab-1.py.
_LAB = re.compile(r"lab(?:[-_ ]?\(?\d+\)?)?\.py", re.IGNORECASE)
_LIKE_LAB = re.compile(r".*lab.*\.(?:py|txt)$", re.IGNORECASE)
# The kit keeps the bytes of a file whose name has one of these endings.  So a person
# can still decide that the file is a lab.py.
_OF_TEXTS = (".py", ".txt")
_OTHER_NAME = "it is not named lab.py, and the staff have not accepted it (`ready`)"


class Unreadable(Exception):
    """Raised if a file cannot be read, or must not be read.

    The text says why, as the end of a sentence whose subject is the file.
    """


@dataclass(frozen=True)
class Item:
    """A file or a link in a folder or zip."""

    path: str  # its path in the folder or zip, with slashes
    size: int  # in bytes, as the folder or zip states it
    # A function that returns the bytes of the file.  Its argument is the largest number
    # of bytes that the file may have.  It raises Unreadable if the file has more bytes,
    # or if the file cannot be read.
    read: Callable[[int], bytes]


def items_of(folder: Path) -> Iterator[Item]:
    """Yield the files and links in a folder and in its subfolders.

    Files and folders with a name in _IGNORED are left out.  Raises Refusal if the
    folder or a subfolder cannot be read.
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

    Without this error, the files of the folder would be missing, and nobody would
    notice.
    """
    raise Refusal(
        f"{error.filename} cannot be read ({error.strerror}); "
        "make it readable, or take it out of FROM="
    )


def items_of_zip(archive: Path | bytes) -> Iterator[Item]:
    """Yield the files and links in a zip.

    Files and folders with a name in _IGNORED are left out.  Raises Unreadable if this
    is not a readable zip.
    """
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
    """Return a function that opens a file with `opens`, and returns its bytes.

    The argument of that function is the largest number of bytes that the file may have.
    The function raises Unreadable if the file has more bytes, if the file cannot be
    read, or if `is_sound` is false.
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
    """The bytes of a file that was handed in, or the reason why it is not a lab.py."""

    data: bytes = b""  # the bytes to keep; empty if the file is not kept
    reason: str = ""  # says why the file is not a lab.py; empty if it is one


def is_lab(name: str) -> bool:
    """Whether a file has a name that students or systems give to a lab.py.

    >>> [is_lab(name) for name in ("lab.py", "Lab-2.py", "lab (1).py")]
    [True, True, True]
    >>> [is_lab(name) for name in ("my_lab.py", "lab.ipynb")]
    [False, False]
    """
    return bool(_LAB.fullmatch(PurePosixPath(name).name))


def is_like_a_lab(name: str) -> bool:
    """Whether the name of a file suggests that the file is a lab.py.

    >>> [is_like_a_lab(name) for name in ("lab.py.txt", "LAB.txt", "lab_final.py")]
    [True, True, True]
    >>> [is_like_a_lab(name) for name in ("my_lab.py", "games.py")]
    [True, False]
    """
    return bool(_LIKE_LAB.match(PurePosixPath(name).name))


def typed_content(name: str, system: str) -> Content:
    """Return the Content of a text or a link that a student typed into a system.

    The Content has no bytes.  It says why the text or the link is not a lab.py.
    """
    typed = f"text that was typed into {system}"
    if PurePosixPath(name).stem == "link":
        typed = "a link"
    return Content(reason=f"it is {typed}, not a file")


def content_of(item: Item, name: str, is_named: bool) -> Content:
    """Return the Content of a file to which a student gave the name `name`.

    For a zip, this is the Content of the lab.py in it.  `is_named` says whether the
    name or the folder of the file shows that the file is a lab.py.
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
    """Return the Content of the only lab.py in a zip.

    If the zip has no lab.py, or several, the Content has no bytes, and its `reason`
    says so.  Raises Unreadable if the zip or its lab.py cannot be read.
    """
    inner = items_of_zip(item.read(LARGEST_ZIP))
    labs = [file for file in inner if is_lab(file.path)]
    if len(labs) != 1:
        return Content(reason=f"it is a zip with {len(labs) or 'no'} lab.py")
    return _content(labs[0], is_named=True)


def _content(item: Item, is_named: bool) -> Content:
    """Return the Content of a file that may hold Python.

    Raises Unreadable if the file cannot be read.
    """
    data = item.read(LARGEST)
    other_kind = what_else("lab.py", data)
    if other_kind:
        return Content(data, f"it is {other_kind}")
    if not is_named:
        return Content(data, _OTHER_NAME)
    return Content(data)
