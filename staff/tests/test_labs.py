"""The grader as a classifier: right labs get everything, wrong labs lose points where
the mistake is.
"""

from pathlib import Path

import pytest

from grader.bank.cases import Bank
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
STYLE = Style(colour=False, ascii_only=True, make=True)
COLUMNS, SEEN = (
    79,
    24 - 3,
)  # of a terminal, on which the last lines are those of make, and the next prompt


@pytest.mark.parametrize("lab", RIGHT_LABS, ids=lambda file: file.stem)
@pytest.mark.parametrize("fork", [True, False], ids=["fork", "no-fork"])
def test_right_lab_gets_everything(
    lab: Path, fork: bool, bank: Bank, short_bank: Bank, few: Bank
) -> None:
    """What takes long is run once of each lab; without fork, two cases of each function
    tell of a lab unlike the model whether they are in each other's way.
    """
    cases = bank if fork else short_bank if lab.name == "lab.py" else few
    sheet = grade(lab, cases, fork=fork)
    graded = [sheet.verdict(case) for case in cases.cases if not case.advice]
    assert {
        verdict.case: verdict.message for verdict in graded if not verdict.passed
    } == {}
    assert sheet.is_full


@pytest.mark.parametrize("wrong_lab", WRONG_LABS, ids=lambda wrong_lab: wrong_lab.id)
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
        case = to_explain(sheet, wrong)
        verdict, known = (
            sheet.verdict(case),
            sheet.diagnoses.get(case.function, NOTHING_KNOWN),
        )
        texts = [f"{verdict.status.value.upper()}  {case.id}", f"make test K={case.id}"]
        place = place_of(verdict.frames) or "\n"  # which stands beside its line of code
        texts += [*verdict.message.split(place), place.strip(" ()").partition(",")[0]]
        texts += [cell for row in verdict.rows for cell in row if row[1] != row[2]]
        texts += helping(known)
        texts += (
            [known.where, known.yours, known.expected, known.note]
            if known.case == case.id
            else []
        )
        assert [text for text in texts if squeezed(text) not in end] == []
    assert squeezed(f"{sheet.points(*chosen(sheet))} points") in end


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


def helping(known: Diagnosis) -> list[str]:
    """The known mistakes that fit, and what is said of them."""
    hints = [each.hint for each in known.names] if len(known.names) == 1 else []
    return (
        [each.name for each in known.names]
        + hints
        + [each.question for each in known.names]
    )


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
    verdicts = [
        sheet.verdict(case) for case in public_cases(sheet.bank, wrong_lab.function)
    ]
    slow = {
        verdict.case
        for verdict in verdicts
        if verdict.status in (Status.TIME_OUT, Status.UNGRADED)
    }
    slow |= {case for case, answer in kept.items() if answer == SLOW}
    answered = {
        verdict.case: verdict.fingerprint
        for verdict in verdicts
        if verdict.case not in slow
    }
    assert answered == {
        case: answer for case, answer in kept.items() if case not in slow
    }
    assert slow or NAMES[wrong_lab.id] in sheet.diagnoses[wrong_lab.function].names


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
    text, function = build(wrong_lab, model), wrong_lab.function
    concerned = affected_by({function}, text, bank)
    reached = [case for name in concerned for case in first_and_last(name, bank)]
    cases = tuple(
        case for case in bank.cases if case.function == function or case in reached
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
