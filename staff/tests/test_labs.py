"""The grader as a classifier: right labs get everything, wrong labs lose points where
the mistake is.
"""

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.bank.cases import Bank, Case
from grader.grading.diagnosis import Diagnosis
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.showing.console import chosen, failing, report
from grader.showing.failing import NOTHING_KNOWN, explain, to_explain
from grader.showing.style import Style, rows_of
from grader.verdicts.sentences import place_of
from grader.verdicts.verdict import SLOW, Status
from staff.misconceptions import load_misconceptions, public_cases, read_answers
from staff.tests.conftest import (
    RIGHT_LABS,
    affected_by,
    first_and_last,
    functions_with,
    sheet_of,
)
from staff.tests.support.params import by_id
from staff.wrong_labs import WrongLab, build, load_wrong_labs

WRONG_LABS = load_wrong_labs()
ONE_OF_EACH = {
    wrong_lab.function: wrong_lab for wrong_lab in WRONG_LABS if not wrong_lab.by_chance
}.values()
NAMES, ANSWERS = load_misconceptions(WRONG_LABS), read_answers()
OWN_FAULT = (
    Status.FAIL,
    Status.PARTIAL,
    Status.CRASH,
    Status.TIME_OUT,
    Status.NOT_STARTED,
    Status.UNGRADED,
)
# These compute until their time is up, in many cases.
LONG = ("player-never-goes-deeper", "solve-without-a-memo")
SLOW_HERE = (Status.TIME_OUT, Status.UNGRADED)
Graded = Callable[[Path], ScoreSheet]
STYLE = Style(colour=False, ascii_only=True, make=True)
COLUMNS = 79  # of a terminal
# The lines of a terminal; the last ones are those of make, and the next prompt.
SEEN = 24 - 3


@pytest.fixture(params=["fork", pytest.param("no-fork", marks=pytest.mark.long)])
def graded(
    request: pytest.FixtureRequest, bank: Bank, short_bank: Bank, few: Bank
) -> Graded:
    """Grade a right lab, with fork and without.

    What takes long runs once for each lab.  Without fork, two cases of each function
    tell of a lab unlike the model whether they are in each other's way.
    """

    def graded(lab: Path) -> ScoreSheet:
        if request.param == "fork":
            return grade(lab, bank, fork=True)
        return grade(lab, short_bank if lab.name == "lab.py" else few, fork=False)

    return graded


@pytest.mark.parametrize("lab", RIGHT_LABS, ids=lambda file: file.stem)
def test_right_lab_gets_everything(lab: Path, graded: Graded) -> None:
    sheet = graded(lab)
    messages = {
        case.id: sheet.verdict(case).message
        for case in sheet.graded
        if not sheet.verdict(case).passed
    }
    assert messages == {}
    assert sheet.is_full


@pytest.mark.parametrize("wrong_lab", by_id(WRONG_LABS, LONG))
def test_wrong_lab_loses_points_where_its_mistake_is(
    wrong_lab: WrongLab, model: str, tmp_path: Path, bank: Bank
) -> None:
    sheet = graded_wrong_lab(wrong_lab, model, True, tmp_path, bank)
    lines = report(sheet, True, STYLE).splitlines()
    for case in bank.cases:
        if case.id in sheet.verdicts and not sheet.verdict(case).passed:
            lines += explain(sheet, case, STYLE)
    assert [line for line in lines if len(line) > COLUMNS] == []
    check_end(sheet)
    check_end_of_long_path(sheet)
    if not wrong_lab.by_chance:
        check_name(wrong_lab, sheet)


def check_end(sheet: ScoreSheet) -> None:
    """What a terminal shows last is all that matters of a failing case: its name, what
    was expected beside what came back, the known mistake with its hint, the place, what
    to type next, and the points.
    """
    end = end_of(report(sheet, False, STYLE))
    if wrong := failing(sheet):
        texts = what_matters(sheet, to_explain(sheet, wrong))
        assert [text for text in texts if squeezed(text) not in end] == []
    assert squeezed(f"{sheet.points(*chosen(sheet))} points") in end


def what_matters(sheet: ScoreSheet, case: Case) -> Iterator[str]:
    """All that a person must see of a case that fails."""
    verdict = sheet.verdict(case)
    yield f"{verdict.status.value.upper()}  {case.id}"
    yield f"make test K={case.id}"
    # The place stands beside its line of code, and not in the message.
    place = place_of(verdict.frames) or "\n"
    yield from verdict.message.split(place)
    yield place.strip(" ()").partition(",")[0]
    for row in verdict.rows:
        if row[1] != row[2]:
            yield from row
    known = sheet.diagnoses.get(case.function, NOTHING_KNOWN)
    yield from helping(known)
    if known.case == case.id:
        yield from (known.where, known.yours, known.expected, known.note)


def check_end_of_long_path(sheet: ScoreSheet) -> None:
    """Where the file that is graded has a long path, which every command repeats, the
    known mistake still is there.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MAKELEVEL", "1")
        patched.setenv("MAKEFLAGS", f" -- LAB=/{'a-folder/' * 10}lab.py")
        end = end_of(report(sheet, False, Style(colour=False, ascii_only=True)))
    if wrong := failing(sheet):
        known = sheet.diagnoses.get(to_explain(sheet, wrong).function, NOTHING_KNOWN)
        texts = [text for each in known.names for text in (each.name, each.question)]
        assert [text for text in texts if squeezed(text) not in end] == []


def helping(known: Diagnosis) -> Iterator[str]:
    """The known mistakes that fit, and what is said of them."""
    for each in known.names:
        yield each.name
        yield each.question
        if len(known.names) == 1:
            yield each.hint


def end_of(text: str) -> str:
    """The lines that a terminal still shows, squeezed."""
    lines = text.splitlines()
    while rows_of(lines) > SEEN:
        del lines[0]
    return squeezed("".join(lines))


def squeezed(text: str) -> str:
    """A text as it is shown, without blanks, so that nothing depends on where a line
    ends.
    """
    return "".join(STYLE.finish(text).split())


def check_name(wrong_lab: WrongLab, sheet: ScoreSheet) -> None:
    """What is kept of a wrong lab is what it answers, and so it is called by its name;
    as far as that depends on no speed of a machine.
    """
    if wrong_lab.id not in ANSWERS:  # no assert, which would show the whole sheet
        pytest.fail(
            f"run `make expectations` first: nothing is kept of {wrong_lab.id}",
            pytrace=False,
        )
    kept = {case: answer for case, (_, answer) in ANSWERS[wrong_lab.id].items()}
    cases = public_cases(sheet.bank, wrong_lab.function)
    verdicts = [sheet.verdict(case) for case in cases]
    slow = {verdict.case for verdict in verdicts if verdict.status in SLOW_HERE}
    slow |= {case for case, answer in kept.items() if answer == SLOW}
    answered = {verdict.case: verdict.fingerprint for verdict in verdicts}
    assert without(slow, answered) == without(slow, kept)
    assert slow or NAMES[wrong_lab.id] in sheet.diagnoses[wrong_lab.function].names


def without(slow: set[str], answers: dict[str, str]) -> dict[str, str]:
    """The answers to the other cases."""
    return {case: answer for case, answer in answers.items() if case not in slow}


@pytest.mark.parametrize(
    "wrong_lab", ONE_OF_EACH, ids=lambda wrong_lab: wrong_lab.function
)
def test_the_same_without_fork(
    wrong_lab: WrongLab, model: str, tmp_path: Path, bank: Bank
) -> None:
    graded_wrong_lab(wrong_lab, model, False, tmp_path, bank)


def graded_wrong_lab(
    wrong_lab: WrongLab, model: str, fork: bool, tmp_path: Path, bank: Bank
) -> ScoreSheet:
    """The function loses points, unless that is by chance, and of those that its
    mistake can reach nobody does: two cases of each tell.
    """
    text = build(wrong_lab, model)
    function = wrong_lab.function
    concerned = affected_by({function}, text, bank)
    reached = [case for name in concerned for case in first_and_last(name, bank)]
    cases = tuple(
        with_less_time(case, wrong_lab)
        for case in bank.cases
        if case.function == function or case in reached
    )
    sheet = sheet_of(text, concerned, fork, tmp_path, Bank(bank.parts, cases))
    blamed = functions_with(sheet, *OWN_FAULT) & concerned
    name = f"{wrong_lab.id} (staff/submissions/wrong_labs.yaml, line {wrong_lab.line})"
    if not (function in blamed or wrong_lab.by_chance):
        pytest.fail(
            f"{name}: no case of {function} tells this lab from the model: add one",
            pytrace=False,
        )
    if others := blamed - {function}:
        pytest.fail(
            f"{name}: it is wrong in {function}, and {', '.join(sorted(others))} loses points",
            pytrace=False,
        )
    return sheet


def with_less_time(case: Case, wrong_lab: WrongLab) -> Case:
    """The case, with an eighth of its time limit if this wrong lab is known to be far
    too slow for it.
    """
    _, answer = ANSWERS.get(wrong_lab.id, {}).get(case.id, ("", ""))
    if answer != SLOW:
        return case
    return dataclasses.replace(case, seconds=case.seconds / 8)


@pytest.mark.parametrize(
    "wrong_lab", ONE_OF_EACH, ids=lambda wrong_lab: wrong_lab.function
)
def test_no_other_function_feels_it(
    wrong_lab: WrongLab, model: str, tmp_path: Path, short_bank: Bank
) -> None:
    """One wrong lab of each function, on all cases: what does not name a function does
    not run it.
    """
    (tmp_path / "lab.py").write_text(build(wrong_lab, model), encoding="utf-8")
    assert functions_with(grade(tmp_path / "lab.py", short_bank), *OWN_FAULT) == {
        wrong_lab.function
    }


def test_there_are_enough_labs() -> None:
    assert (len(RIGHT_LABS), len(WRONG_LABS)) >= (5, 400)
