"""How the values that name a student are compared: names, logins, ids."""

import re
import unicodedata
from functools import lru_cache

ID = "id"
NAME = "name"
MOODLE = "moodle"


def as_id(text: str) -> str:
    """An id as the kit uses it: without commas, which separate the ids in a cell.

    >>> as_id("Müller, Anna")
    'Müller Anna'
    """
    return " ".join(text.replace(",", " ").split())


@lru_cache(maxsize=1 << 14)
def comparable(field: str, value: str) -> str:
    """The value of a field in the form in which it is compared.

    Of a name, only the letters and digits count, without accents.  Of Moodle's
    identifier, only the number at its end counts.

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
    """A name that stands in one cell, with the last name first and last, comparable.

    >>> sorted(names_of("Moor, Jo")), sorted(names_of("Jo van Moor"))
    (['jomoor', 'moorjo'], ['jovanmoor', 'moorjovan'])
    """
    last, comma, first = name.partition(",")
    if not comma:
        first, _, last = name.strip().rpartition(" ")
    return names_in_both_orders(f"{first} {last}", f"{last} {first}")


def names_in_both_orders(name: str, reversed_name: str) -> frozenset[str]:
    """The forms of a name in the two orders, comparable; an empty form is left out."""
    names = {comparable(NAME, name), comparable(NAME, reversed_name)}
    return frozenset(names - {""})
