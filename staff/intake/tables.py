"""Tables that a course's system exports: CSV or tab-separated, read so that they can be
filled in to the byte.
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

_FORMULA = ("=", "+", "-", "@")
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
OF_WINDOWS = (
    "cp1252"  # what spreadsheets on Windows write where they do not write UTF-8
)
_SEPARATORS = ",;\t"
_HINT = re.compile(
    r"sep=(.)\r?\n", re.IGNORECASE
)  # a first line by which Excel knows what separates the cells


class Garbled(Refusal):
    """A table is not there as a whole: it holds no text, or its first line has other
    headings.
    """


@dataclass(frozen=True)
class Cell:
    """What a cell says, and where it is in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Decoded:
    """A text, and how a file holds it: the byte order mark in front, and the encoding.

    `is_guess` says that nothing in the file names the encoding, and that the text is
    not in UTF-8.
    """

    text: str
    encoding: str
    mark: bytes = b""
    is_guess: bool = False


@dataclass(frozen=True)
class Table:
    """A table: its text, the character that separates its cells, and the cells.  Line 0
    has the headings.
    """

    decoded: Decoded
    separator: str
    lines: list[list[Cell]]

    @cached_property
    def heads(self) -> list[str]:
        """The headings, without blanks around them."""
        return [cell.text.strip() for cell in self.lines[0]]

    def rows(self) -> list[tuple[int, dict[str, str]]]:
        """What each line below the headings says by heading, with its number; without
        empty lines.
        """
        empty = dict.fromkeys(self.heads, "")
        return [
            (number, empty | dict(zip(self.heads, cells, strict=False)))
            for number, cells in self.texts()
        ]

    def texts(self) -> list[tuple[int, list[str]]]:
        """What the cells of each line below the headings say, with its number; without
        empty lines.
        """
        lines = []
        for number, line in enumerate(self.lines):
            cells = [cell.text.strip() for cell in line]
            if number and any(cells):
                lines.append((number, cells))
        return lines

    def line_in_file(self, number: int) -> int:
        """The line of the file, counted from 1, in which a line of the table begins."""
        return len(self.decoded.text[: self.lines[number][0].start].splitlines()) + 1

    def column(self, headings: Iterable[str], name: str) -> int | None:
        """Where the first of these headings is that the table has; None if it has none
        of them.

        Raises Refusal if the heading is there twice: nobody knows which of the two
        columns is meant.
        """
        known = [as_heading(head) for head in self.heads]
        for heading in headings:
            number = known.count(as_heading(heading))
            if number > 1:
                raise Refusal(
                    f"{name}: the heading `{heading}` is there {number} times; rename the others"
                )
            if number:
                return known.index(as_heading(heading))
        return None

    def filled(self, cells: Mapping[tuple[int, int], str]) -> bytes:
        """The file with other texts in some cells, by line and column; all else stays
        to the byte.
        """
        text = self.decoded.text
        for (line, column), new in sorted(cells.items(), reverse=True):
            cell = self.lines[line][column]
            quoted = (
                '"' + new.replace('"', '""') + '"'
                if re.search(f'[{self.separator}"\r\n]', new)
                else new
            )
            text = text[: cell.start] + quoted + text[cell.end :]
        return self.decoded.mark + text.encode(self.decoded.encoding)


def as_heading(text: str) -> str:
    """A heading as it is compared: in small letters, with blanks between its words.

    >>> as_heading(" GitHub_Username"), as_heading("E-Mail-Adresse")
    ('github username', 'e mail adresse')
    """
    return " ".join(re.split(r"[\s_-]+", text.casefold())).strip()


def parse_table(
    data: bytes, name: Path | str, columns: Sequence[str] = (), encoding: str = ""
) -> Table:
    """The table that bytes hold, whose file has this name, and these columns if any are
    given.

    Raises Refusal, with what to do.  A table with given columns is the kit's own, and
    in Unicode.
    """
    decoded = decode(data, str(name), encoding, may_guess=not columns)
    hint = _HINT.match(decoded.text)
    start = hint.end() if hint else 0
    separator = hint.group(1) if hint else _separator_of(decoded.text)
    table = Table(decoded, separator, _cells(decoded.text, separator, start))
    if columns and sorted(table.heads) != sorted(columns):
        raise Garbled(
            f"{name}: the columns must be {', '.join(columns)}; nothing else is kept"
        )
    for number, line in enumerate(table.lines, start=1):
        if columns and len(line) > len(columns):
            raise Refusal(
                f"{name}, line {number}: {len(line)} cells; put quotes round a text that holds a comma"
            )
    return table


def decode(
    data: bytes, name: str, encoding: str = "", may_guess: bool = True
) -> Decoded:
    """The text of a file: as its byte order mark says; else as `encoding` says; else in
    UTF-8, or as Windows writes.

    Raises Refusal.
    """
    if not data.strip():
        raise Garbled(f"{name} is empty; export or save it again, as CSV in UTF-8")
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    named = _MARKS.get(mark) or encoding
    for code in [named] if named else ["utf-8", OF_WINDOWS]:
        try:
            text = data.removeprefix(mark).decode(code)
        except (UnicodeDecodeError, LookupError):
            continue
        if text.strip() and "\0" not in text and (may_guess or code != OF_WINDOWS):
            return Decoded(text, code, mark, is_guess=not named and code == OF_WINDOWS)
    if encoding and not mark:
        raise Garbled(
            f"{name} holds no text in {encoding}, which `encoding` in staff/course.yaml names"
        )
    raise Garbled(f"{name} holds no text in UTF-8; save it as CSV in UTF-8")


def _separator_of(text: str) -> str:
    """The character that separates the headings."""
    first = re.sub(r'"[^"]*"', "", text.splitlines()[0])
    return max(_SEPARATORS, key=first.count)


def _cells(text: str, separator: str, start: int) -> list[list[Cell]]:
    """The cells of each line; quotes hold what separates, also behind a blank."""
    quoted_cell = r' *"((?:[^"]|"")*)" *'
    plain_cell = f"([^{re.escape(separator)}\r\n]*)"
    ending = rf"({re.escape(separator)}|\r\n|\r|\n|\Z)"
    lines: list[list[Cell]] = [[]]
    for match in re.compile(f"(?:{quoted_cell}|{plain_cell}){ending}").finditer(
        text, start
    ):
        quoted, plain, end = match.groups()
        if quoted is None:
            lines[-1].append(Cell(plain, match.start(2), match.end(2)))
        else:
            lines[-1].append(
                Cell(quoted.replace('""', '"'), match.start(1) - 1, match.end(1) + 1)
            )
        if not end:
            break
        if end != separator:
            lines.append([])
    return lines


def as_csv(rows: Iterable[Iterable[object]]) -> bytes:
    """A table of ours in which no cell is a formula, with the mark by which
    spreadsheets know that it is UTF-8.
    """
    stream = io.StringIO()
    csv.writer(stream).writerows(map(safe, cells) for cells in rows)
    return stream.getvalue().encode("utf-8-sig")


def safe(cell: object) -> str:
    """A text that no spreadsheet takes for a formula."""
    text = str(cell)
    return f"'{text}" if text.startswith(_FORMULA) else text


def unsafe(text: str) -> str:
    """The text that `safe` was made of."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text
