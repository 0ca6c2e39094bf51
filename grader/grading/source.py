"""lab.py as it stands in its file: whether it can be graded, and what keeps Python from
reading it.
"""

import ast
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePath

from grader.judging.sentences import hint_for
from grader.protocol.words import harmless, in_utf8, visible
from grader.refusal import like

LARGEST = 1 << 20
_MERGE_MARKS = (b"<<<<<<< ", b">>>>>>> ")
_ARCHIVES_AND_DOCUMENTS = (
    b"PK\x03\x04",
    b"%PDF-",
    b"{\\rtf",
    b"\xd0\xcf\x11\xe0",
)  # zip, docx and odt; PDF, RTF, doc


@dataclass(frozen=True)
class Unreadable:
    """What keeps Python from reading a lab.py.

    `sentence` says it, with its line.  `line` is that line, and the columns from
    `first` to before `last` are those that Python marks, in characters; they are equal
    if it marks none.
    """

    sentence: str
    line: int
    first: int = 0
    last: int = 0


def read_lab(lab: Path) -> bytes:
    """The bytes of a lab.py.  Raises OSError if it is missing, a link, over 1 MiB, or
    some other kind of file.
    """
    name = visible(str(lab))
    if lab.is_symlink():
        raise OSError(
            f"{name} is a link, and no link is graded; put the file that it leads to in its place"
        )
    if not lab.is_file():
        raise OSError(f"{name} is not there, or is no ordinary file{_other_file(lab)}")
    if lab.stat().st_size > LARGEST:
        raise OSError(f"{name} is larger than 1 MiB; a lab.py is text, and far smaller")
    source = lab.read_bytes()
    if other := what_else(lab.name, source):
        raise OSError(
            f"{name} is {other}; hand in your lab.py itself, a text file in UTF-8"
        )
    return source


def _other_file(missing: Path) -> str:
    """The Python files in the same folder whose names are like that of a missing one,
    as the end of a sentence.
    """
    names = [
        visible(file.name) for file in missing.parent.glob("*.py") if file.is_file()
    ]
    near = like(missing.name, names, "")
    return near if near.endswith("?") else ""


def what_else(name: str, source: bytes) -> str:
    """What a file is instead of a lab.py, in a few words; empty if it may be one.

    >>> what_else("lab.docx", b"x"), what_else("lab.py", b'{"cells": []}'), what_else("lab.py", b"x = 1")
    ('a .docx file', 'a notebook', '')
    """
    ending = PurePath(name).suffix.lower()
    if ending == ".ipynb" or (
        source.lstrip().startswith(b"{") and b'"cells"' in source
    ):
        return "a notebook"
    if ending not in (".py", ".txt", ""):
        return f"a {ending} file"
    if source.startswith(_ARCHIVES_AND_DOCUMENTS):
        return "a zip or a document"
    if b"\0" in source:
        return "no text in UTF-8"
    return "" if source.strip() else "empty"


def what_ails(source: bytes) -> str:
    """What keeps Python from reading a lab.py, in a sentence; empty if that is nothing
    of the file's own.

    >>> what_ails(b"<<<<<<< HEAD")[:41]
    'There is a merge conflict in line 1: keep'
    >>> what_ails(b"x = 1")
    ''
    """
    unreadable = find_unreadable(source)
    return unreadable.sentence if unreadable else ""


def find_unreadable(source: bytes) -> Unreadable | None:
    """The first place of a lab.py that Python cannot read; None if it reads all of
    it.
    """
    source = in_utf8(source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<lab.py>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return _merge_conflict(source) or _unreadable(source, error)
    except (
        ValueError,
        RecursionError,
        MemoryError,
    ):  # the worker has met it as well, and says it
        pass
    return None


def _merge_conflict(source: bytes) -> Unreadable | None:
    for number, line in enumerate(source.splitlines(), start=1):
        if line.startswith(_MERGE_MARKS):
            cure = "keep the lines that you want, and delete those that begin with <<<<<<<, ======= and >>>>>>>."
            return Unreadable(
                f"There is a merge conflict in line {number}: {cure}", number
            )
    return None


def _unreadable(source: bytes, error: SyntaxError) -> Unreadable:
    """What Python says of a place, and what it may be."""
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
    """The columns of a line between which Python finds fault; twice 0 if they are not
    known.
    """
    indent = len(written) - len(written.lstrip())
    if isinstance(error, TabError):
        return 0, indent
    if isinstance(error, IndentationError) and not error.msg.startswith("expected"):
        return indent, indent + 1  # Python marks the end of the line
    counts_elsewhere = (
        error.text is not None and error.text.rstrip("\r\n") != written
    )  # within an f-string
    if counts_elsewhere or not error.offset:
        return 0, 0
    first = min(error.offset - 1, len(written))
    last = (
        (error.end_offset or 0) - 1
        if error.end_lineno == error.lineno
        else len(written)
    )
    return first, max(last, first + 1)


def line_of(source: bytes, number: int) -> str:
    """A line of a source in UTF-8, as it is written, without its end; empty if there is
    none.
    """
    lines = source.splitlines()
    return (
        lines[number - 1].decode("utf-8", "replace") if 0 < number <= len(lines) else ""
    )


def is_unwritten(source: bytes, names: Collection[str]) -> bool:
    """Whether lab.py defines all these functions and classes, and none of them does
    anything yet.

    >>> stub = b"def solve(game):\\n    'Solves it.'\\n    raise NotImplementedError\\n"
    >>> is_unwritten(stub, ["solve"]), is_unwritten(b"def solve(game): return {}", ["solve"])
    (True, False)
    """
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    definitions = [
        each for each in statements if isinstance(each, ast.FunctionDef | ast.ClassDef)
    ]
    of_these = [definition for definition in definitions if definition.name in names]
    return {each.name for each in of_these} == set(names) and all(
        map(_does_nothing, of_these)
    )


def _does_nothing(definition: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a function only raises NotImplementedError, or a class has only such
    functions.

    The `__init__` of a class may also keep what it is given.
    """
    statements = (
        definition.body[1:]
        if ast.get_docstring(definition) is not None
        else definition.body
    )
    if isinstance(definition, ast.ClassDef):
        return all(
            isinstance(each, ast.FunctionDef) and _does_nothing(each)
            for each in statements
        )
    if definition.name == "__init__" and all(map(_keeps_a_parameter, statements)):
        return True
    match statements:
        case [ast.Raise(exc=ast.Name(id="NotImplementedError"))]:
            return True
    return False


def _keeps_a_parameter(statement: ast.stmt) -> bool:
    """Whether this is `self.name = name`."""
    match statement:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
            value=ast.Name(id=value),
        ):
            return name == value
    return False


def line_of_definition(source: bytes, name: str) -> int:
    """The line in which lab.py first defines a function, a class or an answer at its
    top; 0 if nobody can tell.

    >>> line_of_definition(b"\\n\\nclass ZeroBy: pass", "ZeroBy"), line_of_definition(b"ANSWER_1 = ''", "ANSWER_1")
    (3, 1)
    """
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    for statement in statements:
        if (
            isinstance(statement, ast.FunctionDef | ast.ClassDef)
            and statement.name == name
        ):
            return statement.lineno
        if isinstance(statement, ast.Assign) and name in map(
            ast.unparse, statement.targets
        ):
            return statement.lineno
    return 0
