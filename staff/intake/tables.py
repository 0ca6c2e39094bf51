"""Reads tables in CSV, such as those of course systems, and fills in their cells.

All other bytes of a table stay the same.  Commas, semicolons or tabs may separate the
cells.  If the file begins with a line such as `sep=|`, that line names the separator.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.refusal import Refusal

_FORMULA = ("=", "+", "-", "@")  # a spreadsheet computes a cell that begins like this
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
# Spreadsheets on Windows write this encoding if they do not write UTF-8.
OF_WINDOWS = "cp1252"
_SEPARATORS = ",;\t"
# If the first line of a table has this form, Excel takes the separator from that line.
_HINT = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


class Garbled(Refusal):
    """Raised if a table holds no text, or other headings than it must have."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str  # the text, without the quotes around it
    start: int  # where the cell begins in the text of the table
    end: int  # where the cell ends: after its last character


@dataclass(frozen=True)
class Decoded:
    """The text of a file, and how the file encodes the text."""

    text: str
    encoding: str
    mark: bytes = b""  # the byte order mark at the beginning; empty if there is none
    # Whether the encoding is a guess, because the file is not in UTF-8 and nothing
    # names its encoding.
    is_guess: bool = False


@dataclass(frozen=True)
class Table:
    """A table whose cells can be filled in."""

    decoded: Decoded
    separator: str  # the character between two cells
    lines: list[list[Cell]]  # the first line holds the headings

    @cached_property
    def heads(self) -> list[str]:
        """The headings, without spaces around them."""
        return [cell.text.strip() for cell in self.lines[0]]

    def rows(self) -> list[tuple[int, dict[str, str]]]:
        """Return the lines below the headings: the number of each line, and its texts.

        The key of a text is the heading of its column.  Empty lines are left out.
        """
        empty = dict.fromkeys(self.heads, "")
        rows = []
        for number, texts in self.texts():
            rows.append((number, empty | dict(zip(self.heads, texts, strict=False))))
        return rows

    def texts(self) -> list[tuple[int, list[str]]]:
        """Return the lines below the headings, without empty lines.

        Each line is its number, and the texts of its cells.  The line of the headings
        has the number 0.
        """
        lines = []
        for number, line in enumerate(self.lines):
            texts = [cell.text.strip() for cell in line]
            if number and any(texts):
                lines.append((number, texts))
        return lines

    def line_in_file(self, number: int) -> int:
        """Return the number of the line in the file where a line of the table begins.

        Lines of the file are counted from 1.  `number` counts lines of the table from
        0.
        """
        return len(self.decoded.text[: self.lines[number][0].start].splitlines()) + 1

    def column(self, headings: Iterable[str], name: str) -> int | None:
        """Return the number, from 0, of the column with one of these headings.

        The first of the headings that the table has decides.  Return None if the table
        has none of them.

        `name` is the name of the file.  Raises Refusal if two columns have the heading,
        because nobody knows which of them to read.
        """
        known = [as_heading(head) for head in self.heads]
        for heading in headings:
            number = known.count(as_heading(heading))
            if number > 1:
                raise Refusal(
                    f"{name}: the heading `{heading}` appears {number} times; "
                    "rename the others"
                )
            if number:
                return known.index(as_heading(heading))
        return None

    def filled(self, cells: Mapping[tuple[int, int], str]) -> bytes:
        """Return the bytes of the file with new texts in some cells.

        The key of a text is the line and the column of its cell.  All other bytes stay
        as they are.
        """
        text = self.decoded.text
        # The loop fills in the last cell first, because a new text moves all cells
        # after it.
        for (line, column), new in sorted(cells.items(), reverse=True):
            cell = self.lines[line][column]
            text = text[: cell.start] + self._quoted(new) + text[cell.end :]
        return self.decoded.mark + text.encode(self.decoded.encoding)

    def _quoted(self, text: str) -> str:
        """Return a text as a cell of this table holds it.

        The text gets quotes if it contains a separator, a quote or a line end.
        """
        if not re.search(f'[{self.separator}"\r\n]', text):
            return text
        return '"' + text.replace('"', '""') + '"'


def as_heading(text: str) -> str:
    """Return a heading in a form in which headings can be compared.

    >>> as_heading(" GitHub_Username"), as_heading("E-Mail-Adresse")
    ('github username', 'e mail adresse')
    """
    return " ".join(re.split(r"[\s_-]+", text.casefold())).strip()


def parse_table(
    data: bytes, name: Path | str, columns: Sequence[str] = (), encoding: str = ""
) -> Table:
    """Read the table in a file with these bytes and this name.

    If `columns` are given, the table is one of the kit's own tables: it is in Unicode
    and has exactly these headings.  `encoding` is the encoding of a file without a byte
    order mark.  Raises Refusal if the table cannot be used.
    """
    decoded = decode(data, str(name), encoding, may_guess=not columns)
    hint = _HINT.match(decoded.text)
    if hint:
        separator = hint.group(1)
        start = hint.end()
    else:
        separator = _separator_of(decoded.text)
        start = 0
    table = Table(decoded, separator, _cells(decoded.text, separator, start))
    if columns:
        _refuse_other_columns(table, columns, name)
    return table


def _refuse_other_columns(
    table: Table, columns: Sequence[str], name: Path | str
) -> None:
    """Raise Refusal if a table has other columns than these, or too many cells."""
    if sorted(table.heads) != sorted(columns):
        raise Garbled(
            f"{name}: the columns must be {', '.join(columns)}; nothing else is kept"
        )
    for number, line in enumerate(table.lines, start=1):
        if len(line) > len(columns):
            raise Refusal(
                f"{name}, line {number}: {len(line)} cells; "
                "put quotes around text that contains a comma"
            )


def decode(
    data: bytes, name: str, encoding: str = "", may_guess: bool = True
) -> Decoded:
    """Decode the text of a file with this name.

    A byte order mark decides the encoding.  Without a mark, `encoding` decides.  If
    there is neither, the file is in UTF-8, or with `may_guess` also in the encoding of
    Windows.  Raises Garbled if the file holds no text in its encoding.
    """
    if not data.strip():
        raise Garbled(f"{name} is empty; export or save it again, as CSV in UTF-8")
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    named = _MARKS.get(mark) or encoding
    candidates = ["utf-8", OF_WINDOWS]
    if named:
        candidates = [named]
    for candidate in candidates:
        is_of_windows = candidate == OF_WINDOWS
        try:
            text = data.removeprefix(mark).decode(candidate)
        except (UnicodeDecodeError, LookupError):
            continue
        if text.strip() and "\0" not in text and (may_guess or not is_of_windows):
            return Decoded(text, candidate, mark, not named and is_of_windows)
    if encoding and not mark:
        raise Garbled(
            f"{name} is not text in {encoding}, "
            "which `encoding` in staff/course.yaml names"
        )
    raise Garbled(f"{name} is not text in UTF-8; save it as CSV in UTF-8")


def _separator_of(text: str) -> str:
    """Return the character that separates the cells of a table.

    This is the comma, the semicolon or the tab, whichever the first line has most
    often.  Characters in quotes do not count.
    """
    first = re.sub(r'"[^"]*"', "", text.splitlines()[0])
    return max(_SEPARATORS, key=first.count)


def _cells(text: str, separator: str, start: int) -> list[list[Cell]]:
    """Return the cells of each line of a table.  The table begins at `start` in `text`.

    A cell in quotes may hold separators and line ends.  There may be spaces around the
    quotes.
    """
    quoted_cell = r' *"((?:[^"]|"")*)" *'
    plain_cell = f"([^{re.escape(separator)}\r\n]*)"
    ending = rf"({re.escape(separator)}|\r\n|\r|\n|\Z)"
    pattern = re.compile(f"(?:{quoted_cell}|{plain_cell}){ending}")
    lines: list[list[Cell]] = [[]]
    for match in pattern.finditer(text, start):
        quoted, plain, end = match.groups()
        if quoted is None:
            cell = Cell(plain, match.start(2), match.end(2))
        else:
            inner = quoted.replace('""', '"')
            cell = Cell(inner, match.start(1) - 1, match.end(1) + 1)
        lines[-1].append(cell)
        if not end:
            break
        if end != separator:
            lines.append([])
    return lines


def as_csv(rows: Iterable[Iterable[object]]) -> bytes:
    """Return a table in CSV with these rows.  No cell is a formula.

    The byte order mark tells spreadsheets that the table is in UTF-8.
    """
    stream = io.StringIO()
    csv.writer(stream).writerows(map(safe, cells) for cells in rows)
    return stream.getvalue().encode("utf-8-sig")


def safe(cell: object) -> str:
    """Return the text of a cell, with `'` before it if it looks like a formula."""
    text = str(cell)
    if text.startswith(_FORMULA):
        return f"'{text}"
    return text


def unsafe(text: str) -> str:
    """Return the text from which `safe` has made this text."""
    if text[:1] == "'" and text[1:].startswith(_FORMULA):
        return text[1:]
    return text
