"""`make grade`: grades what counts as the course does, and stores each verdict as soon as there is one.

A verdict stands under the lab's SHA-256 and the digest of all that it depends on.  So after any change only that runs
which has changed, and a run that was stopped goes on where it was.
"""

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.progress import Progress

from grader.judging.verdict import Status, Verdict
from grader.protocol.words import plural
from staff.gradebook import isolation, pool
from staff.gradebook.book import Book, open_book
from staff.gradebook.kit_process import as_data, nothing_known
from staff.gradebook.outputs import write_outputs
from staff.gradebook.pool import Result, Task
from staff.gradebook.roster import chosen
from staff.gradebook.store import GRADES, opened
from staff.parser import Parser

AGAIN = ("ungraded",)
_ADD = "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?)"


def main(words: list[str]) -> int:
    """Grade, and write what comes of it; the exit status.  Raises Refusal and BadFile."""
    parser = Parser(prog="make grade", usage="make grade WHO=id AGAIN=ungraded ISOLATE=lock SCHEDULER=address OVER=1")
    parser.add_argument("--who", default="")
    parser.add_argument("--again", default="", choices=("", *AGAIN))
    parser.add_argument("--isolate", default="", choices=("", *isolation.WAYS))
    parser.add_argument("--scheduler", default="")
    parser.add_argument("--over", default="")
    options = parser.parse_args(words)
    with opened("grade", writes=True) as store:
        book = open_book(store)
        who = chosen(book.roster, options.who) or book.students
        tasks = list(to_do(book, who, again=bool(options.again)))
        level = isolation.choose(options.isolate, book.course.isolation) if tasks else ""
        if tasks:
            print(f"{plural(len(tasks), 'lab')} to grade; isolation: {level}", flush=True)
            run(book, tasks, options.scheduler)
        lines = write_outputs(book, GRADES, over=options.over not in ("", "0"))
    print(*lines, "grades/: gradebook.csv, summary.html, feedback/, upload/, changes.csv", sep="\n")
    return 0


def to_do(book: Book, who: Iterable[str], again: bool = False) -> Iterable[Task]:
    """What is still to be graded of these students' labs; with `again`, also what could not be judged."""
    labs = dict.fromkeys(one.sha256 for student in who for one in book.to_grade(student))
    for sha256 in labs:
        functions = {
            function: digest
            for function, digest, data in book.verdicts(sha256)
            if data is None or (again and is_ungraded(data))
        }
        if functions:
            yield Task(sha256, book.source(sha256), functions)


def is_ungraded(data: dict[str, Any]) -> bool:
    """Whether a case of a function could not be judged."""
    return any(verdict["status"] == Status.UNGRADED.value for verdict in data["cases"].values())


def run(book: Book, tasks: list[Task], scheduler: str) -> None:
    """Grade these labs, here or on the workers of a scheduler, and store each verdict."""
    if scheduler:
        from staff.gradebook import cluster

        results = cluster.run(tasks, scheduler)
    else:
        results = pool.run(tasks)
    with Progress() as bar:
        shown = bar.add_task("grading", total=len(tasks))
        for result in results:
            if isinstance(result, Task):
                bar.advance(shown)
            else:
                keep(book, result)


def keep(book: Book, result: Result) -> None:
    """Store the verdicts on a function."""
    data = result.data
    if result.fault:
        cases = [case for case in book.bank.of(result.function) if not case.advice]
        verdicts = {case.id: as_data(Verdict(case.id, Status.UNGRADED, message=result.fault)) for case in cases}
        data = {"cases": verdicts, "known": nothing_known(), "survey": None}
    with book.store.db:
        key = result.task.sha256, result.function, result.task.functions[result.function]
        book.store.db.execute(_ADD, (*key, json.dumps(data)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
