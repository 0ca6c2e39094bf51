"""Small labs as data: each row of staff/submissions/labs/*.yaml is graded, and comes out as it
says.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from grader.bank.cases import Bank, Case
from grader.grading.diagnosis import Diagnosis
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from staff.submissions.rows import ALL, OTHERS, Row, read_rows
from staff.tests.conftest import Submit, score_of
from staff.tests.support.params import by_id
from staff.tests.support.waiting import processes_about, soon

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
        if case.id not in self.sheet.verdicts:
            return "none"
        return self.sheet.verdict(case).status.value

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
            statuses = {self.status(case) for case in self.of(function)}
            fits = statuses <= as_set(status)
            if status == "wrong":
                fits = bool(statuses & OWN_FAULT)
            if not statuses or not fits:
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
            if function == ALL:
                earned = self.sheet.total.score / 100
            else:
                earned = score_of(self.sheet, function)
            least, most = points if isinstance(points, list) else (points, points)
            if not least <= earned <= most:
                yield f"{function} earns {earned} points, not {points}"

    def says(self) -> Iterator[str]:
        for name, texts in self.row.says.items():
            cases = [case for case in self.asked if name in (case.id, case.function)]
            said = self.words(cases)
            if name == "import":
                said = str(self.sheet.import_failure)
            for text in as_set(texts):
                if text not in said:
                    yield f"{name} does not say {text!r}: {said}"

    def told(self) -> Iterator[str]:
        for function, text in self.row.told.items():
            diagnosis = self.sheet.diagnoses.get(function)
            told = ""
            if diagnosis:
                names = [each.name for each in diagnosis.names]
                told = f"{names} {sentence_of(diagnosis)}"
            if text not in told or (told and not text):
                yield f"{function} is told {told!r}, not {text!r}"

    def hidden(self) -> Iterator[str]:
        if not self.row.hides:
            return
        for case in self.asked:
            verdict = self.sheet.verdict(case)
            shown = self.row.hides in f"{verdict.message} {verdict.printed}"
            if not case.advice and shown is case.hidden:
                kind = "hidden" if case.hidden else "public"
                yield f"{kind}: {self.words([case])}"

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


ROWS = [*read_rows()]
LONG = (
    "signals-that-are-ignored",
    "a-rule-that-hangs",
    "two-large-stacks-at-once",
    "a-heuristic-on-a-rule-that-dies-far-away-1",
    "an-import-that-hangs",
    "a-wrong-rule-that-never-returns",
)


@pytest.mark.parametrize("row", by_id(ROWS, LONG))
def test_a_lab_comes_out_as_its_row_says(
    row: Row, bank: Bank, model: str, submit: Submit
) -> None:
    lab = submit(row.text(model))
    bank = row.changed(bank)
    asked = row.asked(bank)
    with Session(lab, bank) as session:
        sheet = session.sheet_of(asked)
    if row.behind_locks and sheet.isolation.tier != "closed":
        pytest.skip("this machine lacks a lock")
    assert Outcome(row, sheet, asked).differences() == []
    assert soon(lambda: not processes_about(lab.parent)), "a process was left behind"


def test_every_row_has_a_name_of_its_own() -> None:
    assert len(ROWS) > 100
    assert len({row.id for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_every_row_says_why_it_is_there_and_what_comes_out(row: Row) -> None:
    assert row.why
    promises = (row.status, row.failing, row.cases, row.points, row.says, row.told)
    assert any(promises)
