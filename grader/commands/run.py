"""`make run`: solves a game with the student's own functions and prints the values of
its positions.

    python grader run zero_by 10 1 2      every position, the highest first
    python grader run tic_tac_toe         how many positions there are of each value

The environment variable ITEMIZED asks for one or the other: 1 is every position and
then the totals, 0 the totals alone.

Nothing but the table goes to standard output: while lab.py is imported and the game
solved, whatever it prints goes to standard error.  Exit status 2 for bad arguments, 1
if lab.py fails.
"""

import contextlib
import os
import sys
from pathlib import Path
from types import ModuleType

from grader.calls.raised import safely_described
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import WORDS, complaint, sentence_for_exception
from grader.kinds.command.table import (
    ITEMIZED,
    Chosen,
    Failed,
    WrongTable,
    read_arguments,
    tabulate,
    written,
)
from grader.parser import Parser
from grader.protocol.answer import Raised
from grader.protocol.limits import IMPORT_SECONDS, SCRATCH, SECONDS
from grader.refusal import Refusal
from grader.worker.importing import (
    close_import_path,
    flush_prints,
    import_lab,
    leave_in_words,
    readable_files,
)
from grader.worker.isolation import filter_of_a_function, limit_cpu, put_on, shut_in

USAGE = 'usage: make run ARGS="zero_by N REMOVAL [REMOVAL ...]", all positive whole numbers, or ARGS="tic_tac_toe"'

_exit = os._exit


def main(words: list[str], lab: Path) -> int:
    """Print the strong solution of the game that the words name; the exit status.
    Raises Refusal, and OSError.
    """
    parser = Parser("run", USAGE)
    parser.add_argument("game", nargs="*", metavar="GAME", default=[])
    try:
        chosen = read_arguments(parser.parse_args(words).game, os.environ.get(ITEMIZED))
    except ValueError as error:
        raise Refusal(f"{error}; {USAGE}") from None
    source, lab = read_lab(lab), lab.resolve()
    table = os.fdopen(
        os.dup(1), "w", encoding="utf-8", errors="backslashreplace", newline="\n"
    )
    complaints = os.fdopen(
        os.dup(2), "w", encoding=sys.stderr.encoding, errors="backslashreplace"
    )
    os.dup2(2, 1)
    seconds = float(os.environ.get(SECONDS, 0))
    module = (
        _import_as_graded(lab, Path(os.environ[SCRATCH]), seconds)
        if seconds
        else _import(lab)
    )
    lines, failure = _solve(chosen, module, lab, source)
    flush_prints()
    with (
        contextlib.suppress(BrokenPipeError),
        table,
    ):  # whoever reads it may have had enough
        table.write(written(lines))
    with complaints:
        complaints.write(f"{failure}\n" if failure else "")
    return _exit(
        1 if failure else 0
    )  # whatever lab.py has started, closed or left for the end


def _import(lab: Path) -> ModuleType | Raised:
    leave_in_words()
    close_import_path()
    return import_lab(str(lab))


def _import_as_graded(lab: Path, scratch: Path, seconds: float) -> ModuleType | Raised:
    """Import lab.py shut in, as the worker does; after that it may take so many seconds
    of CPU.
    """
    os.chdir(scratch)
    sys.dont_write_bytecode = True
    isolation = shut_in([*readable_files(lab), WORDS], writable=scratch)
    refuse_processes = filter_of_a_function() if isolation.seccomp else b""
    close_import_path()
    limit_cpu(IMPORT_SECONDS, last_words=2)
    module = import_lab(str(lab))
    limit_cpu(seconds, last_words=2)
    if refuse_processes:
        put_on(refuse_processes)
    return module


def _solve(
    chosen: Chosen, module: ModuleType | Raised, lab: Path, source: bytes
) -> tuple[list[str], str]:
    """The lines of the table, and a sentence if there are none."""
    if isinstance(module, Raised):
        why = what_ails(source) or sentence_for_exception(module)[1]
        return [], _failure(module, f"lab.py cannot be imported. {why}")
    try:
        return tabulate(chosen, module), ""
    except WrongTable as wrong:
        return [], str(wrong)
    except Failed as failed:
        raised = safely_described(failed.__cause__ or failed, str(lab))
        return [], _failure(raised, complaint((str(failed), "__init__"), raised))


def _failure(raised: Raised, sentence: str) -> str:
    """The sentence about what lab.py raised, or the line in which Ctrl-C stopped it."""
    if "KeyboardInterrupt" not in raised.bases:
        return sentence
    return f"Stopped at lab.py:{raised.frames[-1][0]}." if raised.frames else "Stopped."
