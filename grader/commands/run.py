"""`make run`: solves a game with the student's functions and prints the values of its
positions.

    python grader run zero_by 10 1 2      every position, the highest first
    python grader run tic_tac_toe         how many positions there are of each value

ITEMIZED=1 prints every position and then the totals.  ITEMIZED=0 prints only the
totals.  ITEMIZED may also be an environment variable.

Only the table goes to standard output.  Whatever lab.py prints goes to standard error,
while lab.py is imported and while the game is solved.  The exit status is 2 for wrong
words, and 1 if lab.py fails.
"""

import contextlib
import os
import sys
from pathlib import Path
from types import ModuleType

from grader.child.importing import (
    close_import_path,
    flush_prints,
    import_lab,
    import_without_limits,
    readable_files,
)
from grader.child.isolation import filter_of_a_function, limit_cpu, put_on, shut_in
from grader.child.raised import safely_described
from grader.grading.source import read_lab, what_ails
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
from grader.verdicts.sentences import WORDS, complaint, sentence_for_exception

USAGE = (
    'usage: make run ARGS="zero_by N REMOVAL [REMOVAL ...]", '
    'all positive whole numbers, or ARGS="tic_tac_toe"'
)

_exit = os._exit  # lab.py may put another function in place of os._exit


def main(words: list[str], lab: Path) -> int:
    """Print the values of the positions of a game, and then end this process.

    `words` say which game.  The exit status is 0, or 1 if lab.py fails.  Raises Refusal
    for wrong words or a file that is not a lab.py, and OSError if lab.py cannot be
    read.
    """
    parser = Parser("run", USAGE, lab)
    parser.add_argument("game", nargs="*", metavar="GAME", default=[])
    parser.add_argument(
        "--itemized",
        default=os.environ.get(ITEMIZED),
        metavar="0|1",
        help="1: every position and then the totals; 0: the totals alone",
    )
    options = parser.read(words)
    try:
        chosen = read_arguments(options.game, options.itemized)
    except ValueError as error:
        raise Refusal(f"{error}; {USAGE}") from None
    source = read_lab(options.lab)
    lab = options.lab.resolve()
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
        else import_without_limits(str(lab))
    )
    lines, failure = _solve(chosen, module, lab, source)
    flush_prints()
    # The table may go to a program such as `head`, which stops reading early.
    with contextlib.suppress(BrokenPipeError), table:
        table.write(written(lines))
    with complaints:
        if failure:
            print(failure, file=complaints)
    # If Python ended in the ordinary way, it would first run whatever lab.py has
    # registered for that moment, and wait for the threads of lab.py.
    return _exit(1 if failure else 0)


def _import_as_graded(lab: Path, scratch: Path, seconds: float) -> ModuleType | Raised:
    """Import lab.py with the same limits and the same isolation as in the grader's
    child.

    After the import, student code may use `seconds` of CPU.  If this machine can keep
    it from doing so, student code writes nowhere but below `scratch`.
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
    """Return the lines of the table, and an empty text.

    If lab.py makes no table, return no lines, and a sentence that says why.
    """
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
    """Return `sentence`, which is about an exception from lab.py.

    If the exception came from Ctrl-C, return instead a sentence that says that the run
    was stopped.  If the line of lab.py is known, the sentence names this line.
    """
    if "KeyboardInterrupt" not in raised.bases:
        return sentence
    if raised.frames:
        return f"Stopped at lab.py:{raised.frames[-1][0]}."
    return "Stopped."
