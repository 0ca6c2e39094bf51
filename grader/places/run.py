"""`make run`: solves a game with the student's own functions and prints the values of its positions.

    python grader run zero_by 10 1 2      every position, the highest first
    python grader run tic_tac_toe         how many positions there are of each value
    ... --remoteness                         with the moves to the end, by the student's `remoteness`

The environment variable ITEMIZED asks for one or the other: 1 is every position and then the
totals, 0 the totals alone.

Nothing but the table goes to standard output: while lab.py is imported and the game solved,
whatever it prints goes to standard error.  Exit status 2 for bad arguments, 1 where lab.py fails.
"""

import os
import re
import reprlib
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from api import Game, TicTacToe, Value
from grader.child.confine import limit_cpu, shut_in
from grader.child.importing import close_import_path, flush_prints, import_lab, readable_files, safely_described
from grader.child.keeper import enclose
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import NOT_STARTED, sentence_for_exception
from grader.pipe.limits import IMPORT_SECONDS
from grader.pipe.raised import Raised
from grader.pipe.words import harmless, visible

USAGE = (
    'usage: make run ARGS="zero_by N REMOVAL [REMOVAL ...]", all positive whole numbers, '
    'or ARGS="tic_tac_toe"; and --remoteness with either'
)
ITEMIZED = "ITEMIZED"
SCRATCH, SECONDS = "GRADER_SCRATCH", "GRADER_SECONDS"
LINES_A_WRITE = 100_000
MOST_DIGITS = 4_000  # Python's own limit is 4,300
INTERRUPTED = 130
MOST_SECONDS = 120  # in which the grader has lost its patience long ago

_exit = os._exit


class WrongTable(Exception):
    """Raised where solve or remoteness gave what cannot be printed; the text is the sentence."""


@dataclass(frozen=True)
class Wanted:
    """What is to be printed: which game (no numbers: tic-tac-toe), every position, the totals."""

    numbers: tuple[int, ...]
    items: bool
    totals: bool
    remoteness: bool

    def game(self, lab: ModuleType) -> Game:
        """The game itself; zero-by is the student's."""
        return lab.ZeroBy(self.numbers[0], self.numbers[1:]) if self.numbers else TicTacToe()


def main(words: list[str], lab: Path) -> int:
    """Print the strong solution of the game that the words name; the exit status."""
    try:
        wanted = read_arguments(words, os.environ.get(ITEMIZED))
    except ValueError as error:
        print(f"{error}; {USAGE}", file=sys.stderr)
        return 2
    try:
        source = read_lab(lab)
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    lab = lab.resolve()
    table = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace", newline="\n")
    complaint = os.fdopen(os.dup(2), "w", encoding=sys.stderr.encoding, errors="backslashreplace")
    os.dup2(2, 1)
    seconds = float(os.environ.get(SECONDS, 0))
    if SCRATCH in os.environ:
        _confine(lab, Path(os.environ[SCRATCH]))
    close_import_path()
    status, lines = _solve(wanted, lab, source, seconds)
    flush_prints()
    try:
        with complaint if status else table as stream:
            for start in range(0, len(lines), LINES_A_WRITE):
                stream.write(_written(lines[start : start + LINES_A_WRITE]))
    except BrokenPipeError:  # whoever read it has had enough
        status = 1
    return _exit(status)  # whatever lab.py has started, closed or left for the end


def _solve(wanted: Wanted, lab: Path, source: bytes, seconds: float) -> tuple[int, list[str]]:
    """The exit status, and the lines of the table; or of the complaint, where the status is not 0.

    From the import on there are so many seconds of CPU; 0 for any number of them.
    """
    module = import_lab(str(lab))
    if seconds:
        limit_cpu(seconds, for_good=True, last_words=2)
    if isinstance(module, Raised):
        return _failed("lab.py cannot be imported. ", module, what_ails(source))
    needed = [*(["ZeroBy"] if wanted.numbers else []), "solve", *(["remoteness"] if wanted.remoteness else [])]
    for running in needed:
        if not hasattr(module, running):
            return 1, [f"lab.py has no {running}, which this command runs on\n"]
    try:
        running = needed[0]
        game = wanted.game(module)
        running = "solve"
        values = module.solve(game)
        running = needed[-1]
        moves = module.remoteness(game) if wanted.remoteness else None
        check_tables(game, {"solve": values, **({"remoteness": moves} if wanted.remoteness else {})})
        return 0, format_table(wanted, game, values, moves)
    except WrongTable as wrong:
        return 1, [f"{wrong}\n"]
    except BaseException as error:
        return _failed("", safely_described(error, str(lab)), function=running)


def read_arguments(words: list[str], itemized: str | None) -> Wanted:
    """The game that the words name.  ValueError, with a sentence, where they name none.

    >>> read_arguments(["zero_by", "10", "1", "2"], None)
    Wanted(numbers=(10, 1, 2), items=True, totals=False, remoteness=False)
    """
    remoteness = "--remoteness" in words
    name, *rest = [word for word in words if word != "--remoteness"] or [""]
    if itemized not in (None, "0", "1"):
        raise ValueError(f"{ITEMIZED} is {itemized[:40]!r}; it is 1, 0, or not set")
    if name not in ("zero_by", "tic_tac_toe"):
        raise ValueError(f"there is no game {name[:40]!r}" if name else "which game?")
    if name == "tic_tac_toe" and rest:
        raise ValueError("tic_tac_toe goes without numbers")
    if name == "zero_by" and len(rest) < 2:
        raise ValueError("zero_by needs a number of items and at least one removal")
    numbers = []
    for word in rest:
        if not (word.isascii() and word.isdigit() and word.strip("0")):
            raise ValueError(f"{word[:40]!r} is not a positive whole number")
        if len(word) > MOST_DIGITS:
            raise ValueError(f"a number of {len(word):,} digits is too long; it may have {MOST_DIGITS:,}")
        numbers.append(int(word))
    items = itemized == "1" or (itemized is None and name == "zero_by")
    return Wanted(tuple(numbers), items, itemized is not None or name == "tic_tac_toe", remoteness)


def check_tables(game: Game, tables: dict[str, Any]) -> None:
    """Raise WrongTable, with a sentence, where what a function gave is no dict or holds something else.

    >>> check_tables(TicTacToe(), {"solve": {3: "WIN"}})
    Traceback (most recent call last):
    grader.places.run.WrongTable: solve gave 'WIN' for position 3, which is no Value
    """
    for function, table in tables.items():
        if not isinstance(table, dict):
            raise WrongTable(f"{function} gave {_shown(table)}, which is no dict")
    values = tables["solve"]
    if set(map(type, values.values())) - {Value}:
        position, value = next(item for item in values.items() if type(item[1]) is not Value)
        shown = _shown(value), _shown(position)
        raise WrongTable(f"solve gave {shown[0]} for position {shown[1]}, which is no Value")
    if "remoteness" not in tables:
        return
    if game.start() not in values:
        raise WrongTable(f"solve gave no value for the start, {_shown(game.start())}")
    for position in values:
        if position not in tables["remoteness"]:
            raise WrongTable(f"remoteness gave no number for position {_shown(position)}")


def _shown(value: object) -> str:
    """A value of the student's in a sentence; of a huge one only the beginning is looked at."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = 200
    return harmless(short.repr(value), 60)


def format_table(wanted: Wanted, game: Game, values: dict[Any, Any], moves: dict[Any, Any] | None) -> list[str]:
    """The lines `<position>: <VALUE>`, with ` in <moves>` where these are given, and then the totals.

    Numbers come the highest first, other positions in the order of their characters.
    """
    names = {id(member): member.name for member in Value}
    lines = []
    if wanted.items:
        try:
            in_order = sorted(values, reverse=bool(wanted.numbers))
        except TypeError as error:
            raise WrongTable(f"the positions in solve's dict cannot be put in order: {harmless(error)}") from None
        if moves is None:
            lines = [f"{position}: {names[id(values[position])]}\n" for position in in_order]
        else:
            lines = [f"{position}: {names[id(values[position])]} in {moves[position]}\n" for position in in_order]
    if wanted.totals:
        counts = Counter(names[id(value)] for value in values.values())
        lines += ["\n"] if wanted.items else []
        lines += [f"{value.name}: {counts[value.name]}\n" for value in (Value.WIN, Value.TIE, Value.LOSE)]
        lines += [f"TOTAL: {len(values)}\n"]
        if moves is not None:
            lines.append(f"START: {names[id(values[game.start()])]} in {moves[game.start()]}\n")
    return lines


def _written(lines: list[str]) -> str:
    """Lines in one text; what a position of the student's holds that cannot be seen is spelled out."""
    text = "".join(lines)
    if text.count("\n") == len(lines) and text.replace("\n", "").isprintable():
        return text
    return "".join(f"{visible(line[:-1])}\n" for line in lines)


def _confine(lab: Path, scratch: Path) -> None:
    """What the grader's own child process does, when this run is graded."""
    if hasattr(os, "fork"):
        enclose(MOST_SECONDS)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(scratch)
    shut_in(readable_files(lab), writable=scratch)
    limit_cpu(IMPORT_SECONDS, for_good=False, last_words=2)


def _failed(lead: str, raised: Raised, ailing: str = "", function: str = "") -> tuple[int, list[str]]:
    """The exit status, and a line that says what lab.py raised in this function, or what ails it."""
    if "KeyboardInterrupt" in raised.bases:
        place = f" at lab.py:{raised.frames[-1][0]}" if raised.frames else ""
        return INTERRUPTED, [f"Stopped{place}.\n"]
    _, sentence = sentence_for_exception(raised, function)
    if function and sentence == NOT_STARTED:
        sentence = f"{function} is not written yet."
    elif function:
        sentence = re.sub("^It ", f"{function} ", sentence)
    return 1, [f"{lead}{ailing or sentence}\n"]
