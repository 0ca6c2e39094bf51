"""Reads tables that people edit in a spreadsheet.

Upper and lower case of headings do not matter.  A column with neither a heading nor
text is ignored.  A number may have a comma in place of the point.  If a cell can mean
two things, the kit refuses it, and names the line.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, tzinfo
from fractions import Fraction

from grader.refusal import Refusal, like
from staff.intake.systems import read_moment
from staff.intake.tables import Garbled, Table, parse_table, unsafe

_NUMBER = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?")
_DAY = re.compile(
    r"(?P<first>\d{1,2})(?P<separator>[./])(?P<second>\d{1,2})(?P=separator)"
    r"(?P<year>\d{4}),? (?P<hour>\d{1,2}):(?P<rest>\d\d(?::\d\d)?)"
    r"(?P<half> ?[AaPp][Mm])?"
)
MONTHS = 12
HOURS = 12  # of half a day
LONGEST_HEAD = 40  # characters of a heading that a sentence repeats
Line = tuple[str, dict[str, str]]
"""A line of a table: where it is, as the beginning of a sentence, and its cells.  The
key of a cell is its column.
"""


def headings(data: bytes, name: str) -> list[str]:
    """Return the headings of a table, in a form in which they can be compared.

    Raises Refusal if the table cannot be read.
    """
    return [_plain(head) for head in parse_table(data, name).heads]


def lines_of(
    data: bytes, name: str, columns: Sequence[str], optional: Sequence[str] = ()
) -> list[Line]:
    """Read the lines of a table with this name, without empty lines.

    The table must have all of `columns`.  If an `optional` column is missing, its cells
    are empty.  Raises Refusal if this is no table, if one of `columns` is missing, if a
    column appears twice, or if any other column has a heading or text.
    """
    table = parse_table(data, name)
    known = [*columns, *optional]
    places = _places_of(table, name, known)
    for column in columns:
        if column not in places:
            raise Garbled(
                f"{name}: the first line must be {','.join(known)}; {column} is missing"
            )
    lines = []
    for number, cells in enumerate(table.lines[1:], start=2):
        texts = [unsafe(cell.text.strip()) for cell in cells]
        where = f"{name}, line {number}"
        for place, text in enumerate(texts):
            if text and place not in places.values():
                raise Refusal(
                    f"{where}: {len(texts)} cells; "
                    "put quotes around text that contains a comma"
                )
        row = dict.fromkeys(known, "")
        for column, place in places.items():
            if place < len(texts):
                row[column] = texts[place]
        if any(row.values()):
            lines.append((where, row))
    return lines


def _places_of(table: Table, name: str, known: Sequence[str]) -> dict[str, int]:
    """Return the number of each known column in a table, from 0.

    Raises Garbled if a known column appears twice, or if a heading is not in `known`.
    """
    places = dict[str, int]()
    for place, head in enumerate(table.heads):
        column = _plain(head)
        if column in places:
            raise Garbled(f"{name}: the column {_short(head)} appears twice; keep one")
        if column in known:
            places[column] = place
        elif head:
            raise Garbled(
                f"{name}: the first line must be {','.join(known)}; "
                f"{_short(head)} is none of these"
            )
    return places


def _short(head: str) -> str:
    """Return a heading for a sentence: in quotes, and cut if it is too long."""
    return repr(head[:LONGEST_HEAD])


def word_of(cell: str, words: Iterable[str]) -> str | None:
    """Return the word of `words` that is in a cell.

    Upper and lower case do not matter.  Return None if the cell has no such word, or if
    it could mean two of them.

    >>> word_of("Yes", ["yes", "no"]), word_of("ja", ["yes", "no"])
    ('yes', None)
    """
    if cell in words:
        return cell
    plain = " ".join(cell.split()).casefold()
    return _only([word for word in words if word.casefold() == plain])


def _only(words: list[str]) -> str | None:
    """The word in a list of one word; None for any other list."""
    return words[0] if len(words) == 1 else None


def points_of(cell: str) -> Fraction | None:
    """Return the points in a cell; None if the cell does not state points.

    >>> points_of("60,5"), points_of("1,234")
    (Fraction(121, 2), None)
    """
    number = _NUMBER.fullmatch(cell)
    return Fraction(f"{number[1]}.{number[2] or 0}") if number else None


def moment_of(cell: str, zone: tzinfo | None) -> datetime:
    """Return the moment that a cell states.

    Raises ValueError if the cell states no moment, or could mean two different moments.
    The text of the error is the end of a sentence that begins with the cell.
    """
    return read_moment(_year_first(" ".join(cell.split())), zone)


def _year_first(text: str) -> str:
    """Put the year first in a time that begins with the day or the month.

    If it is not clear which number is the day, as in 02/03/2027, the text stays as it
    is.

    >>> _year_first("27.03.2027 20:11"), _year_first("3/27/2027 8:11 PM")
    ('2027-03-27 20:11', '2027-03-27 20:11')
    >>> _year_first("02/03/2027 10:00")
    '02/03/2027 10:00'
    """
    match = _DAY.fullmatch(text)
    if not match:
        return text
    day = int(match["first"])
    month = int(match["second"])
    if match["separator"] == "/":
        if month > MONTHS >= day:
            day, month = month, day
        elif day != month and day <= MONTHS:
            return text
    hour = int(match["hour"])
    if match["half"]:
        hour %= HOURS
        if match["half"].strip().lower() == "pm":
            hour += HOURS
    return f"{match['year']}-{month:02}-{day:02} {hour:02}:{match['rest']}"


def ids_of(cell: str, ids: Collection[str], where: str) -> list[str]:
    """Return the ids in a cell, each once.

    A number may lack zeros at its beginning, because spreadsheets remove them.  `where`
    says where the cell is, as the beginning of a sentence.  Raises Refusal if the cell
    has a name that is not an id, or only separators.
    """
    named = []
    for name in filter(None, map(str.strip, re.split("[,;]", cell))):
        id = word_of(name, ids) or _with_zeros(name, ids)
        if id is None:
            hint = like(name, ids, "write an id from the roster")
            raise Refusal(f"{where}: {name!r} is not on the roster{hint}")
        named.append(id)
    if cell and not named:
        raise Refusal(f"{where}: {cell!r} names nobody; write an id")
    return list(dict.fromkeys(named))


def _with_zeros(name: str, ids: Iterable[str]) -> str | None:
    """Return the id that differs only in zeros at the beginning: `0042` for `42`.

    Return None if `name` is no number, or if not exactly one id fits.
    """
    if not name.isdecimal():
        return None
    return _only([id for id in ids if id.isdecimal() and int(id) == int(name)])


def _plain(heading: str) -> str:
    """Return a heading in a form in which it can be compared."""
    return "_".join(heading.casefold().split())
