"""`make grade`: grades what counts as the course does, and stores each verdict as soon as there is one.

A verdict stands under the lab's SHA-256 and the digest of all that it depends on.  So after any change only that runs
which has changed, and a run that was stopped goes on where it was.
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
from grader.protocol.words import plural
from grader.refusal import Refusal, tell
from staff.gradebook import exports, isolation, pool
from staff.gradebook.book import Book, open_book
from staff.gradebook.outputs import write_outputs
from staff.gradebook.pool import Failure, Result, Task
from staff.gradebook.spreadsheet import ids_of
from staff.gradebook.store import GRADES, Store
from staff.testing import refuse_changed_cases

AGAIN = ("ungraded", "all")
LINE_SECONDS = 10.0  # between two lines that say how far the work is, if nobody watches on a terminal
Anything = TypeVar("Anything")


def main(store: Store, options: dict[str, str]) -> None:
    """Grade, and write what comes of it.  Raises Refusal and BadFile."""
    refuse_changed_cases()
    book = open_book(store)
    exports.refuse_another_maximum(book)
    who = ids_of(options["WHO"], book.roster.students, "WHO") or book.roster.students
    to_grade = dict(to_do(book, who, options["AGAIN"]))
    failures = list[Failure]()
    if to_grade:
        print(f"{plural(len(to_grade), 'lab')} to grade{_isolation(book, options)}", flush=True)
        failures = run(book, to_grade, options)
    lines = write_outputs(book, GRADES, over=bool(options["OVER"])).lines
    print(*lines, "grades/: gradebook.csv, summary.html, feedback/, upload/, changes.csv", sep="\n")
    if failures:
        reasons = Counter(failure.why for failure in failures)
        told = "; ".join(f"{plural(number, 'lab')}: {why}" for why, number in reasons.items())
        raise Refusal(f"not graded, and nothing stored: {told}; make grade tries again")


def _isolation(book: Book, options: dict[str, str]) -> str:
    """Set up the isolation of this machine if labs run here; the level that is reached, as the end of a line."""
    if options["SCHEDULER"]:
        return ""
    return f"; isolation: {isolation.choose(options['ISOLATE'], book.course.isolation)}"


def to_do(book: Book, who: Iterable[str], again: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Each lab of theirs with its functions to grade, and their digests.

    `again` says which are graded although there are verdicts: `all`, or those that are `ungraded`.
    """
    labs = dict.fromkeys(file.sha256 for student in who for file in book.to_grade(student))
    for sha256 in labs:
        functions = {}
        for name, digest, data in book.verdicts(sha256):
            if data is None or again == "all" or (again == "ungraded" and is_ungraded(data)):
                functions[name] = digest
        if functions:
            yield sha256, functions


def is_ungraded(data: dict[str, Any]) -> bool:
    """Whether a case of a function could not be judged."""
    return "fault" in data or any(case["status"] == Status.UNGRADED.value for case in data["cases"].values())


def run(book: Book, to_grade: dict[str, dict[str, str]], options: dict[str, str]) -> list[Failure]:
    """Grade these functions of labs, here or on the workers of a scheduler, and store each verdict.

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
            if options["AGAIN"] == "all":
                tell("\nEach new verdict so far is kept; the others are as before: make grade AGAIN=all begins again")
            else:
                tell("\nEach verdict so far is kept; make grade goes on from there")
            raise
    return failures


def _results(book: Book, to_grade: dict[str, dict[str, str]], options: dict[str, str]) -> Generator[Result | Failure]:
    """The results of these functions of labs, as they come."""
    tasks = (Task(sha256, book.source(sha256), functions) for sha256, functions in to_grade.items())
    if not options["SCHEDULER"]:
        yield from pool.run(tasks)
        return
    cluster = importlib.import_module("staff.gradebook.cluster")  # which only this needs
    yield from cluster.run(tasks, options["SCHEDULER"], book.course.isolation, options["ISOLATE"])


def _keep(store: Store, result: Result) -> None:
    """Store the verdicts on a function."""
    digest = result.task.functions[result.function]
    row = result.task.sha256, result.function, digest, json.dumps(result.data)
    with store.db:
        store.db.execute("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?)", row)


def shown_in_between(results: Iterable[Anything], total: int) -> Iterator[Anything]:
    """The same results; meanwhile a terminal shows a bar, and anything else gets a line now and then."""
    if sys.stdout.isatty():
        yield from track(results, "grading", total=total)
        return
    last = time.monotonic()
    for number, result in enumerate(results, start=1):
        yield result
        if time.monotonic() - last > LINE_SECONDS:
            last = time.monotonic()
            print(f"graded: {number} of {plural(total, 'function')}", flush=True)
