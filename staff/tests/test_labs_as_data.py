"""Small labs as data: each row of staff/submissions/labs/*.yaml is graded, and comes out as it
says.
"""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.bank.cases import Bank, Case
from grader.grading.diagnosis import Diagnosis
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from staff.submissions.rows import ALL, OTHERS, Row, read_rows
from staff.tests.conftest import score_of
from staff.tests.support.waiting import soon

OWN_FAULT = {"fail", "partly right", "crash", "time-out", "not started"}
QUESTIONS = {"ANSWER_1", "ANSWER_2", "ANSWER_3", "ANSWER_4"}


def sentence_of(diagnosis: Diagnosis) -> str:
    """The place and the two facts, or what else is known of the case."""
    if diagnosis.note or not diagnosis.where:
        return diagnosis.note
    facts = f"yours {diagnosis.yours}; expected: {diagnosis.expected}."
    return f"{diagnosis.where}: {facts}"


def as_set(words: str | list[str]) -> set[str]:
    return {words} if isinstance(words, str) else {*words}


@dataclass(frozen=True)
class Outcome:
    """What came out of a row: each method gives a line for each thing that it says
    otherwise.
    """

    row: Row
    sheet: ScoreSheet
    asked: list[Case]

    def of(self, function: str) -> list[Case]:
        """The graded cases of a function, or of all functions whose status the row does
        not name.
        """
        graded = [case for case in self.asked if not case.advice]
        if function == OTHERS:
            return [
                case
                for case in graded
                if case.function not in {*self.row.status, *QUESTIONS}
            ]
        return [case for case in graded if case.function == function]

    def status(self, case: Case) -> str:
        return (
            self.sheet.verdict(case).status.value
            if case.id in self.sheet.verdicts
            else "none"
        )

    def words(self, cases: list[Case]) -> str:
        """What stands on the screen of these cases, each in parentheses."""
        shown = []
        for case in cases:
            verdict = self.sheet.verdict(case)
            rows = "".join(
                f" | {what}: {expected} / {yours}"
                for what, expected, yours in verdict.rows
            )
            shown.append(f"({case.id}: {self.status(case)}: {verdict.message}{rows})")
        return " ".join(shown)

    def statuses(self) -> Iterator[str]:
        for function, status in self.row.status.items():
            found = {self.status(case) for case in self.of(function)}
            if not found or not (
                found & OWN_FAULT if status == "wrong" else found <= as_set(status)
            ):
                yield f"{function} is not {status}: {self.words(self.of(function))}"
        for case in self.asked:
            status = self.row.cases.get(case.id, self.status(case))
            if self.status(case) not in as_set(status):
                yield f"{self.words([case])} is not {status}"

    def failing(self) -> Iterator[str]:
        for function, ids in self.row.failing.items():
            failing = [
                case for case in self.of(function) if self.status(case) != "pass"
            ]
            if [case.id for case in failing] != ids:
                yield f"{function} fails not in {ids}: {self.words(failing)}"

    def points(self) -> Iterator[str]:
        for function, points in self.row.points.items():
            earned = (
                self.sheet.total.score / 100
                if function == ALL
                else score_of(self.sheet, function)
            )
            least, most = points if isinstance(points, list) else (points, points)
            if not least <= earned <= most:
                yield f"{function} earns {earned} points, not {points}"

    def says(self) -> Iterator[str]:
        for name, texts in self.row.says.items():
            cases = [case for case in self.asked if name in (case.id, case.function)]
            said = (
                str(self.sheet.import_failure)
                if name == "import"
                else self.words(cases)
            )
            for text in as_set(texts):
                if text not in said:
                    yield f"{name} does not say {text!r}: {said}"

    def told(self) -> Iterator[str]:
        for function, text in self.row.told.items():
            diagnosis = self.sheet.diagnoses.get(function)
            told = (
                f"{[each.name for each in diagnosis.names]} {sentence_of(diagnosis)}"
                if diagnosis
                else ""
            )
            if text not in told or (told and not text):
                yield f"{function} is told {told!r}, not {text!r}"

    def hidden(self) -> Iterator[str]:
        for case in self.asked if self.row.hides else ():
            verdict = self.sheet.verdict(case)
            shown = self.row.hides in f"{verdict.message} {verdict.printed}"
            if not case.advice and shown is case.hidden:
                yield f"{'hidden' if case.hidden else 'public'}: {self.words([case])}"

    def differences(self) -> list[str]:
        checks = (
            self.statuses,
            self.failing,
            self.points,
            self.says,
            self.told,
            self.hidden,
        )
        return [line for check in checks for line in check()]


def processes_of(folder: Path) -> list[str]:
    """The living processes that have something in a folder on their command line."""
    found = []
    for process in filter(
        str.isdigit, os.listdir("/proc") if Path("/proc").exists() else ()
    ):
        with contextlib.suppress(OSError):
            if str(folder).encode() in Path("/proc", process, "cmdline").read_bytes():
                found.append(process)
    return found


@pytest.mark.parametrize("row", [*read_rows()], ids=lambda row: row.id)
def test_a_lab_comes_out_as_its_row_says(
    row: Row, bank: Bank, model: str, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(row.text(model), encoding="utf-8")
    bank = row.changed(bank)
    asked = row.asked(bank)
    with Session(lab, bank) as session:
        sheet = session.sheet_of(asked)
    if row.behind_locks and sheet.isolation.tier != "closed":
        pytest.skip("this machine lacks a lock")
    assert Outcome(row, sheet, asked).differences() == []
    assert soon(lambda: not processes_of(tmp_path)), "a process was left behind"


def test_every_row_has_a_name_of_its_own_and_says_something() -> None:
    rows = [*read_rows()]
    assert len({row.id for row in rows}) == len(rows) > 100
    promises = [
        (row.status, row.failing, row.cases, row.points, row.says, row.told)
        for row in rows
    ]
    assert [
        row.id
        for row, promise in zip(rows, promises, strict=True)
        if not row.why or not any(promise)
    ] == []
