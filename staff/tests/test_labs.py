"""The grader as a classifier: right labs get everything, wrong labs lose points where the mistake is."""

from pathlib import Path

import pytest

from boards.cases import Bank
from grader.session import grade
from grader.verdict import Status
from staff.chaffs import Chaff, build, load_chaffs
from staff.tests.conftest import KIT, Grade, functions_with

WHEATS = [file for file in sorted((KIT / "staff" / "wheats").glob("*.py")) if file.stem != "heuristics"]
OWN_FAULT = (Status.FAIL, Status.PARTIAL, Status.CRASH, Status.TIME_OUT, Status.NOT_STARTED, Status.UNGRADED)


@pytest.mark.parametrize("lab", [KIT / "lab.py", *WHEATS], ids=lambda file: file.stem)
@pytest.mark.parametrize("fork", [True, False], ids=["fork", "no-fork"])
def test_right_lab_gets_everything(lab: Path, fork: bool, bank: Bank) -> None:
    sheet = grade(lab, bank, fork=fork)
    lost = {case.id: sheet.verdict(case).message for case in bank.cases if not sheet.verdict(case).passed}
    assert {id_: message for id_, message in lost.items() if "advice" not in id_} == {}
    assert sheet.is_full


@pytest.mark.parametrize("chaff", load_chaffs(), ids=lambda chaff: chaff.id)
def test_wrong_lab_loses_points_where_its_mistake_is(chaff: Chaff, model: str, grade_text: Grade) -> None:
    sheet = grade_text(build(chaff, model))
    assert functions_with(sheet, *OWN_FAULT) == {chaff.function}


def test_there_are_enough_labs() -> None:
    assert len(WHEATS) >= 5
    assert len(load_chaffs()) >= 30
