"""Puts values that name a student (names, logins, ids) into a form that can be
compared.
"""

import re
import unicodedata
from functools import lru_cache

ID = "id"
NAME = "name"
MOODLE = "moodle"


def as_id(text: str) -> str:
    """Return an id in the form that the kit uses, without commas.

    A comma in a cell separates two ids.

    >>> as_id("Müller, Anna")
    'Müller Anna'
    """
    return " ".join(text.replace(",", " ").split())


@lru_cache(maxsize=1 << 14)
def comparable(field: str, value: str) -> str:
    """Return the value of a field, in a form in which values can be compared.

    Upper and lower case do not matter.  Of a name, only the letters and digits count,
    without accents.  Of an identifier of Moodle, only the number at the end counts.

    >>> comparable("name", "Doe, José"), comparable("id", "Ann")
    ('doejose', 'ann')
    >>> comparable("moodle", "Participant 12")
    '12'
    """
    if field == NAME:
        letters = unicodedata.normalize("NFKD", value)
        value = "".join(letter for letter in letters if letter.isalnum())
    elif field == MOODLE:
        value = "".join(re.findall(r"\d+$", value))
    elif field == ID:
        value = as_id(value)
    return unicodedata.normalize("NFC", value.strip()).casefold()


def names_of(name: str) -> frozenset[str]:
    """Return the two forms of a name: with the last name first, and with it last.

    Both forms are as `comparable` makes them.

    >>> sorted(names_of("Moor, Jo")), sorted(names_of("Jo van Moor"))
    (['jomoor', 'moorjo'], ['jovanmoor', 'moorjovan'])
    """
    last, comma, first = name.partition(",")
    if not comma:
        first, _, last = name.strip().rpartition(" ")
    return names_in_both_orders(f"{first} {last}", f"{last} {first}")


def names_in_both_orders(name: str, reversed_name: str) -> frozenset[str]:
    """Return the comparable forms of a name and of the same name in reverse order.

    An empty form is left out.
    """
    names = {comparable(NAME, name), comparable(NAME, reversed_name)}
    return frozenset(names - {""})
