"""`make run`: solves a game with the student's own functions and prints the values of its positions.

    python -m grader run zero_by 10 1 2      every position, the highest first
    python -m grader run tic_tac_toe         how many positions there are of each value
    ... --remoteness                         with the moves to the end, by the student's `remoteness`

The environment variable ITEMIZED asks for one or the other: 1 is every position and then the
totals, 0 the totals alone.

Nothing but the table goes to standard output: while lab.py is imported and the game solved,
whatever it prints goes to standard error.  Exit status 2 for bad arguments, 1 where lab.py fails.
"""

import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from api import Game, TicTacToe, Value
from grader.confine import close_door, limit_cpu, limit_memory_and_files
from grader.sentences import sentence_for_exception
from grader.worker import close_import_path, import_lab, readable_files, safely_described

USAGE = (
    'usage: make run ARGS="zero_by N REMOVAL [REMOVAL ...]", all positive whole numbers, '
    'or ARGS="tic_tac_toe"; and --remoteness with either'
)
ITEMIZED = "ITEMIZED"
SCRATCH, SECONDS = "GRADER_SCRATCH", "GRADER_SECONDS"
LINES_A_WRITE = 100_000


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
    if not lab.is_file():
        print(f"{lab} is not there, or is no ordinary file", file=sys.stderr)
        return 2
    lab = lab.resolve()
    output = os.dup(1)
    os.dup2(2, 1)
    if SCRATCH in os.environ:
        _confine(lab, Path(os.environ[SCRATCH]))
    close_import_path()
    module, failure = import_lab(str(lab))
    if module is None:
        return _fail("lab.py cannot be imported. ", failure, "")
    try:
        game = wanted.game(module)
        values = module.solve(game)
        moves = module.remoteness(game) if wanted.remoteness else None
        text = format_table(wanted, game, values, moves)
    except BaseException as error:
        return _fail("", safely_described(error, str(lab)), "")
    sys.stdout.flush()
    with os.fdopen(output, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
        for start in range(0, len(text), LINES_A_WRITE):
            stream.write("".join(text[start : start + LINES_A_WRITE]))
    return 0


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
        if not (word.isascii() and word.isdigit()) or int(word[:5000]) == 0:
            raise ValueError(f"{word[:40]!r} is not a positive whole number")
        numbers.append(int(word))
    items = itemized == "1" or (itemized is None and name == "zero_by")
    return Wanted(tuple(numbers), items, itemized is not None or name == "tic_tac_toe", remoteness)


def format_table(wanted: Wanted, game: Game, values: dict[Any, Any], moves: dict[Any, Any] | None) -> list[str]:
    """The lines `<position>: <VALUE>`, with ` in <moves>` where these are given, and then the totals.

    Numbers come the highest first, other positions in the order of their characters.
    """
    names = {id(member): member.name for member in Value}
    lines = []
    if wanted.items:
        in_order = sorted(values, reverse=bool(wanted.numbers))
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


def _confine(lab: Path, scratch: Path) -> None:
    """What the grader's own child process does, when this run is graded."""
    os.chdir(scratch)
    limit_memory_and_files()
    close_door(readable_files(lab), writable=scratch)
    limit_cpu(float(os.environ[SECONDS]), for_good=True)


def _fail(lead: str, raised: Any, function: str) -> int:
    _, sentence = sentence_for_exception(raised, function)
    print(f"{lead}{sentence}", file=sys.stderr)
    return 1
