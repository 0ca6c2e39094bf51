"""A session: which case is asked and when, and what becomes of the answers.  No process is started here."""

import contextlib
import dataclasses
import signal
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from boards.cases import Bank, Case
from grader.grading.session import Session
from grader.judging.verdict import Status
from grader.protocol.answer import Answer, Ending, Import, Request
from grader.protocol.locks import NO_LOCKS, OPEN_CASES
from grader.protocol.raised import Raised
from grader.signals import Ended, ending_in_order

OVER = "is_game_over_connectfour"
IMPORTED = Answer(Ending.ANSWERED, imported=Import(threads=False, survey={"NAME": "Ada"}))
STALLED = Answer(Ending.STALLED, seconds=15.0)


class Fake:
    """A sandbox that starts nothing: `loads` are the answers of its imports, `says` that to a case."""

    locks = NO_LOCKS

    def __init__(self, case_of: dict[str, Case], loads: list[Answer]) -> None:
        self.case_of, self.loads, self.says = case_of, loads, right
        self.asked: list[str] = []
        self.renewed, self.is_closed, self.last_was_fresh = 0, False, True

    @property
    def second(self) -> "Fake":
        """Itself."""
        return self

    def load(self) -> Answer:
        return self.loads.pop(0)

    def take_bill(self) -> float:
        return 0.0

    def answer(self, request: Request) -> Answer:
        self.asked.append(request.case)
        return self.says(self.case_of[request.case])

    def renew(self) -> None:
        self.renewed += 1
        self.last_was_fresh = True

    def interrupt(self) -> None:
        pass

    def close(self) -> None:
        self.is_closed = True


def right(case: Case) -> Answer:
    return Answer(Ending.ANSWERED, [{"value": call.expect["value"]} for call in case.calls])


def wrong(case: Case) -> Answer:
    return Answer(Ending.ANSWERED, [{"value": None}] * len(case.calls))


@pytest.fixture
def cases(bank: Bank) -> list[Case]:
    return bank.of(OVER)


Open = Callable[..., tuple[Session, Fake]]


@pytest.fixture
def opened(cases: list[Case], bank: Bank, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Open:
    """Opens a session on a sandbox that starts nothing, and on these cases alone."""
    (tmp_path / "lab.py").write_text("", encoding="utf-8")

    def opened(*loads: Answer, of: list[Case] = cases) -> tuple[Session, Fake]:
        fake = Fake({case.id: case for case in of}, list(loads) or [IMPORTED])
        monkeypatch.setattr("grader.grading.asking.open_sandbox", lambda lab, fork: fake)
        return Session(tmp_path / "lab.py", Bank(bank.parts, tuple(of))), fake

    return opened


def test_a_case_is_asked_once(opened: Open, cases: list[Case]) -> None:
    session, fake = opened()
    sheet = session.sheet()
    assert session.sheet().verdicts == sheet.verdicts
    assert {verdict.status for verdict in sheet.verdicts.values()} == {Status.PASS}
    assert fake.asked == [case.id for case in cases]
    assert sheet.survey == {"NAME": "Ada"}


def test_a_sheet_of_some_cases_asks_no_others(opened: Open, cases: list[Case]) -> None:
    session, fake = opened()
    seen: list[Case] = []
    sheet = session.sheet_of(cases[1:2], before=seen.append)
    assert (seen, fake.asked, list(sheet.verdicts)) == (cases[1:2], [cases[1].id], [cases[1].id])


def test_a_fault_of_the_grader_is_nobodys_zero(opened: Open, cases: list[Case]) -> None:
    session, fake = opened()
    fake.says = lambda case: 1 / 0 if case is cases[0] else right(case)  # type: ignore[assignment,return-value]
    sheet = session.sheet()
    assert sheet.ungraded == [cases[0]]
    assert sheet.verdict(cases[0]).message == (
        "A fault of the grader, which a person must look at: ZeroDivisionError: division by zero"
    )


def test_a_case_that_is_given_up_is_ungraded_and_what_was_found_stays(opened: Open, cases: list[Case]) -> None:
    session, fake = opened()
    found = session.verdict(cases[0])
    for case in cases[:2]:
        session.give_up(case, "it hung")
    assert session.verdict(cases[0]) is found
    assert session.verdict(cases[1]).status is Status.UNGRADED
    assert fake.is_closed and fake.asked == [cases[0].id]


@pytest.mark.parametrize(
    ("loads", "status", "said"),
    [
        ([STALLED, IMPORTED], Status.PASS, ""),
        ([STALLED, STALLED], Status.UNGRADED, "lab.py cannot be imported. In 15 seconds it computed for 0.0"),
        (
            [Answer(Ending.ANSWERED, raised=Raised("KeyError", ("KeyError",), "3", ((7, "<module>"),)))],
            Status.CRASH,
            "lab.py cannot be imported. KeyError: 3 (lab.py:7)",
        ),
    ],
)
def test_an_import_is_tried_again_only_where_it_stalls(
    loads: list[Answer], status: Status, said: str, opened: Open, cases: list[Case]
) -> None:
    session, fake = opened(*loads)
    sheet = session.sheet()
    assert {verdict.status for verdict in sheet.verdicts.values()} == {status}
    assert sheet.verdict(cases[0]).message.startswith(said)
    assert (sheet.import_failure is not None) is (status is Status.CRASH)
    assert bool(fake.asked) is (status is Status.PASS)
    assert fake.loads == []


def test_what_keeps_a_lab_from_its_import_is_looked_for_once(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Mock(return_value="")
    monkeypatch.setattr("grader.grading.session.what_ails", look)
    session, _ = opened(Answer(Ending.ANSWERED, raised=Raised("KeyError", ("KeyError",), "3", ())))
    assert session.sheet().import_failure == "lab.py cannot be imported. KeyError: 3"
    look.assert_called_once()


def test_who_shared_a_process_and_fails_is_asked_again_alone(opened: Open, cases: list[Case]) -> None:
    session, fake = opened()
    fake.says, fake.last_was_fresh = lambda case: right(case) if fake.renewed else wrong(case), False
    assert session.verdict(cases[0]).passed
    assert (fake.asked, fake.renewed) == ([cases[0].id] * 2, 1)


def test_who_had_a_process_alone_is_not_asked_again(opened: Open, cases: list[Case], bank: Bank) -> None:
    session, fake = opened(of=cases[:1])
    fake.says = wrong
    assert session.verdict(cases[0]).status is Status.FAIL
    assert (fake.asked, fake.renewed) == ([cases[0].id], 0)


def test_advice_is_for_who_needs_no_more_points(opened: Open, cases: list[Case]) -> None:
    first, *others = cases
    advice = dataclasses.replace(others[0], advice=True)
    for says, is_due in ((right, True), (wrong, False)):
        session, fake = opened(of=[first, advice])
        fake.says = says
        assert (advice.id in session.sheet().verdicts) is is_due


def test_a_hidden_case_is_not_run_where_it_cannot_be_kept(opened: Open, cases: list[Case]) -> None:
    hidden = dataclasses.replace(cases[0], hidden=True)
    session, fake = opened(of=[hidden, cases[1]])
    sheet = session.sheet()
    assert (sheet.verdict(hidden).status, sheet.verdict(hidden).message) == (Status.UNGRADED, OPEN_CASES)
    assert fake.asked == [cases[1].id]


def test_a_signal_that_python_has_dropped_ends_the_session_before_the_next_case(
    opened: Open, cases: list[Case]
) -> None:
    """What a handler raises in a callback, as of the import lock, is ignored there."""
    session, fake = opened()
    with contextlib.suppress(Ended), ending_in_order():
        with contextlib.suppress(Ended):
            signal.raise_signal(signal.SIGTERM)
        with pytest.raises(Ended):
            session.verdict(cases[0])
    assert fake.asked == []
    session.verdict(cases[0])
    assert fake.asked == [cases[0].id]
