"""Tables that people edit in a spreadsheet: whatever a cell says that has only one
meaning is read.

A heading may be in capitals, columns without any heading and text are passed over, and
a number may have a comma for its point.  What may mean two things is refused, with the
line.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, tzinfo
from fractions import Fraction

from grader.refusal import Refusal, like
from staff.intake.systems import read_moment
from staff.intake.tables import Garbled, parse_table, unsafe

_NUMBER = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?")
_BY_DAY = re.compile(
    r"(\d{1,2})([./])(\d{1,2})\2(\d{4}),? (\d{1,2}:\d\d(?::\d\d)?)( ?[AaPp][Mm])?"
)
MONTHS = 12
LONGEST_HEAD = 40  # that a sentence repeats
Line = tuple[str, dict[str, str]]
"""Where a line stands, for a sentence about it, and its cells by column."""


def headings(data: bytes, name: str) -> list[str]:
    """The headings of a table, as they are compared.  Raises Refusal for one that
    cannot be read.
    """
    return [_plain(head) for head in parse_table(data, name).heads]


def lines_of(
    data: bytes, name: str, columns: Sequence[str], optional: Sequence[str] = ()
) -> list[Line]:
    """The lines of a table, without empty ones; an optional column that is not there is
    empty.

    Raises Refusal if another column holds something, or if a column is missing or
    stands twice.
    """
    table = parse_table(data, name)
    known = [*columns, *optional]
    at = {}
    for number, head in enumerate(table.heads):
        if _plain(head) in at:
            raise Garbled(f"{name}: the column {_short(head)} stands twice; keep one")
        if _plain(head) in known:
            at[_plain(head)] = number
        elif head:
            raise Garbled(
                f"{name}: the first line must be {','.join(known)}; {_short(head)} is none of these"
            )
    missing = [column for column in columns if column not in at]
    if missing:
        raise Garbled(
            f"{name}: the first line must be {','.join(known)}; {missing[0]} is missing"
        )
    lines = []
    for number, cells in enumerate(table.lines[1:], start=2):
        texts = [unsafe(cell.text.strip()) for cell in cells]
        where = f"{name}, line {number}"
        strays = [
            text
            for place, text in enumerate(texts)
            if text and place not in at.values()
        ]
        if strays:
            raise Refusal(
                f"{where}: {len(texts)} cells; put quotes round a text that holds a comma"
            )
        row = {
            column: texts[place] if place < len(texts) else ""
            for column, place in at.items()
        }
        if any(row.values()):
            lines.append((where, dict.fromkeys(known, "") | row))
    return lines


def _short(head: str) -> str:
    """A heading as a sentence has it, whatever it holds."""
    return repr(head[:LONGEST_HEAD])


def word_of(cell: str, words: Iterable[str]) -> str | None:
    """The one of these words that a cell says, whatever its capitals; None if it says
    none or might say two.

    >>> word_of("Yes", ["yes", "no"]), word_of("ja", ["yes", "no"])
    ('yes', None)
    """
    if cell in words:
        return cell
    alike = [
        word for word in words if word.casefold() == " ".join(cell.split()).casefold()
    ]
    return alike[0] if len(alike) == 1 else None


def points_of(cell: str) -> Fraction | None:
    """The points that a cell states; None if it states none.

    >>> points_of("60,5"), points_of("1,234")
    (Fraction(121, 2), None)
    """
    number = _NUMBER.fullmatch(cell)
    return Fraction(f"{number[1]}.{number[2] or 0}") if number else None


def moment_of(cell: str, zone: tzinfo | None) -> datetime:
    """The moment that a cell states.  Raises ValueError, with the end of a sentence
    that begins with the cell.
    """
    return read_moment(_year_first(" ".join(cell.split())), zone)


def _year_first(text: str) -> str:
    """A time whose day or month stands first, written as 2027-03-27 20:11, if only one
    of the two can be meant.

    >>> _year_first("27.03.2027 20:11"), _year_first("3/27/2027 8:11 PM"), _year_first("02/03/2027 10:00")
    ('2027-03-27 20:11', '2027-03-27 20:11', '02/03/2027 10:00')
    """
    match = _BY_DAY.fullmatch(text)
    if not match:
        return text
    day, month = int(match[1]), int(match[3])
    if match[2] == "/" and month > MONTHS >= day:
        day, month = month, day
    elif match[2] == "/" and day != month and day <= MONTHS:
        return text  # two readings
    hours, _, rest = match[5].partition(":")
    hour = int(hours)
    if match[6]:
        hour = hour % MONTHS + (MONTHS if match[6].strip().lower() == "pm" else 0)
    return f"{match[4]}-{month:02}-{day:02} {hour:02}:{rest}"


def ids_of(cell: str, ids: Collection[str], where: str) -> list[str]:
    """The ids that a cell names; a spreadsheet takes the zeros at the beginning of a
    number.  Raises Refusal.
    """
    named = []
    for name in filter(None, map(str.strip, re.split("[,;]", cell))):
        id = word_of(name, ids) or _with_zeros(name, ids)
        if id is None:
            raise Refusal(
                f"{where}: {name!r} is not on the roster{like(name, ids, 'write an id of it')}"
            )
        named.append(id)
    if cell and not named:
        raise Refusal(f"{where}: {cell!r} names nobody; write an id")
    return list(dict.fromkeys(named))


def _with_zeros(name: str, ids: Iterable[str]) -> str | None:
    """The one id that is this number with zeros in front."""
    if not name.isdecimal():
        return None
    alike = [id for id in ids if id.isdecimal() and int(id) == int(name)]
    return alike[0] if len(alike) == 1 else None


def _plain(heading: str) -> str:
    """A heading as it is compared."""
    return "_".join(heading.casefold().split())
