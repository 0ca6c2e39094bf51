"""Small labs as data: each row of staff/labs/*.yaml makes a lab of the model, and says what must come out of it."""

import contextlib
import dataclasses
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from boards.cases import Bank, Case
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from staff.tests.conftest import FUNCTIONS, KIT, score_of
from staff.tests.support.waiting import soon
from staff.wrong_labs import with_body

LABS = KIT / "staff" / "labs"
OWN_FAULT = {"fail", "in part", "crash", "time-out", "not started"}
NO_VERDICT, OTHERS = "none", "others"
QUESTIONS = {"ANSWER_1", "ANSWER_2", "ANSWER_3", "ANSWER_4"}


@dataclass(frozen=True)
class Row:
    """One lab: how it is made, with which cases it is graded, and what must come out.  staff/labs/README.md tells what each field is."""

    id: str
    why: str
    before: str = ""
    everywhere: str = ""
    bodies: Mapping[str, str] = field(default_factory=dict)
    add: str = ""
    seconds: float | None = None
    few: bool = False
    hidden: bool | list[str] = False
    behind_locks: bool = False
    status: Mapping[str, Any] = field(default_factory=dict)
    failing: Mapping[str, list[str]] = field(default_factory=dict)
    cases: Mapping[str, str] = field(default_factory=dict)
    points: Mapping[str, Any] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    hides: str = ""

    def text(self, model: str) -> str:
        """The text of the lab."""
        for function in FUNCTIONS if self.everywhere else ():
            model = with_body(function, self.everywhere, model)
        for function, body in self.bodies.items():
            model = with_body(function, body, model)
        return "\n".join((self.before, model, self.add)).replace("KIT_FOLDER", str(KIT))

    def asked(self, bank: Bank) -> list[Case]:
        """The cases that this row is about, in the order of the bank."""
        named = {*self.status, *([OTHERS] if "all" in self.points else ()), *self.failing, *self.points, *self.says, *self.told}
        functions = {*named, *(case.function for case in bank.cases if case.id in {*self.cases, *named})}
        return [case for case in bank.cases if case.function in functions or (OTHERS in named and not case.advice)]

    def changed(self, bank: Bank) -> Bank:
        """The bank with the cases, the seconds and the secrets that this row asks for."""
        functions = dict.fromkeys(case.function for case in bank.cases)
        cases = [case for function in functions for case in self._changed(bank.of(function))]
        shares = {case.function: Fraction(1, 2) for case in cases if case.hidden}
        parts = tuple(
            dataclasses.replace(part, hidden={name: shares[name] for name in part.functions if name in shares})
            for part in bank.parts
        )
        return Bank(parts if shares else bank.parts, tuple(cases))

    def _changed(self, cases: list[Case]) -> list[Case]:
        """The cases of one function, changed."""
        if self.few:
            graded = [case for case in cases if not case.advice]
            cases = [graded[0], graded[-1]]
        changed = []
        for number, case in enumerate(cases):
            every_other = self.hidden is True and number % 2 == 0
            named = isinstance(self.hidden, list) and case.function in self.hidden
            seconds = case.seconds if self.seconds is None else self.seconds
            changed.append(dataclasses.replace(case, seconds=seconds, hidden=every_other or named))
        return changed


def read_rows() -> Iterator[Row]:
    """All rows, one for each value where a row has a word `with` several values."""
    for file in sorted(LABS.glob("*.yaml")):
        for entry in yaml.safe_load(file.read_text("utf-8")):
            several = entry.pop("with", None)
            if several is None:
                yield Row(**entry)
                continue
            [(word, values)] = several.items()
            for number, value in enumerate(values, start=1):
                yield Row(**replaced(entry | {"id": f"{entry['id']}-{number}"}, word, value))


def replaced(data: Any, word: str, value: str) -> Any:
    """The data with a value in the place of a word, in every text and every name."""
    if isinstance(data, dict):
        return {key.replace(word, value): replaced(inner, word, value) for key, inner in data.items()}
    return data.replace(word, value) if isinstance(data, str) else data


def differences(row: Row, sheet: ScoreSheet, asked: list[Case]) -> Iterator[str]:
    """A line for each thing that came out otherwise than the row says."""
    graded = [case for case in asked if not case.advice]
    found = {case.id: sheet.verdict(case) for case in asked if case.id in sheet.verdicts}
    words = {case: f"{case}: {verdict.status.value}: {verdict.message}" for case, verdict in found.items()}
    for function, status in row.status.items():
        own = [found[case.id] for case in graded if case.function == function]
        if function == OTHERS:
            own = [found[case.id] for case in graded if case.function not in {*row.status, *QUESTIONS}]
        statuses = {verdict.status.value for verdict in own}
        allowed = status if isinstance(status, list) else [status]
        if not own or not (statuses & OWN_FAULT if status == "wrong" else statuses <= {*allowed}):
            yield f"{function} is not {status}: {[words[verdict.case] for verdict in own]}"
    for function, cases in row.failing.items():
        failing = [case.id for case in graded if case.function == function and not found[case.id].passed]
        if failing != cases:
            yield f"{function} fails in {[words[case] for case in failing]}, not in {cases}"
    for name, status in row.cases.items():
        if (found[name].status.value if name in found else NO_VERDICT) != status:
            yield f"{words.get(name, name)}, and not {status}"
    for function, points in row.points.items():
        earned = score_of(sheet, function) if function != "all" else sheet.score
        least, most = points if isinstance(points, list) else (points, points)
        if not least <= earned <= most:
            yield f"{function} earns {float(earned)} points, not {points}"
    for name, text in row.says.items():
        own_words = [said for case, said in words.items() if name in (case, sheet.verdicts[case].case)]
        own_words += [words[case.id] for case in graded if case.function == name]
        said = str(sheet.import_failure) if name == "import" else " ".join(own_words)
        if text not in said:
            yield f"{name} does not say {text!r}: {said}"
    for function, text in row.told.items():
        diagnosis = sheet.diagnoses.get(function)
        told = f"{[each.name for each in diagnosis.names]} {diagnosis.sentence}" if diagnosis else ""
        if text not in told or (told and not text):
            yield f"{function} is told {told!r}, not {text!r}"
    for case in graded if row.hides else ():
        verdict = found[case.id]
        if (row.hides in f"{verdict.message}{verdict.printed}{verdict.frames}") is case.hidden:
            yield f"{case.id} is {'hidden' if case.hidden else 'public'}: {words[case.id]}"


def processes_of(folder: Path) -> list[str]:
    """The living processes that have something in a folder on their command line."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc") if Path("/proc").exists() else ()):
        with contextlib.suppress(OSError):
            if str(folder).encode() in Path("/proc", process, "cmdline").read_bytes():
                found.append(process)
    return found


@pytest.mark.parametrize("row", read_rows(), ids=lambda row: row.id)
def test_a_lab_comes_out_as_its_row_says(row: Row, bank: Bank, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(row.text(model), encoding="utf-8")
    bank = row.changed(bank)
    asked = row.asked(bank)
    with Session(lab, bank) as session:
        sheet = session.sheet_of(asked)
    if row.behind_locks and sheet.locks.tier != "closed":
        pytest.skip("this machine lacks a lock")
    assert list(differences(row, sheet, asked)) == []
    assert soon(lambda: not processes_of(tmp_path)), "a process was left behind"


def test_ids_stand_once() -> None:
    ids = [row.id for row in read_rows()]
    assert sorted({*ids}) == sorted(ids)
