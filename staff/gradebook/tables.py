"""Tables that a course's system exports: CSV or tab-separated, read so that they can be filled in to the byte."""

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
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16"}  # these write the mark, too


@dataclass(frozen=True)
class Cell:
    """What a cell says, and where it stands in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Table:
    """A table: its text, how that is coded, and its cells.  Line 0 has the headings."""

    encoding: str
    text: str
    separator: str
    lines: list[list[Cell]]

    @cached_property
    def heads(self) -> list[str]:
        """The headings, without blanks around them."""
        return [cell.text.strip() for cell in self.lines[0]]

    def rows(self) -> list[tuple[int, dict[str, str]]]:
        """What each line below the headings says by heading, with its number; without empty lines."""
        texts = enumerate([cell.text.strip() for cell in line] for line in self.lines)
        empty = dict.fromkeys(self.heads, "")
        lines = [(number, cells) for number, cells in texts if number and any(cells)]
        return [(number, empty | dict(zip(self.heads, cells, strict=False))) for number, cells in lines]

    def filled(self, cells: Mapping[tuple[int, int], str]) -> bytes:
        """The file with other texts in some cells, by line and column; all else stays to the byte."""
        text = self.text
        for (line, column), new in sorted(cells.items(), reverse=True):
            cell = self.lines[line][column]
            quoted = '"' + new.replace('"', '""') + '"' if re.search(f'[{self.separator}"\r\n]', new) else new
            text = text[: cell.start] + quoted + text[cell.end :]
        return text.encode(self.encoding)


def parse_table(data: bytes, name: Path | str, columns: Sequence[str] = ()) -> Table:
    """The table that bytes hold, whose file has this name, and these columns if any are given.

    Raises Refusal, with what to do.
    """
    encoding = next((code for mark, code in _MARKS.items() if data.startswith(mark)), "utf-8")
    text = data.decode(encoding, "replace")
    if not text.strip() or "\0" in text or "\N{REPLACEMENT CHARACTER}" in text:
        raise Refusal(f"{name} holds no text in UTF-8; save it as CSV in UTF-8")
    first = re.sub(r'"[^"]*"', "", text.splitlines()[0])
    separator = max(",;\t", key=first.count)
    table = Table(encoding, text, separator, _cells(text, separator))
    if columns and sorted(table.heads) != sorted(columns):
        raise Refusal(f"{name}: the columns must be {', '.join(columns)}; nothing else is kept")
    for number, line in enumerate(table.lines, start=1):
        if columns and len(line) > len(columns):
            raise Refusal(f"{name}, line {number}: {len(line)} cells; put quotes round a text that holds a comma")
    return table


def _cells(text: str, separator: str) -> list[list[Cell]]:
    """The cells of each line; quotes hold what separates."""
    lines: list[list[Cell]] = [[]]
    for found in re.finditer(rf'(?:"((?:[^"]|"")*)"|([^{separator}\r\n]*))({separator}|\r\n|\r|\n|\Z)', text):
        quoted, plain, end = found.groups()
        said = plain if quoted is None else quoted.replace('""', '"')
        lines[-1].append(Cell(said, found.start(), found.start(3)))
        if not end:
            break
        if end != separator:
            lines.append([])
    return lines


def as_csv(rows: Iterable[Iterable[object]]) -> bytes:
    """A table of ours in which no cell is a formula, with the mark by which spreadsheets know that it is UTF-8."""
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
