"""`make grade`: grades the submissions that count, and stores each verdict as it comes.

A verdict is stored with the SHA-256 of the submission, and with the digest of
everything that the verdict depends on.  So after any change the command grades only
what the change concerns.  If the command is stopped, somebody can type it again, and it
goes on where it was stopped.  AGAIN= asks the command to replace verdicts that are in
the store.  The command first marks these verdicts in the store.  If the command is
stopped, the marks say which verdicts it still has to replace.
"""

import importlib
import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import Any

from grader.parser import Parser
from grader.protocol.text import plural
from grader.refusal import Refusal, as_typed, tell
from grader.verdicts.verdict import Status
from staff.bank import refuse_changed_cases
from staff.farm import isolation, pool
from staff.farm.pool import Failure, Result, Task
from staff.gradebook import exports, publications
from staff.gradebook.book import Book, open_book
from staff.gradebook.outputs import write_outputs
from staff.intake.spreadsheet import ids_of
from staff.progress import with_progress
from staff.store import GRADES, Store

ALL = "all"
WRITTEN = ("gradebook.csv", "summary.html", "feedback/", "upload/", "changes.csv")
Key = tuple[str, str, str]
"""What a verdict is stored under: the SHA-256 of a submission, a function, and the
digest of everything that the verdict depends on.
"""
ToGrade = dict[str, dict[str, str]]
"""For the SHA-256 of each submission, the functions to grade, with their digests."""


USAGE = (
    "[WHO=id,id] [AGAIN=ungraded|all] "
    f"[ISOLATE={'|'.join(isolation.WAYS)}] [SCHEDULER=address] [OVER=1]"
)


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
        help="the address of a Dask scheduler",
    )
    parser.add_switch("OVER", "fill even the cells of the export that are not empty")


def main(store: Store, options: dict[str, str]) -> None:
    """Grade, and write the results.  Raises Refusal or BadFile."""
    refuse_changed_cases()
    book = open_book(store)
    exports.refuse_another_maximum(book)
    students = book.roster.students
    who = ids_of(options["WHO"], students, "WHO") or students
    again = to_find_again(book, who, options["AGAIN"])
    to_grade = dict(to_do(book, who, again))
    failures = list[Failure]()
    if to_grade:
        number = plural(len(to_grade), "submission")
        print(f"{number} to grade{_isolation(book, options)}", flush=True)
        _mark(store, again)
        failures = run(book, to_grade, options)
    lines = publications.bring_back(store)
    lines += write_outputs(book, GRADES, over=bool(options["OVER"])).lines
    written = ", ".join(name for name in WRITTEN if (GRADES / name).exists())
    print(*map(as_typed, lines), f"grades/: {written}", sep="\n")
    _refuse_failures(failures)


def _refuse_failures(failures: list[Failure]) -> None:
    """Raise Refusal if a fault outside of the submissions has left some submissions
    without verdicts.
    """
    reasons = Counter(failure.why for failure in failures)
    if reasons:
        causes = "; ".join(
            f"{plural(number, 'submission')}: {why}" for why, number in reasons.items()
        )
        raise Refusal(
            f"not graded, and nothing stored: {causes}; make grade tries again"
        )


def _isolation(book: Book, options: dict[str, str]) -> str:
    """Set up the isolation of student code on this machine; return a text that names
    it.

    The text is the end of a line, as in `; isolation: lock`.  It is empty if other
    machines grade.
    """
    if options["SCHEDULER"]:
        return ""
    return f"; isolation: {isolation.choose(options['ISOLATE'], book.course.isolation)}"


def to_find_again(book: Book, who: Iterable[str], again: str) -> set[Key]:
    """Return the keys of the stored verdicts that the command should replace.

    `who` has the ids of students, and `again` is the value of AGAIN=: `all`,
    `ungraded`, or empty.  If `again` is empty, these are the verdicts that an earlier
    command has marked and not replaced, because it was stopped.  They are also returned
    if a submission of these students has a marked verdict, so that the earlier command
    goes on.  Otherwise, all verdicts on the submissions of these students are returned,
    or those that have an ungraded case.
    """
    marked = _marked(book.store)
    if not again:
        return marked
    keys = set[Key]()
    for sha256 in _submissions(book, who):
        for function, digest, data in book.verdicts(sha256):
            key = (sha256, function, digest)
            if key in marked:
                return marked
            if data is not None and (again == ALL or is_ungraded(data)):
                keys.add(key)
    return keys


def to_do(
    book: Book, who: Iterable[str], again: set[Key]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the SHA-256 of each submission of these students that is to be graded.

    It comes with the functions to grade; the key is the function, and the value is its
    digest.  A function is graded if it has no verdict, or if its verdict is in `again`.
    """
    for sha256 in _submissions(book, who):
        functions = {}
        for function, digest, data in book.verdicts(sha256):
            if data is None or (sha256, function, digest) in again:
                functions[function] = digest
        if functions:
            yield sha256, functions


def _submissions(book: Book, who: Iterable[str]) -> list[str]:
    """The SHA-256 of each file of these students that may count, each only once."""
    files = [file.sha256 for student in who for file in book.to_grade(student)]
    return list(dict.fromkeys(files))


def _marked(store: Store) -> set[Key]:
    """Return the keys of all marked verdicts: those that a stopped command has not
    replaced yet.
    """
    rows = store.db.execute("SELECT lab, function, digest FROM again").fetchall()
    return {(sha256, function, digest) for sha256, function, digest in rows}


def _mark(store: Store, again: set[Key]) -> None:
    """Mark the verdicts that this command should replace.

    If the command is stopped, the marks say which verdicts it has not replaced yet.
    """
    query = "INSERT OR IGNORE INTO again VALUES (?, ?, ?)"
    with store.db:
        store.db.executemany(query, sorted(again))


def is_ungraded(data: dict[str, Any]) -> bool:
    """Whether the stored verdicts of a function leave some case ungraded."""
    if "fault" in data:
        return True
    cases = data["cases"].values()
    return any(case["status"] == Status.UNGRADED.value for case in cases)


def run(book: Book, to_grade: ToGrade, options: dict[str, str]) -> list[Failure]:
    """Grade, on this machine or on the workers of a scheduler, and store each verdict.

    Return the failures: each names a submission that could not be graded for a reason
    outside of the submission.  Raises Refusal.
    """
    failures = []
    total = sum(map(len, to_grade.values()))
    with closing(_results(book, to_grade, options)) as results:
        try:
            for result in with_progress(results, total, "graded", "function"):
                if isinstance(result, Failure):
                    failures.append(result)
                else:
                    _keep(book.store, result)
        except KeyboardInterrupt:
            tell("\nEach verdict so far is kept; make grade goes on from there")
            raise
    return failures


def _results(
    book: Book, to_grade: ToGrade, options: dict[str, str]
) -> Generator[Result | Failure]:
    """Yield the result for each of these functions of submissions, as soon as it is
    there.

    A Failure may come in place of the results of a submission.  Raises Refusal.
    """
    tasks = (
        Task(sha256, book.source(sha256), functions)
        for sha256, functions in to_grade.items()
    )
    address = options["SCHEDULER"]
    if not address:
        yield from pool.run(tasks)
        return
    # The package of Dask is installed only where somebody names a scheduler.
    cluster = importlib.import_module("staff.farm.cluster")
    needed = book.course.isolation
    yield from cluster.run(tasks, address, needed, options["ISOLATE"])


def _keep(store: Store, result: Result) -> None:
    """Store the verdicts of a submission on a function, and remove their mark.

    The mark would ask a later command to replace the verdicts.
    """
    task = result.task
    key = (task.sha256, result.function, task.functions[result.function])
    with store.db:
        store.db.execute(
            "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?)",
            (*key, json.dumps(result.data)),
        )
        store.db.execute(
            "DELETE FROM again WHERE lab = ? AND function = ? AND digest = ?", key
        )
