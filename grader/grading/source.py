"""Reads lab.py as text, without running it.

The functions say whether lab.py can be graded, why Python cannot read it, and what it
defines.
"""

import ast
import re
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePath

from grader.protocol.text import harmless, in_utf8, visible
from grader.refusal import Refusal, like
from grader.verdicts.sentences import hint_for

LARGEST = 1 << 20
_MERGE_MARKS = (b"<<<<<<< ", b">>>>>>> ")
_CURE_OF_A_CONFLICT = (
    "keep the lines that you want, and delete those that begin with "
    "<<<<<<<, ======= and >>>>>>>."
)
# The first bytes of files that are no text: a zip, docx or odt; a PDF; an RTF; a doc.
_ARCHIVES_AND_DOCUMENTS = (b"PK\x03\x04", b"%PDF-", b"{\\rtf", b"\xd0\xcf\x11\xe0")
_KEEPS_PARAMETERS = re.compile(r"^self\.(\w+) = \1$", re.MULTILINE)
# The exceptions that Python may raise if it cannot read the text of a module.
CANNOT_READ = (SyntaxError, ValueError, RecursionError, MemoryError)


class NotALab(Refusal):
    """Raised if a file cannot be graded as a lab.py."""

    def __init__(self, name: str, reason: str) -> None:
        """`reason` continues a sentence that begins with the name of the file."""
        super().__init__(f"{name} {reason}")
        self.reason = reason


@dataclass(frozen=True)
class Unreadable:
    """The first place of a lab.py that Python cannot read, and the reason."""

    sentence: str  # says why Python cannot read it, with the line
    line: int  # from 1; 0 if no line is known
    # The first column that Python marks, in characters.  Equal to `last` if Python
    # marks no column.
    first: int = 0
    last: int = 0  # the column after the mark


def read_lab(lab: Path) -> bytes:
    """Return the bytes of a lab.py.

    Raises NotALab if the file is missing, is a link or a folder, or is larger than 1
    MiB.  Raises NotALab also if the file is empty, or is clearly not Python, such as a
    notebook or a PDF.  Raises OSError if the system cannot read the file.
    """
    name = visible(str(lab))
    if lab.is_symlink():
        raise NotALab(
            name,
            "is a link, and no link is graded; put the file that it leads to "
            "in its place",
        )
    if not lab.is_file():
        raise NotALab(
            name, f"is not there, or is not an ordinary file{_other_file(lab)}"
        )
    if lab.stat().st_size > LARGEST:
        raise NotALab(name, "is larger than 1 MiB; a lab.py is text, and far smaller")
    source = lab.read_bytes()
    if kind := what_else(lab.name, source):
        raise NotALab(
            name, f"is {kind}; the kit needs lab.py itself, a text file in UTF-8"
        )
    return source


def _other_file(missing: Path) -> str:
    """Return a question that proposes other Python files in the folder of a missing
    file.

    The names of these files are similar to the name of the missing file.  The question
    continues a sentence, as in "; do you mean lab1.py?".  The text is empty if the
    folder has no such file.
    """
    names = [
        visible(file.name) for file in missing.parent.glob("*.py") if file.is_file()
    ]
    near = like(missing.name, names, "")
    return near if near.endswith("?") else ""


def what_else(name: str, source: bytes) -> str:
    """Say what a file is if it is no lab.py.  The text is empty if the file may be a
    lab.py.

    >>> what_else("lab.docx", b"x"), what_else("lab.py", b'{"cells": []}')
    ('a .docx file', 'a notebook')
    >>> what_else("lab.py", b"x = 1")
    ''
    """
    ending = PurePath(name).suffix.lower()
    has_cells = source.lstrip().startswith(b"{") and b'"cells"' in source
    if ending == ".ipynb" or has_cells:
        return "a notebook"
    if ending not in (".py", ".txt", ""):
        return f"a {ending} file"
    if source.startswith(_ARCHIVES_AND_DOCUMENTS):
        return "a zip or a document"
    if b"\0" in source:
        return "no text in UTF-8"
    return "" if source.strip() else "empty"


def what_ails(source: bytes) -> str:
    """Describe the syntax error or the merge conflict that keeps Python from reading a
    lab.py.

    The text is empty if there is neither.

    >>> what_ails(b"<<<<<<< HEAD")[:41]
    'There is a merge conflict in line 1: keep'
    >>> what_ails(b"x = 1")
    ''
    """
    unreadable = find_unreadable(source)
    return unreadable.sentence if unreadable else ""


def find_unreadable(source: bytes) -> Unreadable | None:
    """Return the first syntax error in a lab.py.

    If a merge conflict has left its marks in the file, return the first of these marks
    instead.  Return None if there is no syntax error.
    """
    source = in_utf8(source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<lab.py>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return _merge_conflict(source) or _unreadable(source, error)
    except CANNOT_READ:  # the child gets the same exception from lab.py, and reports it
        pass
    return None


def _merge_conflict(source: bytes) -> Unreadable | None:
    for number, line in enumerate(source.splitlines(), start=1):
        if line.startswith(_MERGE_MARKS):
            conflict = f"There is a merge conflict in line {number}"
            return Unreadable(f"{conflict}: {_CURE_OF_A_CONFLICT}", number)
    return None


def _unreadable(source: bytes, error: SyntaxError) -> Unreadable:
    """Return the place of a syntax error, with what Python says about the error and
    with a hint.
    """
    reason = f"{type(error).__name__}: {harmless(error.msg)}"
    line = error.lineno or 0
    written = line_of(source, line)
    first, last = _marked(written, error)
    hint = hint_for("syntax", reason)
    if error.msg == "invalid syntax" and last > first:
        hint = hint_for("unknown syntax", f"{written[:first]}^{written[first:]}")
    where = f" (lab.py:{line})." if line else "."
    return Unreadable(f"{reason}{where} {hint}".rstrip(), line, first, last)


def _marked(written: str, error: SyntaxError) -> tuple[int, int]:
    """Return the first column to mark in the line of a syntax error, and the column
    after the mark.

    `written` is that line.  Both columns are 0 if they are not known.
    """
    indent = len(written) - len(written.lstrip())
    if isinstance(error, TabError):
        return 0, indent
    if isinstance(error, IndentationError) and not error.msg.startswith("expected"):
        return indent, indent + 1  # Python itself marks the end of the line.
    # If the error is in an f-string, Python may count columns from the start of the
    # inner expression, not of the line.
    in_an_f_string = error.text is not None and error.text.rstrip("\r\n") != written
    if in_an_f_string or not error.offset:
        return 0, 0
    first = min(error.offset - 1, len(written))
    last = len(written)
    if error.end_lineno == error.lineno:
        last = (error.end_offset or 0) - 1
    return first, max(last, first + 1)


def line_of(source: bytes, number: int) -> str:
    """Return the line with this number, without the characters that end it.

    `source` is a text in UTF-8, whose first line has the number 1.  The text is empty
    if there is no such line.
    """
    lines = source.splitlines()
    if not 0 < number <= len(lines):
        return ""
    return lines[number - 1].decode("utf-8", "replace")


def _statements(source: bytes) -> list[ast.stmt]:
    """Return the statements of a lab.py.  There are none if Python cannot read it."""
    try:
        return ast.parse(source).body
    except CANNOT_READ:
        return []


def is_unwritten(source: bytes, names: Collection[str]) -> bool:
    """Whether lab.py defines all functions and classes with these names, and none of
    them is written yet.

    If lab.py defines a name several times, the last definition counts, as in Python.

    >>> stub = b"def solve(game):\\n    'Solves it.'\\n    raise NotImplementedError\\n"
    >>> is_unwritten(stub, ["solve"])
    True
    >>> written = b"def solve(game): return {}\\n"
    >>> is_unwritten(written, ["solve"]), is_unwritten(written + stub, ["solve"])
    (False, True)
    """
    definitions = {
        statement.name: statement
        for statement in _statements(source)
        if isinstance(statement, ast.FunctionDef | ast.ClassDef)
        and statement.name in names
    }
    are_there = definitions.keys() == set(names)
    return are_there and all(map(_does_nothing, definitions.values()))


def _does_nothing(definition: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a function does nothing but raise NotImplementedError.

    A class does nothing if it only has methods that do nothing.  A method `__init__`
    does nothing, too, if it only stores its arguments, as in `self.name = name`.
    """
    statements = definition.body
    if ast.get_docstring(definition) is not None:
        statements = statements[1:]
    if isinstance(definition, ast.ClassDef):
        return all(
            isinstance(statement, ast.FunctionDef) and _does_nothing(statement)
            for statement in statements
        )
    try:
        written = "\n".join(map(ast.unparse, statements))
    except RecursionError:
        return False  # a stub has no expression that is nested so deeply
    return written == "raise NotImplementedError" or (
        definition.name == "__init__" and not _KEEPS_PARAMETERS.sub("", written).strip()
    )


def line_of_definition(source: bytes, name: str) -> int:
    """Return the number of the line in which lab.py first defines a function, a class
    or an answer.

    Only definitions at the top level count.  Return 0 if there is none.

    >>> line_of_definition(b"\\n\\nclass ZeroBy: pass", "ZeroBy")
    3
    >>> line_of_definition(b"ANSWER_1 = ''", "ANSWER_1")
    1
    """
    for statement in _statements(source):
        names = []
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names = [statement.name]
        elif isinstance(statement, ast.Assign):
            names = [ast.unparse(target) for target in statement.targets]
        if name in names:
            return statement.lineno
    return 0
