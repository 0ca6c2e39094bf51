"""lab.py as it stands in its file: whether it can be graded, and what keeps Python from reading it."""

from pathlib import Path, PurePath

from grader.protocol.words import visible

LARGEST = 1 << 20
_MERGE_MARKS = (b"<<<<<<< ", b">>>>>>> ")
_ARCHIVES_AND_DOCUMENTS = (b"PK\x03\x04", b"%PDF-", b"{\\rtf", b"\xd0\xcf\x11\xe0")  # zip, docx and odt; PDF, RTF, doc


def read_lab(lab: Path) -> bytes:
    """The bytes of a lab.py.  Raises OSError if it is missing, a link, over 1 MiB, or some other kind of file."""
    name = visible(str(lab))
    if lab.is_symlink():
        raise OSError(f"{name} is a link, and no link is graded; put the file that it leads to in its place")
    if not lab.is_file():
        raise OSError(f"{name} is not there, or is no ordinary file")
    if lab.stat().st_size > LARGEST:
        raise OSError(f"{name} is larger than 1 MiB; a lab.py is text, and far smaller")
    source = lab.read_bytes()
    if other := what_else(lab.name, source):
        raise OSError(f"{name} is {other}; hand in your lab.py itself, a text file in UTF-8")
    return source


def what_else(name: str, source: bytes) -> str:
    """What a file is instead of a lab.py, in a few words; empty if it may be one.

    >>> what_else("lab.docx", b"x"), what_else("lab.py", b'{"cells": []}'), what_else("lab.py", b"x = 1")
    ('a .docx file', 'a notebook', '')
    """
    ending = PurePath(name).suffix.lower()
    if ending == ".ipynb" or (source.lstrip().startswith(b"{") and b'"cells"' in source):
        return "a notebook"
    if ending not in (".py", ".txt", ""):
        return f"a {ending} file"
    if source.startswith(_ARCHIVES_AND_DOCUMENTS):
        return "a zip or a document"
    if b"\0" in source:
        return "no text in UTF-8"
    return "" if source.strip() else "empty"


def what_ails(source: bytes) -> str:
    """What keeps Python from reading a lab.py, in plain words; empty if that is nothing of the file's own.

    >>> what_ails(b"<<<<<<< HEAD")[:41]
    'There is a merge conflict in line 1: keep'
    """
    for number, line in enumerate(source.splitlines(), start=1):
        if line.startswith(_MERGE_MARKS):
            cure = "keep the lines that you want, and delete those that begin with <<<<<<<, ======= and >>>>>>>."
            return f"There is a merge conflict in line {number}: {cure}"
    return ""
