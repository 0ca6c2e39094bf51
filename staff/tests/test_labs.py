"""The grader as a classifier: right labs get everything, wrong labs lose points where the mistake is."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank, Case
from grader.diagnosing.diagnosis import MISCONCEPTIONS
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import SLOW, Status, Verdict
from grader.protocol.digests import fingerprint
from grader.showing.console import report
from grader.showing.failing import explain
from grader.showing.style import Style
from staff.misconceptions import load_misconceptions
from staff.tests.conftest import KIT, affected_by, functions_with, sheet_of
from staff.wrong_labs import WrongLab, build, load_wrong_labs

RIGHT_LABS = [file for file in sorted((KIT / "staff" / "right_labs").glob("*.py")) if file.stem != "heuristics"]
OWN_FAULT = (Status.FAIL, Status.PARTIAL, Status.CRASH, Status.TIME_OUT, Status.NOT_STARTED, Status.UNGRADED)


@pytest.mark.parametrize("lab", [KIT / "lab.py", *RIGHT_LABS], ids=lambda file: file.stem)
@pytest.mark.parametrize("fork", [True, False], ids=["fork", "no-fork"])
def test_right_lab_gets_everything(lab: Path, fork: bool, bank: Bank, short_bank: Bank, few: Bank) -> None:
    """What takes long, and runs in processes of its own, is run once of each lab; without fork, where the cases of a
    function have one process, two cases each tell of a lab unlike the model whether they are in each other's way."""
    asked = bank if fork else short_bank if lab.name == "lab.py" else few
    sheet = grade(lab, asked, fork=fork)
    lost = {case.id: sheet.verdict(case).message for case in asked.cases if not sheet.verdict(case).passed}
    assert {case.id: lost[case.id] for case in asked.cases if case.id in lost and not case.advice} == {}
    assert sheet.is_full


WRONG_LABS = load_wrong_labs()
STYLE, COLUMNS = Style(colour=False, ascii_only=True, make=True), 79
NAMES = load_misconceptions(WRONG_LABS)
ONE_OF_EACH = {wrong_lab.function: wrong_lab for wrong_lab in WRONG_LABS if not wrong_lab.by_chance}.values()


@pytest.mark.parametrize("wrong_lab", WRONG_LABS, ids=lambda wrong_lab: wrong_lab.id)
def test_wrong_lab_loses_points_where_its_mistake_is(
    wrong_lab: WrongLab, model: str, tmp_path: Path, bank: Bank
) -> None:
    sheet = check_wrong_lab(wrong_lab, model, True, tmp_path, bank)
    check_names(wrong_lab, sheet)
    lines = report(sheet, True, STYLE).splitlines()
    for case, _ in wrong(sheet):
        lines += explain(sheet, case, STYLE)
    assert [line for line in lines if len(line) > COLUMNS] == []


def wrong(sheet: ScoreSheet) -> Iterator[tuple[Case, Verdict]]:
    """The cases that have failed."""
    for case in sheet.bank.cases:
        if case.id in sheet.verdicts and not sheet.verdict(case).passed:
            yield case, sheet.verdict(case)


def check_names(wrong_lab: WrongLab, sheet: ScoreSheet) -> None:
    """What is stored of a wrong_lab is what it answers and what is located in it, and so it is called by its name; as
    far as that hangs on no address in memory, no size of a stack, and no speed of a machine."""
    if wrong_lab.by_chance:
        return
    stored = next((wrong[wrong_lab.id] for wrong in stored_answers(wrong_lab.function) if wrong_lab.id in wrong), None)
    if stored is None:  # no assert, which would show the whole sheet
        pytest.fail(f"run `make expectations` first: nothing is stored of {wrong_lab.id}", pytrace=False)
    again = f"delete boards/misconceptions/{wrong_lab.function}.json, and make expectations"
    verdicts = [sheet.verdict(case) for case in sheet.bank.of(wrong_lab.function) if not case.advice]
    slow = {verdict.case for verdict in verdicts if verdict.status in (Status.TIME_OUT, Status.UNGRADED)}
    slow |= {case for case, gist in stored["cases"].items() if gist == SLOW}  # which may be right on another machine
    for verdict in verdicts:
        assert verdict.case in slow or stored["cases"].get(verdict.case, "") == verdict.gist, f"{verdict.case}: {again}"
    if not slow:
        diagnosis = sheet.diagnoses[wrong_lab.function]
        assert NAMES[wrong_lab.id] in diagnosis.names
        assert fingerprint(diagnosis.sentence) == stored["place"], f"{diagnosis.sentence or 'no place'}: {again}"


def test_a_wrong_lab_that_is_not_stored_yet_is_one_line(model: str, bank: Bank) -> None:
    new = replace(WRONG_LABS[0], id="just-added", by_chance=False)
    with pytest.raises(pytest.fail.Exception) as caught:
        check_names(new, ScoreSheet(bank, {}, b""))
    assert str(caught.value) == "run `make expectations` first: nothing is stored of just-added"


def stored_answers(function: str) -> Iterator[dict[str, Any]]:
    for each in json.loads((MISCONCEPTIONS / f"{function}.json").read_text("utf-8"))["misconceptions"]:
        yield each["wrong"]


@pytest.mark.parametrize("wrong_lab", ONE_OF_EACH, ids=lambda wrong_lab: wrong_lab.function)
def test_the_same_without_fork(wrong_lab: WrongLab, model: str, tmp_path: Path, bank: Bank) -> None:
    check_wrong_lab(wrong_lab, model, False, tmp_path, bank)


def check_wrong_lab(wrong_lab: WrongLab, model: str, fork: bool, tmp_path: Path, bank: Bank) -> ScoreSheet:
    """The function loses points, unless that is by chance, and of those that its mistake can reach nobody does."""
    text, function = build(wrong_lab, model), wrong_lab.function
    concerned = affected_by({function}, text, bank)
    sheet = sheet_of(text, concerned, fork, tmp_path, bank)
    blamed = functions_with(sheet, *OWN_FAULT) & concerned
    told = f"{wrong_lab.id} (staff/wrong_labs.yaml, line {wrong_lab.line})"
    if not (function in blamed or wrong_lab.by_chance):
        pytest.fail(f"{told}: no case of {function} tells this lab from the model: add one", pytrace=False)
    if others := blamed - {function}:
        pytest.fail(f"{told}: it is wrong in {function}, and {', '.join(sorted(others))} loses points", pytrace=False)
    return sheet


def test_a_wrong_lab_that_no_case_catches_is_told_in_a_line(model: str, tmp_path: Path, bank: Bank) -> None:
    right = WrongLab("dfs-right", "dfs_maximizing", "It is right.", 7, (("path, score, _ =", "path, score, *_ ="),))
    place = r"^dfs-right \(staff/wrong_labs.yaml, line 7\): "
    told = f"{place}no case of dfs_maximizing tells this lab from the model: add one$"
    with pytest.raises(pytest.fail.Exception, match=told):
        check_wrong_lab(right, model, True, tmp_path, bank)
    check_wrong_lab(replace(right, by_chance=True), model, True, tmp_path, bank)


@pytest.mark.parametrize("wrong_lab", ONE_OF_EACH, ids=lambda wrong_lab: wrong_lab.function)
def test_no_other_function_feels_it(wrong_lab: WrongLab, model: str, tmp_path: Path, short_bank: Bank) -> None:
    """One wrong lab of each function, on all cases: what does not name a function does not run it."""
    (tmp_path / "lab.py").write_text(build(wrong_lab, model), encoding="utf-8")
    assert functions_with(grade(tmp_path / "lab.py", short_bank), *OWN_FAULT) == {wrong_lab.function}


def test_a_mistake_reaches_those_that_name_its_function(model: str, bank: Bank) -> None:
    assert affected_by({"ZeroBy"}, model, bank) == {"ZeroBy", "make_run"}
    assert affected_by({"minimax_search"}, model, bank) == {"minimax_search", "minimax_endgame_search"}
    rules = {"next_boards_connectfour", "is_game_over_connectfour"}
    assert affected_by({"is_game_over_connectfour"}, model, bank) == rules
    hidden = model + "\ndef dfs_maximizing(state):\n    return _search(state)\n_search = minimax_search\n"
    assert "dfs_maximizing" in affected_by({"minimax_search"}, hidden, bank)


def test_there_are_enough_labs() -> None:
    assert len(RIGHT_LABS) >= 5
    assert len(load_wrong_labs()) >= 30
