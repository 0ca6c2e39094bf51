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
import sys
from pathlib import Path

from grader.calls.raised import safely_described
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import complaint, sentence_for_exception
from grader.kinds.command.table import ITEMIZED, Failed, Wanted, WrongTable, read_arguments, tabulate, written
from grader.protocol.limits import IMPORT_SECONDS, SCRATCH, SECONDS
from grader.protocol.raised import Raised
from grader.refusal import Refusal, fitting
from grader.worker.confine import limit_cpu, shut_in
from grader.worker.importing import close_import_path, flush_prints, import_lab, leave_in_words, readable_files
from grader.worker.keeper import enclose

USAGE = (
    'usage: make run ARGS="zero_by N REMOVAL [REMOVAL ...]", all positive whole numbers, '
    'or ARGS="tic_tac_toe"; and --remoteness with either'
)
LINES_A_WRITE = 100_000
INTERRUPTED = 130
MOST_SECONDS = 120  # in which the grader has lost its patience long ago

_exit = os._exit


def main(words: list[str], lab: Path) -> int:
    """Print the strong solution of the game that the words name; the exit status.  Raises Refusal, and OSError."""
    try:
        wanted = read_arguments(words, os.environ.get(ITEMIZED))
    except ValueError as error:
        raise Refusal(f"{error}; {USAGE}") from None
    source, lab = read_lab(lab), lab.resolve()
    table = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace", newline="\n")
    complaints = os.fdopen(os.dup(2), "w", encoding=sys.stderr.encoding, errors="backslashreplace")
    os.dup2(2, 1)
    seconds = float(os.environ.get(SECONDS, 0))
    if SCRATCH in os.environ:
        _confine(lab, Path(os.environ[SCRATCH]))
    else:
        leave_in_words()
    close_import_path()
    status, lines = _solve(wanted, lab, source, seconds)
    flush_prints()
    lines = [f"{line}\n" for line in fitting(lines[0].rstrip(), complaints).splitlines()] if status else lines
    try:
        with complaints if status else table as stream:
            for start in range(0, len(lines), LINES_A_WRITE):
                stream.write(written(lines[start : start + LINES_A_WRITE]))
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
        return _failed(module, f"lab.py cannot be imported. {what_ails(source) or sentence_for_exception(module)[1]}")
    try:
        return 0, tabulate(wanted, module)
    except WrongTable as wrong:
        return 1, [f"{wrong}\n"]
    except Failed as failed:
        raised = safely_described(failed.__cause__ or failed, str(lab))
        return _failed(raised, complaint(failed.own, raised))


def _confine(lab: Path, scratch: Path) -> None:
    """What the grader's own child process does, when this run is graded."""
    if hasattr(os, "fork"):
        enclose(MOST_SECONDS)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(scratch)
    sys.dont_write_bytecode = True
    shut_in(readable_files(lab), writable=scratch)
    limit_cpu(IMPORT_SECONDS, for_good=False, last_words=2)


def _failed(raised: Raised, sentence: str) -> tuple[int, list[str]]:
    """The exit status, and a line that says what lab.py raised."""
    if "KeyboardInterrupt" in raised.bases:
        place = f" at lab.py:{raised.frames[-1][0]}" if raised.frames else ""
        return INTERRUPTED, [f"Stopped{place}.\n"]
    return 1, [f"{sentence}\n"]
