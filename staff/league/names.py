"""Reads the names of players from submissions, cleans them, and makes them unique.

A submission takes part only if it sets LEAGUE_NAME.  The name is read as text, so no
code of the submission runs.  Staff can replace a name in grades/league_names.csv, whose
lines have the `id` of a student and a `name`.
"""

import ast
import unicodedata
import warnings
from collections.abc import Collection

from grader.grading.source import CANNOT_READ
from grader.protocol.text import harmless, in_utf8
from grader.refusal import Refusal
from staff.intake.spreadsheet import ids_of, lines_of
from staff.store import GRADES

FIELD = "LEAGUE_NAME"
LONGEST = 30  # characters of a name
REPLACED = GRADES / "league_names.csv"
_NAME = "grades/league_names.csv"


def league_name(source: bytes) -> str:
    """The LEAGUE_NAME of a lab.py, cleaned.

    It is empty if lab.py has none, if it is not a text in quotes, or if lab.py cannot
    be read.  If lab.py sets LEAGUE_NAME several times, the last time counts, as in
    Python.

    >>> league_name(b"LEAGUE_NAME = None\\nLEAGUE_NAME = '  Deep\\\\tYellow '")
    'Deep Yellow'
    >>> league_name(b"LEAGUE_NAME = input()"), league_name(b"LEAGUE_NAME = (")
    ('', '')
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statements = ast.parse(in_utf8(source)).body
    except CANNOT_READ:
        return ""
    name = ""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id="LEAGUE_NAME")], value=value):
                name = _text(value)
            case ast.AnnAssign(target=ast.Name(id="LEAGUE_NAME"), value=value):
                name = _text(value)
    return cleaned(name)


def _text(value: ast.expr | None) -> str:
    """The text that a string literal holds; empty for any other expression."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    return ""


def cleaned(name: str) -> str:
    """Return a name that students chose as one short line, which everybody may see.

    Control characters are written as escapes.

    >>> cleaned("Ada\\n\\x1b[31m")
    'Ada \\\\x1b[31m'
    """
    return harmless(" ".join(unicodedata.normalize("NFC", name).split()), LONGEST)


def unique(name: str, taken: Collection[str]) -> str:
    """Return `name`, or `name` with a number behind it if somebody already has `name`.

    Upper and lower case do not make names different, and neither does the width of
    letters.

    >>> unique("ada", ["Ada", "Ada (2)"])
    'ada (3)'
    """
    keys = {_key(other) for other in taken}
    number = 1
    new = name
    while _key(new) in keys:
        number += 1
        new = f"{name} ({number})"
    return new


def _key(name: str) -> str:
    """A name in a form in which it can be compared."""
    return unicodedata.normalize("NFKC", name).casefold()


def replaced_names(ids: Collection[str]) -> dict[str, str]:
    """Read the names that staff chose.  The key is the id of a student.

    Raises Refusal if grades/league_names.csv cannot be used.
    """
    names = dict[str, str]()
    lines = []
    if REPLACED.exists():
        lines = lines_of(REPLACED.read_bytes(), _NAME, ("id", "name"))
    for where, row in lines:
        name = cleaned(row["name"])
        if not (row["id"] and name):
            raise Refusal(f"{where}: a line has an id and a name")
        for id in ids_of(row["id"], ids, where):
            names[id] = name
    return names
