"""`make run`: solves a game with the student's own functions and prints the value of every position.

    python -m grader run zero_by 10 1 2

Nothing but the positions goes to standard output: while lab.py is imported and the game solved,
whatever it prints goes to standard error.  Exit status 2 for bad arguments, 1 where lab.py fails.
"""

import os
import sys
from pathlib import Path
from typing import Any

from api import Value
from grader.confine import close_door, limit_cpu, limit_memory_and_files
from grader.sentences import sentence_for_exception
from grader.worker import close_import_path, import_lab, readable_files, safely_described

USAGE = 'usage: make run ARGS="zero_by N REMOVAL [REMOVAL ...]", all positive whole numbers'
SCRATCH, SECONDS = "GRADER_SCRATCH", "GRADER_SECONDS"
LINES_A_WRITE = 100_000


def main(words: list[str], lab: Path) -> int:
    """Print the strong solution of the game that the words name; the exit status."""
    try:
        n, removals = read_arguments(words)
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
        table = module.solve(module.ZeroBy(n, removals))
        text = format_table(table)
    except BaseException as error:
        return _fail("", safely_described(error, str(lab)), "")
    sys.stdout.flush()
    with os.fdopen(output, "w", encoding="utf-8", newline="\n") as stream:
        for start in range(0, len(text), LINES_A_WRITE):
            stream.write("".join(text[start : start + LINES_A_WRITE]))
    return 0


def read_arguments(words: list[str]) -> tuple[int, tuple[int, ...]]:
    """The game that the words name.  ValueError, with a sentence, where they name none.

    >>> read_arguments(["zero_by", "10", "1", "2"])
    (10, (1, 2))
    """
    if not words:
        raise ValueError("which game?")
    if words[0] != "zero_by":
        raise ValueError(f"there is no game {words[0]!r}")
    if len(words) < 3:
        raise ValueError("zero_by needs a number of items and at least one removal")
    numbers = []
    for word in words[1:]:
        if not (word.isascii() and word.isdigit()) or int(word[:5000]) == 0:
            raise ValueError(f"{word[:40]!r} is not a positive whole number")
        numbers.append(int(word))
    return numbers[0], tuple(numbers[1:])


def format_table(table: dict[Any, Any]) -> list[str]:
    """The lines `<position>: <VALUE>`, the highest position first."""
    names = {id(member): member.name for member in Value}
    return [f"{position}: {names[id(table[position])]}\n" for position in sorted(table, reverse=True)]


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
