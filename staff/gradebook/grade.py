"""`make grade`: grades what counts as the course does, and stores each verdict as soon as there is one.

A verdict stands under the lab's SHA-256 and the digest of all that it depends on.  So after any change only that runs
which has changed, and a run that was stopped goes on where it was.
"""

import importlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from rich.progress import track

from grader.judging.verdict import Status
from grader.protocol.words import plural
from staff.gradebook import isolation, pool
from staff.gradebook.book import Book, open_book
from staff.gradebook.outputs import write_outputs
from staff.gradebook.pool import Task
from staff.gradebook.roster import chosen
from staff.gradebook.store import GRADES, Store


def main(store: Store, options: dict[str, str]) -> None:
    """Grade, and write what comes of it.  Raises Refusal and BadFile."""
    book = open_book(store)
    who = chosen(book.roster, options["WHO"]) or book.roster.students
    left = dict(to_do(book, who, again=bool(options["AGAIN"])))
    if left:
        level = isolation.choose(options["ISOLATE"], book.course.isolation)
        print(f"{plural(len(left), 'lab')} to grade; isolation: {level}", flush=True)
        run(book, left, options["SCHEDULER"])
    lines = write_outputs(book, GRADES, over=bool(options["OVER"]))
    print(*lines, "grades/: gradebook.csv, summary.html, feedback/, upload/, changes.csv", sep="\n")


def to_do(book: Book, who: Iterable[str], again: bool) -> Iterator[tuple[str, dict[str, str]]]:
    """Each lab of theirs with its functions to grade, and their digests; `again`: also what could not be judged."""
    for sha256 in dict.fromkeys(one.sha256 for student in who for one in book.to_grade(student)):
        stored = book.verdicts(sha256)
        functions = {name: digest for name, digest, data in stored if data is None or (again and is_ungraded(data))}
        if functions:
            yield sha256, functions


def is_ungraded(data: dict[str, Any]) -> bool:
    """Whether a case of a function could not be judged."""
    return "fault" in data or any(case["status"] == Status.UNGRADED.value for case in data["cases"].values())


def run(book: Book, left: dict[str, dict[str, str]], scheduler: str) -> None:
    """Grade these functions of labs, here or on the workers of a scheduler, and store each verdict."""
    tasks = (Task(sha256, book.source(sha256), functions) for sha256, functions in left.items())
    results = importlib.import_module("staff.gradebook.cluster").run(tasks, scheduler) if scheduler else pool.run(tasks)
    for result in track(results, "grading", total=sum(map(len, left.values()))):
        digest = result.task.functions[result.function]
        row = result.task.sha256, result.function, digest, json.dumps(result.data)
        with book.store.db:
            book.store.db.execute("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?)", row)
