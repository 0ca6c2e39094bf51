"""Which names a function of lab.py may come to, as far as its text tells: rather too many than too few.

What it never comes to, it cannot call, and no run needs to find that out (consequences.py); nor does a change there
touch it (make watch).
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
_AT_THE_TOP = ""  # the name of all that is defined by none
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
    found, _ = _reached(source, names)
    return None if found & _BY_ANY_NAME else frozenset(found)


def code_behind(source: bytes, name: str) -> str:
    """What a name leads to, and what stands at the top of lab.py, as text without empty lines.

    >>> code_behind(b"def one(): two()\\ndef other(): pass\\ndef two(): pass\\n", "one")
    'def one(): two()\\ndef two(): pass'
    """
    texts, _, _ = _read(source)
    lines = "".join(texts[at] for at in sorted(_reached(source, [name])[1])).splitlines()
    return "\n".join(filter(str.strip, lines))


def begins_in(source: bytes) -> dict[str, list[int]]:
    """The lines in which lab.py begins each function or class, not within something.

    >>> begins_in(b"def one(): pass\\n\\ndef other(): pass\\ndef one(): pass")
    {'one': [1, 4], 'other': [3]}
    """
    text = source.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")
    text = _TEXT.sub(lambda found: "\n" * found[0].count("\n"), text)
    begins = dict[str, list[int]]()
    for number, line in enumerate(text.split("\n"), start=1):
        if _DEFINITION.match(line) and (found := _DEFINED.search(line)):
            begins.setdefault(found[1], []).append(number)
    return begins


def words_of(data: object) -> list[str]:
    """All words in data, some of which may be names of functions that a case hands over; in a drawing none is.

    >>> words_of({"state": {"tree": "start\\n  3"}, "by": "one"})
    ['state', 'tree', 'by', 'one']
    """
    return _NAME.findall(_DRAWING.sub("", repr(data)))


def _reached(source: bytes, names: Iterable[str]) -> tuple[set[str], set[int]]:
    """The names that these names lead to, and the statements in which they stand."""
    _, named, definitions = _read(source)
    found, waiting, read = set[str](), {_AT_THE_TOP, *names}, set[int]()
    while waiting:
        found.add(name := waiting.pop())
        for at in definitions.get(name, ()):
            if at not in read:
                read.add(at)
                waiting |= named[at] - found
    return found - {_AT_THE_TOP}, read


@functools.lru_cache(maxsize=1)
def _read(source: bytes) -> tuple[list[str], list[frozenset[str]], dict[str, list[int]]]:
    """The statements of lab.py, and the names in each; and for each name that is defined there, also within something,
    those that do so.

    Comments that have a line, and texts in three quotes, name nothing.
    """
    definitions, is_decorated = dict[str, list[int]](), False
    text = source.decode("utf-8", "replace").translate(_LINE_ENDS)
    text = _TEXT.sub(lambda found: "" if found["unread"] else found[0], text)
    statements = _STATEMENT.split(unicodedata.normalize("NFKC", text))
    for at, statement in enumerate(statements):
        if _DEFINITION.match(statement) and not is_decorated:
            for name in _DEFINED.findall(statement):
                definitions.setdefault(name, []).append(at)
        elif not _NEVER_RUN.match(statement):
            definitions.setdefault(_AT_THE_TOP, []).append(at)
        is_decorated = statement.startswith("@")
    return statements, [frozenset(_NAME.findall(statement)) for statement in statements], definitions
