"""From verdicts to a sheet: sums, feedback, faults of the grader, time, diagnoses."""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

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

PLAIN = Style(colour=False, ascii_only=True)
ALPHABETA = "minimax_search_alphabeta"
CREDITS = {
    Status.PASS: Fraction(1),
    Status.PARTIAL: Fraction(1, 4),
    Status.FAIL: Fraction(0),
}

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str) -> Path:
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        return lab

    return write


@pytest.fixture
def late_cut_off(model: str, write: Write) -> Path:
    """A submission whose alpha-beta cuts off too late."""
    return write(model.replace("alpha >= beta", "alpha > beta"))


def in_hundredths(number: float) -> int:
    return round(number * 100)


@pytest.mark.parametrize("fork", [True, False])
def test_a_case_with_a_process_of_its_own_sees_nothing_of_earlier_cases(
    fork: bool, model: str, bank: Bank, write: Write
) -> None:
    """The submission is right only after an earlier call.

    So a case that shares a process with others passes.
    """
    lab = write(
        model + "\n_calls, _search = [], dfs_maximizing\n"
        "def dfs_maximizing(state):\n"
        "    _calls.append(state)\n"
        "    return _search(state) if len(_calls) > 1 else None\n"
    )
    cases = [case for case in bank.of("dfs_maximizing") if len(case.calls) == 1]
    for process, status in (("shared", Status.PASS), ("own", Status.FAIL)):
        last = dataclasses.replace(cases[-1], process=process)
        with Session(lab, Bank(bank.parts, (*cases[:-1], last)), fork) as session:
            assert session.sheet().verdict(last).status is status


def test_few_cases_have_a_process_of_their_own(bank: Bank) -> None:
    """A process costs time.

    It is only needed if the cases of a function cannot expose a table together.
    """
    assert 1 <= len([case for case in bank.cases if case.process == "own"]) <= 8


@pytest.mark.parametrize(
    "statuses",
    [[Status.PASS], [Status.PASS, Status.PARTIAL, Status.FAIL], [Status.PARTIAL]],
)
def test_cases_add_up_to_parts_and_parts_to_the_score(
    statuses: list[Status], bank: Bank
) -> None:
    verdicts = {}
    for number, case in enumerate(bank.cases):
        status = statuses[number % len(statuses)]
        verdicts[case.id] = Verdict(case.id, status, CREDITS[status])
    data = ScoreSheet(bank, verdicts, b"").data
    for key in ("score", "out_of"):
        assert in_hundredths(data[key]) == sum(
            in_hundredths(part[key]) for part in data["parts"]
        )
        for part in data["parts"]:
            cases = [case for case in data["cases"] if case["part"] == part["part"]]
            assert in_hundredths(part[key]) == sum(
                in_hundredths(case[key]) for case in cases
            )
    for case in data["cases"]:
        assert (case["score"] < case["out_of"]) == (case["status"] != "pass") or case[
            "advice"
        ]
    assert (data["score"] == 100) == (statuses == [Status.PASS])


def test_a_case_without_a_verdict_is_a_fail_and_an_ungraded_one_is_never_full(
    bank: Bank,
) -> None:
    verdicts = {
        case.id: Verdict(case.id, Status.PASS, Fraction(1)) for case in bank.cases
    }
    first = bank.cases[0].id
    missing = ScoreSheet(
        bank,
        {case: verdict for case, verdict in verdicts.items() if case != first},
        b"",
    )
    assert missing.total.score < missing.total.out_of
    ungraded = ScoreSheet(
        bank, verdicts | {first: Verdict(first, Status.UNGRADED)}, b""
    )
    assert not ungraded.is_full and ungraded.data["ungraded"] == [first]


def test_a_fault_of_the_grader_is_ungraded_and_costs_its_own_function_alone(
    model: str, write: Write, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:

    def breaks(case: Case, answer: Answer, kit: Release) -> Verdict:
        if case.function == "dfs_maximizing":
            raise ZeroDivisionError("of the grader")
        return judge(case, answer, kit)

    monkeypatch.setattr("grader.grading.session.judge", breaks)
    sheet = grade(write(model), bank)
    assert {case.function for case in sheet.ungraded} == {"dfs_maximizing"}
    assert (
        sheet.total.score
        == sheet.total.out_of - sheet.points(*bank.of("dfs_maximizing")).out_of
    )
    assert (
        "ZeroDivisionError: of the grader"
        in sheet.verdict(bank.of("dfs_maximizing")[0]).message
    )


def test_a_function_that_lab_py_lacks_is_shown_as_the_release_has_it(
    bank: Bank,
) -> None:
    case = bank.of("dfs_maximizing")[0]
    bases = ("NotWritten", "NotImplementedError")
    text = "lab.py has no dfs_maximizing any more."
    lacks = Raised("NotWritten", bases, text, (), is_missing=True)
    answer = Answer(Ending.ANSWERED, [{}], raised=lacks)
    stub = "def dfs_maximizing(state):\n    raise NotImplementedError"
    kit = Release(stubs={case.function: stub}, since={case.function: "1.0.1"})
    verdict = judge(case, answer, kit)
    assert verdict.picture == stub and "is new in 1.0.1: add" in verdict.message
    assert judge(case, answer).message == lacks.text


FORGETFUL = """
_calls = []
_is_over = is_game_over_connectfour
def is_game_over_connectfour(board):
    _calls.append(board)
    return _is_over(board) if len(_calls) <= {} else None
"""


def test_what_one_case_leaves_behind_costs_no_other_case(
    model: str, write: Write, bank: Bank
) -> None:
    cases = bank.of("is_game_over_connectfour")
    most_calls = max(len(case.calls) for case in cases)
    with Session(write(model + FORGETFUL.format(most_calls)), bank) as session:
        assert all(session.verdict(case).passed for case in cases)


def test_after_two_time_outs_the_other_cases_get_half_a_second(
    write: Write, model: str, bank: Bank
) -> None:
    hangs = write(f"{model}\ndef dfs_maximizing(state):\n    while True: pass\n")
    with Session(hangs, bank) as session:
        verdicts = [session.verdict(case) for case in bank.of("dfs_maximizing")]
    assert {verdict.status for verdict in verdicts} == {Status.TIME_OUT}
    in_full = [verdict for verdict in verdicts if "after 2 seconds" in verdict.message]
    assert len(in_full) == MOST_TIME_OUTS
    assert all(
        "after 0.5 seconds" in verdict.message
        for verdict in verdicts
        if verdict not in in_full
    )


def test_what_has_not_begun_when_the_run_has_no_time_left_is_ungraded(
    model: str, write: Write, bank: Bank
) -> None:
    with Session(write(model), bank, seconds=0.000_001) as session:
        sheet = session.sheet_of([*bank.of("ZeroBy"), *bank.of("solve")])
    not_run = [sheet.verdict(case) for case in bank.of("solve") if not case.advice]
    assert {verdict.status for verdict in not_run} == {Status.UNGRADED}
    assert all("other cases took too long" in verdict.message for verdict in not_run)


def test_a_function_stalls_twice_and_the_others_are_graded(
    model: str, write: Write, bank: Bank
) -> None:
    sleeps = write(
        f"{model}\nimport time\ndef dfs_maximizing(state):\n    time.sleep(1000)\n"
    )
    cases = [replace(case, seconds=0.2) for case in bank.of("dfs_maximizing")]
    others = bank.of("minimax_endgame_search")
    short = replace(bank, cases=(*cases, *others))
    with Session(sleeps, short) as session:
        sheet = session.sheet_of([*cases, *others])
    first, *later = [sheet.verdict(case) for case in cases]
    assert first.status is Status.UNGRADED
    assert {verdict.status for verdict in later} == {Status.UNGRADED}
    assert [verdict.ran for verdict in later] == [False] * len(later)
    assert {verdict.message for verdict in later} == {
        HAS_STALLED.format(function="dfs_maximizing")
    }
    assert all(sheet.verdict(case).passed for case in others)


def test_when_every_function_sleeps_the_run_still_ends_within_four_minutes(
    model: str, write: Write, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = []

    def stall(sandbox: Sandbox, requests: Sequence[Request]) -> Iterator[Answer]:
        waited.append(requests[0].seconds * requests[0].wall_per_second)
        return iter([Answer(Ending.STALLED, seconds=waited[-1])])

    monkeypatch.setattr(Sandbox, "run", stall)
    cases = [case for case in bank.cases if "through" not in case.calls[0].inputs]
    with Session(write(model), bank) as session:
        sheet = session.sheet_of(cases)
    assert {verdict.status for verdict in sheet.verdicts.values()} == {Status.UNGRADED}
    typed = 2 * (
        2 * WALL_PER_CPU_SECOND + IMPORT_SECONDS
    )  # what the case that types `make run` may take
    assert sum(waited) + typed < 240


LEVELS = {
    "full": (True, True, True),
    "place": (True, True, False),
    "verdict": (False, False, False),
}


@pytest.mark.parametrize("level", LEVELS)
def test_less_feedback_shows_less_of_the_place(
    level: str, late_cut_off: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Divergence(
        "At B, MIN to move", "goes on to the 5", "is cut off there", (1,)
    )
    monkeypatch.setattr(type(SEARCH), "divergence", lambda *arguments: place)
    with Session(late_cut_off, bank) as session:
        sheet = session.sheet_of(bank.of(ALPHABETA))
    assert sheet.diagnoses[ALPHABETA].case == "alphabeta/equal-bounds"
    screen = report(with_feedback(sheet, level), False, PLAIN)
    assert (
        tuple(words in screen for words in (place.where, place.yours, place.expected))
        == LEVELS[level]
    )
    assert ("MIN B   <-- goes wrong here" in screen) == (level == "full")
    assert with_feedback(sheet, level).total == sheet.total


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
    assert {sheet.verdict(case).status for case in graded} == {
        Status.PASS,
        Status.PARTIAL,
    }


def test_at_most_three_cases_of_a_function_are_traced_and_no_hidden_one(
    late_cut_off: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = list[str]()
    monkeypatch.setattr(
        type(SEARCH),
        "divergence",
        lambda kind, call, answer: looked_at.append(call.case),
    )
    with Session(late_cut_off, bank) as session:
        session.sheet_of(bank.of(ALPHABETA))
    assert len(looked_at) == diagnosis.MOST_TRACED
    hidden = [dataclasses.replace(case, hidden=True) for case in bank.of(ALPHABETA)]
    looked_at.clear()
    with Session(late_cut_off, Bank(bank.parts, tuple(hidden))) as session:
        sheet = session.sheet_of(hidden)
    assert looked_at == [] and sheet.diagnoses == {}


def test_of_a_hidden_case_only_the_kind_of_failure_is_kept(
    model: str, write: Write, bank: Bank
) -> None:
    leaks = write(
        f"{model}\ndef dfs_maximizing(state):\n    print('seen')\n    raise ValueError(str(state))\n"
    )
    hidden = [
        dataclasses.replace(case, hidden=True) for case in bank.of("dfs_maximizing")
    ]
    with Session(leaks, Bank(bank.parts, tuple(hidden))) as session:
        verdicts = [session.verdict(case) for case in hidden]
    for verdict in verdicts:
        assert (verdict.status, verdict.message) == (Status.CRASH, "")
        assert (verdict.printed, verdict.frames, verdict.rows) == ("", (), ())


def test_a_call_that_is_right_alone_is_said_to_be(
    model: str, write: Write, bank: Bank
) -> None:
    with Session(write(model + FORGETFUL.format(1)), bank) as session:
        sheet = session.sheet_of(bank.of("is_game_over_connectfour"))
    assert sheet.diagnoses["is_game_over_connectfour"].note == diagnosis.ALONE


def test_a_void_case_that_could_not_be_judged_leaves_the_score_open_no_more(
    bank: Bank,
) -> None:
    case = next(case for case in bank.cases if not case.advice)
    for void, is_open in (("", True), ("full", False), ("drop", False)):
        cases = tuple(
            dataclasses.replace(other, void=void) if other == case else other
            for other in bank.cases
        )
        verdicts = {case.id: Verdict(case.id, Status.UNGRADED)}
        sheet = ScoreSheet(Bank(bank.parts, cases), verdicts, b"")
        assert [ungraded.id for ungraded in sheet.ungraded] == [case.id] * is_open, void
