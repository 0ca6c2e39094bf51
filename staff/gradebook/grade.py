"""`make grade`: grades what counts as the course does, and stores each verdict as soon
as there is one.

A verdict stands under the lab's SHA-256 and the digest of all that it depends on.  So
after any change only that runs which has changed, and a run that was stopped goes on
where it was.  What AGAIN= is to find again is marked in the store first, so that this
holds for it as well.
"""

import importlib
import json
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import Any, TypeVar

from rich.progress import track

from grader.judging.verdict import Status
from grader.parser import Parser
from grader.protocol.words import plural
from grader.refusal import Refusal, as_typed, tell
from staff.gradebook import exports, isolation, pool, publications
from staff.gradebook.book import Book, open_book
from staff.gradebook.outputs import write_outputs
from staff.gradebook.pool import Failure, Result, Task
from staff.gradebook.spreadsheet import ids_of
from staff.gradebook.store import GRADES, Store
from staff.testing import refuse_changed_cases

ALL = "all"
LINE_SECONDS = 10.0  # between two lines that say how far the work is, if nobody watches on a terminal
Anything = TypeVar("Anything")
Key = tuple[str, str, str]
"""A lab, a function, and the digest of all that the verdict depends on."""


USAGE = f"[WHO=id,id] [AGAIN=ungraded|all] [ISOLATE={'|'.join(isolation.WAYS)}] [SCHEDULER=address] [OVER=1]"


def add_options(parser: Parser) -> None:
    """Declare the options of make grade."""
    parser.add_argument("--who", default="", metavar="IDS", help="only these students")
    parser.add_argument(
        "--again",
        default="",
        choices=["ungraded", "all"],
        help="what to grade again, although nothing has changed",
    )
    parser.add_argument(
        "--isolate",
        default="",
        choices=[*isolation.WAYS],
        help="what protects this machine",
    )
    parser.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="of a Dask cluster that grades",
    )
    parser.add_switch("OVER", "write over tables that were edited")


def main(store: Store, options: dict[str, str]) -> None:
    """Grade, and write what comes of it.  Raises Refusal and BadFile."""
    refuse_changed_cases()
    book = open_book(store)
    exports.refuse_another_maximum(book)
    who = ids_of(options["WHO"], book.roster.students, "WHO") or book.roster.students
    again = to_find_again(book, who, options["AGAIN"])
    to_grade = dict(to_do(book, who, again))
    failures = list[Failure]()
    if to_grade:
        print(
            f"{plural(len(to_grade), 'submission')} to grade{_isolation(book, options)}",
            flush=True,
        )
        _mark(store, again)
        failures = run(book, to_grade, options)
    lines = [
        *publications.bring_back(store),
        *write_outputs(book, GRADES, over=bool(options["OVER"])).lines,
    ]
    print(
        *map(as_typed, lines),
        "grades/: gradebook.csv, summary.html, feedback/, upload/, changes.csv",
        sep="\n",
    )
    if failures:
        reasons = Counter(failure.why for failure in failures)
        told = "; ".join(
            f"{plural(number, 'submission')}: {why}" for why, number in reasons.items()
        )
        raise Refusal(f"not graded, and nothing stored: {told}; make grade tries again")


def _isolation(book: Book, options: dict[str, str]) -> str:
    """Set up the isolation of this machine if labs run here; the level that is reached,
    as the end of a line.
    """
    if options["SCHEDULER"]:
        return ""
    return f"; isolation: {isolation.choose(options['ISOLATE'], book.course.isolation)}"


def to_find_again(book: Book, who: Iterable[str], again: str) -> set[Key]:
    """The verdicts of theirs that are found again: all, or those that are `ungraded`,
    or those that are still marked.

    A command that was stopped leaves marks on what it has not come to.  As long as
    there are any, they are what is to be found again: so the same command goes on where
    it was.
    """
    marked, keys = _marked(book.store), set[Key]()
    if not again:
        return marked
    for sha256 in _labs(book, who):
        for function, digest, data in book.verdicts(sha256):
            if (sha256, function, digest) in marked:
                return marked
            if data is not None and (again == ALL or is_ungraded(data)):
                keys.add((sha256, function, digest))
    return keys


def to_do(
    book: Book, who: Iterable[str], again: set[Key]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Each lab of theirs with its functions to grade, and their digests: without a
    verdict, or to be found again.
    """
    for sha256 in _labs(book, who):
        functions = {}
        for function, digest, data in book.verdicts(sha256):
            if data is None or (sha256, function, digest) in again:
                functions[function] = digest
        if functions:
            yield sha256, functions


def _labs(book: Book, who: Iterable[str]) -> list[str]:
    """The SHA-256 of each file of theirs that may count."""
    return list(
        dict.fromkeys(file.sha256 for student in who for file in book.to_grade(student))
    )


def _marked(store: Store) -> set[Key]:
    """The verdicts that a command was to find again, and has not come to."""
    rows = store.db.execute("SELECT lab, function, digest FROM again").fetchall()
    return {(lab, function, digest) for lab, function, digest in rows}


def _mark(store: Store, again: set[Key]) -> None:
    """Mark what is to be found again, in case that the command is stopped."""
    with store.db:
        store.db.executemany(
            "INSERT OR IGNORE INTO again VALUES (?, ?, ?)", sorted(again)
        )


def is_ungraded(data: dict[str, Any]) -> bool:
    """Whether a case of a function could not be judged."""
    return "fault" in data or any(
        case["status"] == Status.UNGRADED.value for case in data["cases"].values()
    )


def run(
    book: Book, to_grade: dict[str, dict[str, str]], options: dict[str, str]
) -> list[Failure]:
    """Grade these functions of labs, here or on the workers of a scheduler, and store
    each verdict.

    The labs for which nothing is stored, with why.  Raises Refusal.
    """
    failures = []
    total = sum(map(len, to_grade.values()))
    with closing(_results(book, to_grade, options)) as results:
        try:
            for result in shown_in_between(results, total):
                if isinstance(result, Failure):
                    failures.append(result)
                else:
                    _keep(book.store, result)
        except KeyboardInterrupt:
            tell("\nEach verdict so far is kept; make grade goes on from there")
            raise
    return failures


def _results(
    book: Book, to_grade: dict[str, dict[str, str]], options: dict[str, str]
) -> Generator[Result | Failure]:
    """The results of these functions of labs, as they come."""
    tasks = (
        Task(sha256, book.source(sha256), functions)
        for sha256, functions in to_grade.items()
    )
    if not options["SCHEDULER"]:
        yield from pool.run(tasks)
        return
    cluster = importlib.import_module(
        "staff.gradebook.cluster"
    )  # which only this needs
    yield from cluster.run(
        tasks, options["SCHEDULER"], book.course.isolation, options["ISOLATE"]
    )


def _keep(store: Store, result: Result) -> None:
    """Store the verdicts on a function, which need not be found again any more."""
    key = result.task.sha256, result.function, result.task.functions[result.function]
    with store.db:
        store.db.execute(
            "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?)",
            (*key, json.dumps(result.data)),
        )
        store.db.execute(
            "DELETE FROM again WHERE lab = ? AND function = ? AND digest = ?", key
        )


def shown_in_between(results: Iterable[Anything], total: int) -> Iterator[Anything]:
    """The same results; meanwhile a terminal shows a bar, and anything else gets a line
    now and then.
    """
    if sys.stdout.isatty():
        yield from track(results, "grading", total=total)
        return
    last = time.monotonic()
    for number, result in enumerate(results, start=1):
        yield result
        if time.monotonic() - last > LINE_SECONDS:
            last = time.monotonic()
            print(f"graded: {number} of {plural(total, 'function')}", flush=True)
