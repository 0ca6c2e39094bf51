"""lab.py as it stands in its file: whether it can be graded, and what keeps Python from reading it."""

from pathlib import Path

from grader.protocol.words import visible

LARGEST = 1 << 20
_MERGE_MARKS = (b"<<<<<<< ", b">>>>>>> ")


def read_lab(lab: Path) -> bytes:
    """The bytes of a lab.py.  Raises OSError if it is missing, no ordinary file, a link, or over 1 MiB."""
    name = visible(str(lab))
    if lab.is_symlink():
        raise OSError(f"{name} is a link, and no link is graded; put the file that it leads to in its place")
    if not lab.is_file():
        raise OSError(f"{name} is not there, or is no ordinary file")
    if lab.stat().st_size > LARGEST:
        raise OSError(f"{name} is larger than 1 MiB; a lab.py is text, and far smaller")
    return lab.read_bytes()


def what_ails(source: bytes) -> str:
    r"""What keeps Python from reading a lab.py, in plain words; empty if that is nothing of the file's own.

    >>> what_ails("answer = 'é'".encode("latin-1"))
    'Line 1 holds a character that is not in UTF-8, the encoding of Python files: save lab.py as UTF-8.'
    """
    if b"\0" in source:
        return "It is saved in UTF-16 or holds null characters, and Python files are in UTF-8: save lab.py as UTF-8."
    for number, line in enumerate(source.splitlines(), start=1):
        if line.startswith(_MERGE_MARKS):
            cure = "keep the lines that you want, and delete those that begin with <<<<<<<, ======= and >>>>>>>."
            return f"A merge conflict stands in line {number}: {cure}"
    names_its_encoding = any(b"coding" in line for line in source.splitlines()[:2])
    try:
        source.decode("latin-1" if names_its_encoding else "utf-8")
    except UnicodeDecodeError as error:
        number = source.count(b"\n", 0, error.start) + 1
        what = "a character that is not in UTF-8, the encoding of Python files"
        return f"Line {number} holds {what}: save lab.py as UTF-8."
    return ""
