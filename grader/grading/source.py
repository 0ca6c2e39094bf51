"""lab.py as it stands in its file: whether it can be graded, and what keeps Python from reading it."""

import codecs
import re
from pathlib import Path

from grader.protocol.words import visible

LARGEST = 1 << 20
_MARKERS = (b"<<<<<<< ", b">>>>>>> ")
_NAMED = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]{1,40})")  # the comment that Python looks for, PEP 263


def read_lab(lab: Path) -> bytes:
    """The bytes of a lab.py.  Raises OSError where it is missing, no ordinary file, a link, or over 1 MiB."""
    name = visible(str(lab))
    if lab.is_symlink():
        raise OSError(f"{name} is a link, and no link is graded; put the file that it leads to in its place")
    if not lab.is_file():
        raise OSError(f"{name} is not there, or is no ordinary file")
    if lab.stat().st_size > LARGEST:
        raise OSError(f"{name} is larger than 1 MiB; a lab.py is text, and far smaller")
    return lab.read_bytes()


def what_ails(source: bytes) -> str:
    r"""What keeps Python from reading a lab.py, in plain words; empty where that is nothing of the file's own.

    >>> what_ails("answer = 'é'".encode("latin-1"))
    'Line 1 holds a character that is not in UTF-8, the encoding of Python files: save lab.py as UTF-8.'
    """
    every_second = b"\0" in source[:100] and any(source[:100:2]) is not any(source[1:100:2])
    if every_second or source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "It is saved in UTF-16, and Python files are in UTF-8: save lab.py with the encoding UTF-8."
    for number, line in enumerate(source.splitlines(), start=1):
        if line.startswith(_MARKERS):
            cure = "keep the lines that you want, and delete those that begin with <<<<<<<, ======= and >>>>>>>."
            return f"A merge conflict stands in line {number}: {cure}"
    if b"\0" in source:
        number = source.count(b"\n", 0, source.index(b"\0")) + 1
        return f"Line {number} holds a null character, and no Python file may: delete it."
    named = next(filter(None, map(_NAMED.match, source.splitlines()[:2])), None)
    encoding = named[1].decode() if named else "UTF-8"
    try:
        if codecs.lookup(encoding).name not in ("punycode", "idna"):  # from which a long text takes minutes
            source.decode(encoding)
    except UnicodeDecodeError as error:
        number = source.count(b"\n", 0, error.start) + 1
        whose = "its first lines name" if named else "of Python files"
        return f"Line {number} holds a character that is not in {encoding}, the encoding {whose}: save lab.py as UTF-8."
    except (LookupError, UnicodeError):
        return f"Python cannot read the encoding {encoding}, named at its top: delete that, and save it as UTF-8."
    return ""
