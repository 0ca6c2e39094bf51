"""From verdicts to a sheet: sums, feedback, faults of the grader, time, diagnoses."""

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.bank.cases import Bank, Call, Case
from grader.grading import diagnosis
from grader.grading.feedback import with_feedback
from grader.grading.judge import judge
from grader.grading.runs import HAS_STALLED, MOST_TIME_OUTS
from grader.grading.session import Session, grade
from grader.grading.sheet import ScoreSheet
from grader.kinds.kind import Divergence
from grader.kinds.search.kind import KIND as SEARCH
from grader.protocol.answer import Answer, Ending, Raised, Request
from grader.protocol.limits import IMPORT_SECONDS, WALL_PER_CPU_SECOND
from grader.release import Release
from grader.sandbox.sandbox import Sandbox
from grader.showing.console import report
from grader.showing.style import Style
from grader.verdicts.verdict import Status, Verdict
from staff.tests.conftest import Submit

PLAIN = Style(colour=False, ascii_only=True)
ALPHABETA = "minimax_search_alphabeta"
CREDITS = {
    Status.PASS: Fraction(1),
    Status.PARTIAL: Fraction(1, 4),
    Status.FAIL: Fraction(0),
}

DFS = "dfs_maximizing"
NO_TIME = 0.000_001  # in seconds
WHOLE_RUN = 4 * 60  # seconds; the workflow stops after ten minutes


def with_body_below(model: str, function: str, body: str) -> str:
    """The model with another function of this name below it."""
    return f"{model}\nimport time\ndef {function}(state):\n    {body}\n"


def bank_of(bank: Bank, *cases: Case) -> Bank:
    """The parts of the bank with these cases alone."""
    return dataclasses.replace(bank, cases=cases)


@pytest.fixture
def late_cut_off(model: str, submit: Submit) -> Path:
    """A submission whose alpha-beta cuts off too late."""
    return submit(model.replace("alpha >= beta", "alpha > beta"))


# --- processes -----------------------------------------------------------------------

RIGHT_FROM_THE_SECOND_CALL_ON = """
_calls = []
_search = dfs_maximizing
def dfs_maximizing(state):
    _calls.append(state)
    return _search(state) if len(_calls) > 1 else None
"""


@pytest.mark.parametrize("fork", [True, False])
@pytest.mark.parametrize(
    ("process", "status"), [("shared", Status.PASS), ("own", Status.FAIL)]
)
def test_a_case_with_a_process_of_its_own_sees_nothing_of_earlier_cases(
    process: str,
    status: Status,
    fork: bool,
    model: str,
    bank: Bank,
    submit: Submit,
) -> None:
    lab = submit(model + RIGHT_FROM_THE_SECOND_CALL_ON)
    *before, last = (case for case in bank.of(DFS) if len(case.calls) == 1)
    last = dataclasses.replace(last, process=process)
    with Session(lab, bank_of(bank, *before, last), fork) as session:
        assert session.sheet().verdict(last).status is status


def test_few_cases_have_a_process_of_their_own(bank: Bank) -> None:
    """A process costs time.

    It is only needed if the cases of a function cannot expose a table together.
    """
    assert 1 <= len([case for case in bank.cases if case.process == "own"]) <= 8


FORGETFUL = """
_calls = []
_is_over = is_game_over_connectfour
def is_game_over_connectfour(board):
    _calls.append(board)
    return _is_over(board) if len(_calls) <= {} else None
"""


def test_what_one_case_leaves_behind_costs_no_other_case(
    model: str, submit: Submit, bank: Bank
) -> None:
    cases = bank.of("is_game_over_connectfour")
    most_calls = max(len(case.calls) for case in cases)
    lab = submit(model + FORGETFUL.format(most_calls))
    with Session(lab, bank) as session:
        assert [case.id for case in cases if not session.verdict(case).passed] == []


# --- sums ----------------------------------------------------------------------------


def in_hundredths(row: dict[str, Any], key: str) -> int:
    """The points of a row of the results."""
    points: float = row[key]
    return round(points * 100)


def results_with(bank: Bank, *statuses: Status) -> dict[str, Any]:
    """The results if the cases have these statuses, again and again."""
    verdicts = {
        case.id: Verdict(case.id, status, CREDITS[status])
        for case, status in zip(bank.cases, itertools.cycle(statuses), strict=False)
    }
    return ScoreSheet(bank, verdicts, b"").data


ALL_PASS = (Status.PASS,)
ALL_PARTIAL = (Status.PARTIAL,)
MIXED = (Status.PASS, Status.PARTIAL, Status.FAIL)


@pytest.mark.parametrize("statuses", [ALL_PASS, MIXED, ALL_PARTIAL])
@pytest.mark.parametrize("key", ["score", "out_of"])
def test_cases_add_up_to_parts_and_parts_to_the_score(
    key: str, statuses: tuple[Status, ...], bank: Bank
) -> None:
    results = results_with(bank, *statuses)
    of_parts = dict.fromkeys((part["part"] for part in results["parts"]), 0)
    for case in results["cases"]:
        of_parts[case["part"]] += in_hundredths(case, key)
    assert of_parts == {
        part["part"]: in_hundredths(part, key) for part in results["parts"]
    }
    assert in_hundredths(results, key) == sum(of_parts.values())


@pytest.mark.parametrize("statuses", [ALL_PASS, MIXED, ALL_PARTIAL])
def test_a_case_has_all_its_points_only_if_it_passes(
    statuses: tuple[Status, ...], bank: Bank
) -> None:
    results = results_with(bank, *statuses)
    for case in results["cases"]:
        if not case["advice"]:
            is_full = case["score"] == case["out_of"]
            assert is_full == (case["status"] == "pass"), case
    assert (results["score"] == 100) == (statuses == ALL_PASS)


@pytest.fixture
def all_pass(bank: Bank) -> dict[str, Verdict]:
    """A verdict on each case, all of which pass."""
    return {case.id: Verdict(case.id, Status.PASS, Fraction(1)) for case in bank.cases}


def test_a_case_without_a_verdict_earns_nothing(
    bank: Bank, all_pass: dict[str, Verdict]
) -> None:
    del all_pass[bank.cases[0].id]
    total = ScoreSheet(bank, all_pass, b"").total
    assert total.score < total.out_of


def test_a_score_is_not_full_if_a_case_is_ungraded(
    bank: Bank, all_pass: dict[str, Verdict]
) -> None:
    first = bank.cases[0].id
    all_pass[first] = Verdict(first, Status.UNGRADED)
    sheet = ScoreSheet(bank, all_pass, b"")
    assert not sheet.is_full
    assert sheet.data["ungraded"] == [first]


@pytest.mark.parametrize(
    ("void", "is_open"), [("", True), ("full", False), ("drop", False)]
)
def test_a_void_case_that_could_not_be_judged_leaves_the_score_open_no_more(
    void: str, is_open: bool, bank: Bank
) -> None:
    graded = [case for case in bank.cases if not case.advice]
    first, *others = graded
    changed = dataclasses.replace(first, void=void)
    verdicts = {first.id: Verdict(first.id, Status.UNGRADED)}
    sheet = ScoreSheet(bank_of(bank, changed, *others), verdicts, b"")
    assert [case.id for case in sheet.ungraded] == [first.id] * is_open


def test_a_fault_of_the_grader_is_ungraded_and_costs_its_own_function_alone(
    model: str, submit: Submit, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(case: Case, answer: Answer, kit: Release) -> Verdict:
        if case.function == DFS:
            raise ZeroDivisionError("of the grader")
        return judge(case, answer, kit)

    monkeypatch.setattr("grader.grading.session.judge", breaks)
    sheet = grade(submit(model), bank)
    cases = bank.of(DFS)
    assert {case.function for case in sheet.ungraded} == {DFS}
    assert sheet.total.out_of - sheet.total.score == sheet.points(*cases).out_of
    assert "ZeroDivisionError: of the grader" in sheet.verdict(cases[0]).message


STUB = "def dfs_maximizing(state):\n    raise NotImplementedError"
LACKS = Raised(
    "NotWritten",
    ("NotWritten", "NotImplementedError"),
    "lab.py has no dfs_maximizing any more.",
    (),
    is_missing=True,
)


@pytest.fixture
def without_dfs() -> Answer:
    """The answer of a lab.py that has no dfs_maximizing."""
    return Answer(Ending.ANSWERED, [{}], raised=LACKS)


def test_a_function_that_lab_py_lacks_is_said_to_be_missing(
    bank: Bank, without_dfs: Answer
) -> None:
    assert judge(bank.of(DFS)[0], without_dfs).message == LACKS.text


def test_a_function_that_is_new_in_a_release_is_shown_as_the_release_has_it(
    bank: Bank, without_dfs: Answer
) -> None:
    kit = Release(stubs={DFS: STUB}, since={DFS: "1.0.1"})
    verdict = judge(bank.of(DFS)[0], without_dfs, kit)
    assert "is new in 1.0.1: add" in verdict.message
    assert verdict.picture == STUB


# --- time ----------------------------------------------------------------------------


def test_after_two_time_outs_the_other_cases_get_half_a_second(
    submit: Submit, model: str, bank: Bank
) -> None:
    hangs = submit(with_body_below(model, DFS, "while True: pass"))
    in_time = bank.of(DFS)[: MOST_TIME_OUTS + 2]
    cases = [dataclasses.replace(case, seconds=0.8) for case in in_time]
    with Session(hangs, bank_of(bank, *cases)) as session:
        verdicts = [session.verdict(case) for case in cases]
    assert {verdict.status for verdict in verdicts} == {Status.TIME_OUT}
    messages = [verdict.message for verdict in verdicts]
    in_full = [message for message in messages if "its limit is 0.8 seconds" in message]
    shortened = [
        message for message in messages if "its limit is 0.5 seconds" in message
    ]
    assert len(in_full) == MOST_TIME_OUTS
    assert len(shortened) == 2


def test_what_has_not_begun_when_the_run_has_no_time_left_is_ungraded(
    model: str, submit: Submit, bank: Bank
) -> None:
    solve = [case for case in bank.of("solve") if not case.advice]
    with Session(submit(model), bank, seconds=NO_TIME) as session:
        sheet = session.sheet_of([*bank.of("ZeroBy"), *solve])
    not_run = [sheet.verdict(case) for case in solve]
    assert {verdict.status for verdict in not_run} == {Status.UNGRADED}
    assert all("other cases took too long" in verdict.message for verdict in not_run)


def test_a_function_stalls_once_and_the_others_are_graded(
    model: str, submit: Submit, bank: Bank
) -> None:
    sleeps = submit(with_body_below(model, DFS, "time.sleep(1000)"))
    stalling = [dataclasses.replace(case, seconds=0.2) for case in bank.of(DFS)]
    others = bank.of("minimax_endgame_search")
    with Session(sleeps, bank_of(bank, *stalling, *others)) as session:
        sheet = session.sheet()
    first, *later = (sheet.verdict(case) for case in stalling)
    assert first.status is Status.UNGRADED
    assert {verdict.status for verdict in later} == {Status.UNGRADED}
    assert not any(verdict.ran for verdict in later)
    stalled = HAS_STALLED.format(function=DFS)
    assert {verdict.message for verdict in later} == {stalled}
    assert all(sheet.verdict(case).passed for case in others)


def test_when_every_function_sleeps_the_run_still_ends_within_four_minutes(
    model: str, submit: Submit, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = []

    def stall(sandbox: Sandbox, requests: Sequence[Request]) -> Iterator[Answer]:
        first, *_ = requests
        waited.append(first.seconds * first.wall_per_second)
        return iter([Answer(Ending.STALLED, seconds=waited[-1])])

    monkeypatch.setattr(Sandbox, "run", stall)
    cases = [case for case in bank.cases if "through" not in case.calls[0].inputs]
    with Session(submit(model), bank) as session:
        sheet = session.sheet_of(cases)
    assert {verdict.status for verdict in sheet.verdicts.values()} == {Status.UNGRADED}
    # What the case that types `make run` may take, which is not among these cases.
    typed = 2 * (2 * WALL_PER_CPU_SECOND + IMPORT_SECONDS)
    assert sum(waited) + typed < WHOLE_RUN


# --- feedback and diagnoses ----------------------------------------------------------

PLACE = Divergence("At B, MIN to move", "goes on to the 5", "is cut off there", (1,))
LEVELS = {  # which facts about the place are shown, and whether it is in the tree
    "full": ([PLACE.where, PLACE.yours, PLACE.expected], True),
    "place": ([PLACE.where, PLACE.yours], False),
    "verdict": ([], False),
}


@pytest.mark.parametrize(("level", "shows"), LEVELS.items(), ids=LEVELS)
def test_less_feedback_shows_less_of_the_place(
    level: str,
    shows: tuple[list[str], bool],
    late_cut_off: Path,
    bank: Bank,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(SEARCH), "divergence", lambda *arguments: PLACE)
    with Session(late_cut_off, bank) as session:
        sheet = session.sheet_of(bank.of(ALPHABETA))
    assert sheet.diagnoses[ALPHABETA].case == "alphabeta/equal-bounds"
    limited = with_feedback(sheet, level)
    screen = report(limited, False, PLAIN)
    facts = [PLACE.where, PLACE.yours, PLACE.expected]
    is_in_the_tree = "MIN B   <-- goes wrong here" in screen
    assert ([fact for fact in facts if fact in screen], is_in_the_tree) == shows
    assert limited.total == sheet.total


def test_a_fault_in_a_diagnosis_says_nothing_of_anybody(
    late_cut_off: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = []

    def breaks(kind: object, call: Call, answer: object) -> Divergence:
        looked_at.append(call.case)
        raise ZeroDivisionError

    monkeypatch.setattr(type(SEARCH), "divergence", breaks)
    monkeypatch.setattr(diagnosis, "fitting", lambda *words: 1 / 0)
    with Session(late_cut_off, bank) as session:
        sheet = session.sheet_of(bank.of(ALPHABETA))
    assert looked_at == ["alphabeta/equal-bounds"]
    assert ALPHABETA not in sheet.diagnoses
    graded = [case for case in bank.of(ALPHABETA) if not case.advice]
    statuses = {sheet.verdict(case).status for case in graded}
    assert statuses == {Status.PASS, Status.PARTIAL}


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cases of searches in which a place is looked for; none is found."""
    cases: list[str] = []

    def finds_none(kind: object, call: Call, answer: object) -> None:
        cases.append(call.case)

    monkeypatch.setattr(type(SEARCH), "divergence", finds_none)
    return cases


def test_at_most_three_cases_of_a_function_are_traced(
    late_cut_off: Path, bank: Bank, looked_at: list[str]
) -> None:
    with Session(late_cut_off, bank) as session:
        session.sheet_of(bank.of(ALPHABETA))
    assert len(looked_at) == diagnosis.MOST_TRACED


def hidden_cases(function: str, bank: Bank) -> list[Case]:
    """The cases of a function, as if they were hidden."""
    return [dataclasses.replace(case, hidden=True) for case in bank.of(function)]


def test_no_hidden_case_is_traced(
    late_cut_off: Path, bank: Bank, looked_at: list[str]
) -> None:
    hidden = hidden_cases(ALPHABETA, bank)
    with Session(late_cut_off, bank_of(bank, *hidden)) as session:
        sheet = session.sheet()
    assert not all(sheet.verdict(case).passed for case in hidden)
    assert looked_at == []
    assert sheet.diagnoses == {}


def test_of_a_hidden_case_only_the_kind_of_failure_is_kept(
    model: str, submit: Submit, bank: Bank
) -> None:
    body = "print('seen')\n    raise ValueError(str(state))"
    leaks = submit(with_body_below(model, DFS, body))
    hidden = hidden_cases(DFS, bank)
    with Session(leaks, bank_of(bank, *hidden)) as session:
        verdicts = [session.verdict(case) for case in hidden]
    for verdict in verdicts:
        assert (verdict.status, verdict.message) == (Status.CRASH, "")
        assert (verdict.printed, verdict.frames, verdict.rows) == ("", (), ())


def test_a_call_that_is_right_alone_is_said_to_be(
    model: str, submit: Submit, bank: Bank
) -> None:
    lab = submit(model + FORGETFUL.format(1))
    with Session(lab, bank) as session:
        sheet = session.sheet_of(bank.of("is_game_over_connectfour"))
    assert sheet.diagnoses["is_game_over_connectfour"].note == diagnosis.ALONE
