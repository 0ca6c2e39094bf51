"""Texts for people: counts, plain data in words, and student text made harmless.

A student's text may be something that student code prints, a name in lab.py, or the
text of an exception.  Before the kit shows such a text, characters that cannot be
printed become escapes.  `harmless` also cuts the text, and writes memory addresses as
`0x…`.
"""

import re
from typing import Any

from grader.protocol.plain import Data, Garbled, encoded

_NAMES_ITS_ENCODING = re.compile(rb"(?:.*\n)?[ \t\f]*#.*coding[:=]")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
MOST_ITEMS = 8  # items of a list that are shown


def harmless(text: object, most: int = 300) -> str:
    r"""Return a student's text on one line, cut to `most` characters.

    A character that cannot be printed becomes an escape, and a memory address becomes
    `0x…`.

    >>> harmless("a\x1b[31mb\nc at 0x7f33deadbeef")
    'a\\x1b[31mb\\nc at 0x…'
    """
    plain = _ADDRESS.sub("0x…", visible(str(text)[: most + 1]))
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def visible(text: str, besides: str = "") -> str:
    r"""Return a text in which each invisible character is an escape.

    The character `besides` stays as it is.

    >>> visible("a\x1b[31m b\n", besides="\n")
    'a\\x1b[31m b\n'
    """
    if text.isprintable():
        return text
    if besides:
        return besides.join(map(visible, text.split(besides)))
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def harmless_lines(text: str, most: int) -> list[str]:
    """Return the last `most` lines of a student's text.

    Each line is made harmless and cut to 70 characters.
    """
    return [harmless(line, 70) for line in text.splitlines()[-most:]]


def show(value: Any) -> str:
    """Return plain data in words, as a person reads it.

    Raises Garbled for a mapping that is not plain data.

    >>> show(None), show(True), show([1, 2]), show({"$value": "WIN"})
    ('None', 'True', '[1, 2]', 'Value.WIN')
    """
    match value:
        case str():
            return harmless(repr(value), 120)
        case [*items]:
            shown = list(map(show, items[:MOST_ITEMS]))
            if len(items) > MOST_ITEMS:
                shown.append("…")
            return f"[{', '.join(shown)}]"
        case {"$other": type_in_words}:
            return harmless(type_in_words, 120)
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


def show_estimate(estimate: Data) -> str:
    """Return an estimate as a student writes it, except that `Player.` is left out.

    >>> show_estimate({"sure": "MAXIE"}), show_estimate({"guess": 3})
    ('Definitely(Winner(MAXIE))', 'Guess(3)')
    """
    if "guess" in estimate:
        return f"Guess({show(estimate['guess'])})"
    outcome = harmless(estimate.get("sure"), 20)
    if outcome != "DRAW":
        outcome = f"Winner({outcome})"
    return f"Definitely({outcome})"


def returned(value: Any) -> str:
    """Say what a function returned.  The text comes at the end of a sentence.

    >>> returned(None)
    'returned nothing (None), as a function that ends without a `return` does'
    >>> returned([5])
    'returned a list or tuple, [5]'
    """
    if value is None:
        return (
            "returned nothing (None), as a function that ends without a `return` does"
        )
    # Plain data does not say whether a value was a list or a tuple.
    if isinstance(value, list):
        return f"returned a list or tuple, {show(value)}"
    return f"returned {show(value)}"


def ordinal(number: int) -> str:
    """Return the ordinal of a number in short form, such as 2nd.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    ending = "th"
    if number % 100 not in (11, 12, 13):
        ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def plural(number: int, singular: str, many: str = "") -> str:
    """Return a number with its noun.

    `many` is the plural of the noun.  Without `many`, the plural is the singular with
    an `s`.

    >>> plural(1, "case"), plural(3, "case"), plural(2, "try", "tries")
    ('1 case', '3 cases', '2 tries')
    """
    noun = singular if number == 1 else many or f"{singular}s"
    return f"{number} {noun}"


def pairs(value: Any) -> Data:
    """Return the entries of a dict that the child has sent, with each key as text.

    `value` is this dict as plain data, and the values of the entries stay plain data.
    Raises Garbled if `value` is not a dict in plain data.
    """
    if not (isinstance(value, dict) and "$dict" in encoded(value)):
        raise Garbled
    return {
        str(key) if type(key) in (int, str) else _as_key(key): inner
        for key, inner in value["$dict"]
    }


def _as_key(key: Any) -> str:
    """Return a key of a dict as Python writes the key.

    In plain data a tuple is a list.  A key of a dict cannot contain a list, so each
    list was a tuple.

    >>> _as_key([["left"], 1])
    "(('left',), 1)"
    """
    if not isinstance(key, list):
        return show(key)
    parts = ", ".join(map(_as_key, key))
    if len(key) == 1:
        parts += ","
    return f"({parts})"


def in_utf8(source: bytes) -> bytes:
    """Return the text of a lab.py in UTF-8.

    A text that is not in UTF-8 is read as Latin-1.  A text that names its encoding, as
    in `# coding: latin-1`, stays as it is.

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
