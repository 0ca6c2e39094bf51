"""Cases that run ahead: in their order, one at a time, up to the first that is out of the ordinary.  No process is
started here."""

import dataclasses
import threading
from pathlib import Path

import pytest

from boards.cases import Bank, Case
from grader.grading.ahead import Ahead
from grader.grading.session import Session
from grader.judging.status import Status
from grader.pipe.answer import Answer, Ending, Request
from staff.tests.support.waiting import LONG
from staff.tests.test_session import IMPORTED, OVER, Fake, right

QUICK, SLOW = Answer(Ending.ANSWERED, seconds=0.01), Answer(Ending.ANSWERED, seconds=0.9)


@pytest.fixture
def cases(bank: Bank) -> list[Case]:
    return bank.of(OVER)[:4]


def test_cases_run_in_their_order_before_anybody_asks(cases: list[Case]) -> None:
    ahead, ran, is_over = Ahead(), list[Case](), threading.Event()

    def run(case: Case) -> tuple[Answer, bool]:
        ran.append(case)
        if case is cases[-1]:
            is_over.set()
        return QUICK, True

    ahead.start(cases, lambda: True, run)
    assert is_over.wait(LONG)
    assert [ahead.take(case) for case in reversed(cases)] == [QUICK] * 4
    assert (ran, ahead.take(cases[0])) == (cases, None)


def test_an_answer_is_handed_out_once_the_next_case_is_on_its_way(cases: list[Case]) -> None:
    ahead, ran, was_taken = Ahead(), list[Case](), threading.Event()

    def run(case: Case) -> tuple[Answer, bool]:
        if ran:
            ahead.tell()  # as the sandbox does
            assert was_taken.wait(LONG)
        ran.append(case)
        return QUICK, True

    ahead.start(cases[:2], lambda: True, run)
    assert ahead.take(cases[0]) is QUICK
    assert ran == cases[:1]
    was_taken.set()
    assert ahead.take(cases[1]) is QUICK


@pytest.mark.parametrize("answer", [SLOW, None], ids=["slow", "a fault"])
def test_what_is_out_of_the_ordinary_is_the_last(answer: Answer | None, cases: list[Case]) -> None:
    ahead, ran = Ahead(), list[Case]()

    def run(case: Case) -> tuple[Answer, bool]:
        ran.append(case)
        if case is not cases[1]:
            return QUICK, True
        assert answer
        return answer, False

    ahead.start(cases, lambda: True, run)
    assert [ahead.take(case) for case in cases] == [QUICK, answer, None, None]
    assert ran == cases[:2]


def test_nothing_runs_where_lab_py_is_not_loaded(cases: list[Case]) -> None:
    ahead = Ahead()
    ahead.start(cases, lambda: False, lambda case: pytest.fail("it ran"))
    assert ahead.take(cases[0]) is None


def test_no_case_runs_while_another_is_run_aside(cases: list[Case]) -> None:
    ahead, has_begun, may_end, ran = Ahead(), threading.Event(), threading.Event(), list[Case]()

    def run(case: Case) -> tuple[Answer, bool]:
        ran.append(case)
        has_begun.set()
        assert may_end.wait(LONG)
        return QUICK, True

    ahead.start(cases, lambda: True, run)
    assert has_begun.wait(LONG)
    threading.Timer(0.05, may_end.set).start()
    with ahead.aside():
        assert may_end.is_set()  # or it would not have come so far
        seen = list(ran)
        threading.Event().wait(0.05)
        assert ran == seen
    assert ahead.take(cases[-1]) is QUICK


def test_what_is_stopped_is_ended_and_its_answer_is_nobodys(cases: list[Case]) -> None:
    ahead, has_begun, interrupted = Ahead(), threading.Event(), threading.Event()

    def run(case: Case) -> tuple[Answer, bool]:
        has_begun.set()
        return QUICK, interrupted.wait(LONG)

    ahead.start(cases, lambda: True, run)
    assert has_begun.wait(LONG)
    ahead.stop(interrupted.set)
    assert interrupted.is_set()
    assert [ahead.take(case) for case in cases] == [None] * 4


class Forking(Fake):
    """A sandbox that could run ahead."""

    is_calm = True

    def start(self) -> None:
        pass

    def interrupt(self) -> None:
        pass


@pytest.fixture
def session(cases: list[Case], bank: Bank, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Session, Fake]:
    """A session on a sandbox that starts nothing; the last of its cases is hidden."""
    (tmp_path / "lab.py").write_text("", encoding="utf-8")
    of = (*cases[:3], dataclasses.replace(cases[3], hidden=True))
    fake = Forking({case.id: case for case in of}, [IMPORTED])
    monkeypatch.setattr("grader.grading.asking.open_sandbox", lambda lab, fork: fake)
    monkeypatch.setattr("grader.grading.asking.ForkingSandbox", Forking)
    return Session(tmp_path / "lab.py", Bank(bank.parts, of)), fake


def test_only_public_cases_run_ahead_and_their_answers_are_judged(
    session: tuple[Session, Fake], cases: list[Case]
) -> None:
    grading, fake = session
    grading.begin(grading.bank.cases)
    assert [grading.verdict(case).status for case in grading.bank.cases[:3]] == [Status.PASS] * 3
    assert fake.asked == [case.id for case in cases[:3]]
    grading.close()


@pytest.mark.parametrize(("spent", "asked"), [(0.0, 1), (20.0, 2)])
def test_an_answer_counts_only_where_no_other_limit_would_have_changed_it(
    spent: float, asked: int, session: tuple[Session, Fake], cases: list[Case]
) -> None:
    """A case that took longer than what the session would give it now runs again, with that."""
    grading, fake = session
    fake.says = lambda case: dataclasses.replace(right(case), seconds=0.9)
    grading._asking._ahead.start(cases[:1], grading._asking._load_ahead, grading._asking._run_ahead)
    grading._asking._ahead.take(cases[1])
    while grading._asking._ahead._is_busy:
        pass
    grading._patience.charge(spent)
    grading.verdict(cases[0])
    assert fake.asked == [cases[0].id] * asked
    grading.close()


def test_a_request_says_the_seconds_of_the_case(session: tuple[Session, Fake], cases: list[Case]) -> None:
    grading, fake = session
    seen: list[Request] = []
    fake.answer = lambda request: seen.append(request) or right(cases[0])  # type: ignore[func-returns-value,method-assign]
    grading._asking._run_ahead(cases[0])
    assert [(request.case, request.seconds) for request in seen] == [(cases[0].id, cases[0].seconds)]
