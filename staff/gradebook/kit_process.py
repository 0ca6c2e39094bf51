"""The process that grades for `make grade`, one submission after another: tasks come
in, verdicts go out, a line each.

It holds no store and no names: a task is the place of a lab.py and some functions.  If
student code brings it down, the other submissions have other processes.
"""

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.bank.cases import Bank
from grader.diagnosing.diagnosis import Diagnosis, named
from grader.grading.session import Session
from grader.judging.verdict import Status, Verdict
from staff.course import read_course
from staff.release.shares import course_bank

MOST_SECONDS = 40.0  # of CPU, for a submission
WALL_SECONDS = 900.0  # of a submission: what is busy then has met a fault of the kit's, or no machine to run on
SECONDS_TO_ASK_AGAIN = 0.05
LEFT_OUT = (
    "case",
    "seconds",
    "fingerprint",
)  # what differs from run to run, or stands beside it


def main() -> int:
    """Grade until nothing comes in any more; the exit status."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else may stand among the answers
    bank = course_bank(read_course())
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # so that the session ends what it has started
    sys.unraisablehook = _ask_again
    with contextlib.suppress(
        KeyboardInterrupt, BrokenPipeError
    ):  # nobody waits for the rest any more
        for lab, functions in map(json.loads, sys.stdin):
            for result in graded(Path(lab), functions, bank):
                print(json.dumps(result), file=answers, flush=True)
            print(json.dumps({"function": ""}), file=answers, flush=True)
    os._exit(0)


def _ask_again(lost: "sys.UnraisableHookArgs") -> None:
    """Raise an interrupt again that came where Python drops exceptions, such as in a
    `__del__`; say all others.

    Python would drop it here as well, so a thread asks again as soon as this is over.
    """
    if issubclass(lost.exc_type, KeyboardInterrupt):
        threading.Timer(
            SECONDS_TO_ASK_AGAIN, os.kill, (os.getpid(), signal.SIGTERM)
        ).start()
    else:
        sys.__unraisablehook__(lost)


def graded(lab: Path, functions: list[str], bank: Bank) -> Iterator[dict[str, Any]]:
    """For each of these functions, as soon as it is done: its verdicts, and what is
    known of its mistake.
    """
    cases = [
        case for case in bank.cases if case.function in functions and not case.advice
    ]
    with Session(lab, bank, seconds=MOST_SECONDS, conceals=False) as session:
        session.begin(cases)
        for function in functions:
            sheet = session.sheet_of(
                case for case in cases if case.function == function
            )
            verdicts = {id: as_data(verdict) for id, verdict in sheet.verdicts.items()}
            known = asdict(sheet.diagnoses.get(function, Diagnosis()))
            del known["names"]  # which are looked up when a page is written
            yield {
                "function": function,
                "cases": verdicts,
                "known": known,
                "survey": sheet.survey,
            }


def as_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain data, without what differs from run to run.

    >>> as_data(Verdict("one", Status.PASS, Fraction(1)))["credit"]
    '1'
    """
    data = {key: value for key, value in vars(verdict).items() if key not in LEFT_OUT}
    return data | {"status": verdict.status.value, "credit": str(verdict.credit)}


def verdict_of(case: str, data: dict[str, Any]) -> Verdict:
    """The verdict that such data stands for."""
    lists = {
        key: tuple(tuple(item) for item in data[key]) for key in ("rows", "frames")
    }
    return Verdict(
        case,
        **{
            **data,
            **lists,
            "status": Status(data["status"]),
            "credit": Fraction(data["credit"]),
        },
    )


def known_of(function: str, data: dict[str, Any]) -> Diagnosis:
    """What is known of a mistake, out of its data, with the names that the mistakes
    have today.
    """
    ids = tuple(data["wrong_labs"])
    return Diagnosis(**{**data, "wrong_labs": ids, "names": named(function, ids)})


if __name__ == "__main__":
    sys.exit(main())
