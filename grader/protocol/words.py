"""Plain data in words, and a student's text made harmless.

Nobody sees what a student printed, named or raised as it came: it is cut, its control
characters are spelled out, and addresses become `0x…`.
"""

import re
from typing import Any

from grader.protocol.plain import Garbled, encoded

_NAMES_ITS_ENCODING = re.compile(rb"(?:.*\n)?[ \t\f]*#.*coding[:=]")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


def harmless(text: object, most: int = 300) -> str:
    r"""A student's text on one line: cut, without control characters or addresses.

    >>> harmless("a\x1b[31mb\nc at 0x7f33deadbeef")
    'a\\x1b[31mb\\nc at 0x…'
    """
    plain = _ADDRESS.sub("0x…", visible(str(text)[: most + 1]))
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def visible(text: str, besides: str = "") -> str:
    r"""A text with every invisible character spelled out; `besides` is one that may stay.

    >>> visible("a\x1b[31m b\n", besides="\n")
    'a\\x1b[31m b\n'
    """
    if text.isprintable():
        return text
    if besides:
        return besides.join(map(visible, text.split(besides)))
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode()
        for one in text
    )


def harmless_lines(text: str, most: int) -> list[str]:
    """The last lines of a student's text, each harmless, and short enough for a
    screen.
    """
    return [harmless(line, 70) for line in text.splitlines()[-most:]]


def show(value: Any) -> str:
    """An encoded value in words.

    >>> show(None), show(True), show([1, 2]), show({"$value": "WIN"})
    ('None', 'True', '[1, 2]', 'Value.WIN')
    """
    match value:
        case str():
            return harmless(repr(value), 120)
        case [*items]:
            return (
                f"[{', '.join(map(show, items[:8]))}{', …' if len(items) > 8 else ''}]"
            )
        case {"$other": what}:
            return harmless(what, 120)
        case {"$value": name}:
            return f"Value.{harmless(name, 20)}"
        case {"$estimate": dict(estimate)}:
            return show_estimate(estimate)
        case {"$board": _}:
            return "a board"
        case {"$dict": [*pairs]}:
            return f"a dict of {len(pairs)}"
        case {}:
            raise Garbled
    return harmless(repr(value), 60)


def show_estimate(estimate: dict[str, Any]) -> str:
    """An estimate as one writes it, without the word Player.

    >>> show_estimate({"sure": "MAXIE"}), show_estimate({"guess": 3})
    ('Definitely(Winner(MAXIE))', 'Guess(3)')
    """
    if "guess" in estimate:
        return f"Guess({show(estimate['guess'])})"
    outcome = harmless(estimate.get("sure"), 20)
    return f"Definitely({outcome if outcome == 'DRAW' else f'Winner({outcome})'})"


def returned(value: Any) -> str:
    """What came back, as the end of a sentence.

    >>> returned(None)
    'returned nothing (None), as a function does that ends without a `return`'
    >>> returned([5])
    'returned a list or tuple, [5]'
    """
    if value is None:
        return (
            "returned nothing (None), as a function does that ends without a `return`"
        )
    items = (
        "a list or tuple, " if isinstance(value, list) else ""
    )  # encoding does not say which
    return f"returned {items}{show(value)}"


def ordinal(number: int) -> str:
    """
    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    ending = (
        "th"
        if number % 100 in (11, 12, 13)
        else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


def plural(number: int, one: str, many: str = "") -> str:
    """
    >>> plural(1, "case"), plural(3, "case")
    ('1 case', '3 cases')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def pairs(value: Any) -> dict[str, Any]:
    """An encoded dict with its keys as text.  Raises Garbled if it is none."""
    if not (isinstance(value, dict) and "$dict" in encoded(value)):
        raise Garbled
    return {
        str(key) if type(key) in (int, str) else _as_key(key): inner
        for key, inner in value["$dict"]
    }


def _as_key(key: Any) -> str:
    """A key of a dict as one would write it: a list in it was a tuple.

    >>> _as_key([["left"], 1])
    "(('left',), 1)"
    """
    return (
        f"({', '.join(map(_as_key, key))}{',' * (len(key) == 1)})"
        if isinstance(key, list)
        else show(key)
    )


def in_utf8(source: bytes) -> bytes:
    """A lab.py in UTF-8: what is none, and names no encoding of its own, is read as
    Latin-1.

    >>> source = "# é".encode("latin-1")
    >>> in_utf8(source).decode(), in_utf8(b"# coding: latin-1\\n" + source)[-3:]
    ('# é', b'# \\xe9')
    """
    try:
        source.decode()
    except UnicodeDecodeError:
        if not _NAMES_ITS_ENCODING.match(source):
            return source.decode("latin-1").encode()
    return source
