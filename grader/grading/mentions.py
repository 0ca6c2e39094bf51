"""Which names a function of lab.py may come to, as far as its text tells: rather too many than too few.

What it never comes to, it cannot call, and no run needs to find that out (consequences.py).
"""

import functools
import re
import unicodedata
from collections.abc import Iterable

_TEXT = re.compile(
    r"""(?P<unread>^[ \t]*\#[^\n]*|(?<![fFtT])(?<![fFtT][rR])(?P<three>"{3}|'{3})(?:\\.|(?!(?P=three)).)*(?P=three))
    |(?P<other>"{3}|'{3})(?:\\.|(?!(?P=other)).)*((?P=other)|\Z)|\#[^\n]*|(?P<one>["'])(?:\\.|(?!(?P=one))[^\n])*(?P=one)?""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_LINE_ENDS = str.maketrans({"\r": "\n", "\f": None, "\ufeff": None})
_STATEMENT = re.compile(r"^(?=[^\s)\]}])", re.MULTILINE)
_DEFINITION = re.compile(r"(?:async\s+)?(?:def|class)\s+\w")
_DEFINED, _NAME = re.compile(r"\b(?:def|class)\s+(\w+)"), re.compile(r"[^\W\d]\w*")
_DRAWING = re.compile(r"'[^']*\\n[^']*'")  # as repr shows a text of some lines
_NEVER_RUN = re.compile(r"if\s+__name__\s*==\s*[\"']__main__[\"']\s*:")  # as lab.py is never a program here
_BY_ANY_NAME = set(
    _NAME.findall(
        "globals locals vars eval exec compile getattr modules importlib inspect gc ctypes operator pickle "
        "__dict__ __globals__ f_globals __getattribute__ __import__ __builtins__ __subclasses__"
    )
)


def named_from(source: bytes, names: Iterable[str]) -> frozenset[str] | None:
    """All names that stand in what these names lead to, or at the top of lab.py; None where they may be any.

    >>> source = b"TOP = 1\\ndef one(): two()\\ndef two(): return three\\ndef four(): globals()\\n"
    >>> sorted(named_from(source, ["one"])), named_from(source, ["four"])
    (['TOP', 'def', 'one', 'return', 'three', 'two'], None)
    """
    at_the_top, definitions = _read(source)
    found, waiting, read = set[str](), {*at_the_top, *names}, set[int]()
    while waiting:
        found.add(name := waiting.pop())
        for named in definitions.get(name, ()):
            if id(named) not in read:
                read.add(id(named))
                waiting |= named - found
    return None if found & _BY_ANY_NAME else frozenset(found)


def words_of(data: object) -> list[str]:
    """All words in data, some of which may be names of functions that a case hands over; in a drawing none is.

    >>> words_of({"state": {"tree": "start\\n  3"}, "by": "one"})
    ['state', 'tree', 'by', 'one']
    """
    return _NAME.findall(_DRAWING.sub("", repr(data)))


@functools.lru_cache(maxsize=1)
def _read(source: bytes) -> tuple[set[str], dict[str, list[frozenset[str]]]]:
    """The names at the top of lab.py; and for each that is defined there, also within something, what that names.

    Comments that have a line, and texts in three quotes, name nothing.
    """
    at_the_top, is_decorated = set[str](), False
    definitions: dict[str, list[frozenset[str]]] = {}
    text = source.decode("utf-8", "replace").translate(_LINE_ENDS)
    text = _TEXT.sub(lambda found: "" if found["unread"] else found[0], text)
    for statement in _STATEMENT.split(unicodedata.normalize("NFKC", text)):
        names = frozenset(_NAME.findall(statement))
        if _DEFINITION.match(statement) and not is_decorated:
            for name in _DEFINED.findall(statement):
                definitions.setdefault(name, []).append(names)
        elif not _NEVER_RUN.match(statement):
            at_the_top |= names
        is_decorated = statement.startswith("@")
    return at_the_top, definitions
