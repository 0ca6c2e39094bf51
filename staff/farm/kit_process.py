"""The process that grades for `make grade`, one submission after another.

Tasks come in and verdicts go out, as lines of JSON.  A task is the path of a lab.py and
the names of some functions.  The process has no access to the store, and does not know
the students.  If student code makes this process fail, other processes still grade the
other submissions.
"""

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from grader.bank.cases import Bank
from grader.grading.diagnosis import Diagnosis, named
from grader.grading.session import Session
from grader.verdicts.verdict import Status, Verdict
from staff.course import read_course
from staff.release.shares import course_bank

MOST_SECONDS = 40.0  # of CPU, for a submission
# How many seconds of the clock a request of `make grade` or `make league` may take.  If
# a request takes longer, the kit has a fault, or the machine gives the process no time
# to run.
WALL_SECONDS = 900.0
SECONDS_TO_ASK_AGAIN = 0.05
# These fields of a verdict differ from run to run, or are stored elsewhere.
LEFT_OUT = ("case", "seconds", "fingerprint")


def main() -> None:
    """Grade until no more tasks come in, and then end this process."""
    bank = course_bank(read_course())
    serve(lambda task: graded(Path(task[0]), task[1], bank))


def serve(answers_to: Callable[[Any], Iterable[dict[str, Any]]]) -> NoReturn:
    """Answer requests until there are no more, and then end this process.

    A request may have several answers.  An empty answer says that no other answer to
    this request will come.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else may come between the answers
    _listen()
    sys.unraisablehook = _ask_again
    # KeyboardInterrupt and BrokenPipeError mean that nobody waits for answers any more.
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        for request in map(json.loads, sys.stdin):
            for answer in chain(answers_to(request), [{}]):
                print(json.dumps(answer), file=answers, flush=True)
    os._exit(0)


def _listen() -> None:
    """Let Ctrl-C and SIGTERM interrupt this process once.

    The interruption lets the Session end the processes of student code.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: object) -> None:
    """Raise KeyboardInterrupt, and ignore a second signal while this process ends."""
    for ignored in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)
    raise KeyboardInterrupt


def _ask_again(lost: "sys.UnraisableHookArgs") -> None:
    """Interrupt this process again if Python has ignored a KeyboardInterrupt.

    Python ignores exceptions in some places, such as a `__del__`.  Python would ignore
    an exception here too, so a thread interrupts the process soon after this function
    has returned.  Any other ignored exception is reported as Python reports it.
    """
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _listen()
        signal_again = (os.getpid(), signal.SIGTERM)
        threading.Timer(SECONDS_TO_ASK_AGAIN, os.kill, signal_again).start()
    else:
        sys.__unraisablehook__(lost)


def graded(lab: Path, functions: list[str], bank: Bank) -> Iterator[dict[str, Any]]:
    """For each of these functions, yield its verdicts and its diagnosis as plain data.

    The data of a function are yielded as soon as the function is graded.  They also
    have the answers to the survey.
    """
    cases = [
        case for case in bank.cases if case.function in functions and not case.advice
    ]
    with Session(lab, bank, seconds=MOST_SECONDS, conceals=False) as session:
        session.begin(cases)
        for function in functions:
            own = [case for case in cases if case.function == function]
            sheet = session.sheet_of(own)
            verdicts = {id: as_data(verdict) for id, verdict in sheet.verdicts.items()}
            known = asdict(sheet.diagnoses.get(function, Diagnosis()))
            # The data leave out the names of mistakes, because the kit looks the names
            # up when it writes a page.
            del known["names"]
            yield {
                "function": function,
                "cases": verdicts,
                "known": known,
                "survey": sheet.survey,
            }


def as_data(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain data, without the fields that LEFT_OUT names.

    >>> as_data(Verdict("one", Status.PASS, Fraction(1)))["credit"]
    '1'
    """
    data = {key: value for key, value in vars(verdict).items() if key not in LEFT_OUT}
    return data | {"status": verdict.status.value, "credit": str(verdict.credit)}


def verdict_of(case: str, data: dict[str, Any]) -> Verdict:
    """Make the verdict on a case from the plain data of `as_data`.

    `case` is the id of the case.
    """
    fields = dict(data)
    for key in ("rows", "frames"):
        fields[key] = tuple(tuple(item) for item in data[key])
    fields["status"] = Status(data["status"])
    fields["credit"] = Fraction(data["credit"])
    return Verdict(case, **fields)


def known_of(function: str, data: dict[str, Any]) -> Diagnosis:
    """Make the diagnosis of a function from the plain data of `graded`.

    The mistakes get the names that this kit has for them.
    """
    ids = tuple(data["wrong_labs"])
    return Diagnosis(**{**data, "wrong_labs": ids, "names": named(function, ids)})


if __name__ == "__main__":
    main()
