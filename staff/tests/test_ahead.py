"""Cases that run ahead: in their order, one at a time in a lane, up to the first that is out of the ordinary.  No
process is started here."""

import dataclasses
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from grader.grading.ahead import Ahead, Lane

from boards.cases import Bank, Case
from grader.grading.session import Session
from grader.judging.verdict import Status
from grader.protocol.answer import Answer, Ending, Import, Request
from staff.tests.support.waiting import LONG, soon
from staff.tests.test_session import IMPORTED, OVER, Fake, right

ONE = "one lane"
QUICK, SLOW = Answer(Ending.ANSWERED, seconds=0.01), Answer(Ending.ANSWERED, seconds=0.9)


def lane(run: Callable[[Case], tuple[Answer | None, bool]], loads: bool = True) -> Lane:
    return Lane(lambda: loads, run, lambda: None)


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

    ahead.start(cases, {ONE: lane(run)})
    assert is_over.wait(LONG)
    assert [ahead.take(case) for case in reversed(cases)] == [QUICK] * 4
    assert (ran, ahead.take(cases[0])) == (cases, None)


def test_an_answer_is_handed_out_once_the_next_case_is_on_its_way(cases: list[Case]) -> None:
    ahead, ran, was_taken = Ahead(), list[Case](), threading.Event()

    def run(case: Case) -> tuple[Answer, bool]:
        if ran:
            ahead.tell(only)  # as the sandbox does
            assert was_taken.wait(LONG)
        ran.append(case)
        return QUICK, True

    only = lane(run)
    ahead.start(cases[:2], {ONE: only})
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

    ahead.start(cases, {ONE: lane(run)})
    assert [ahead.take(case) for case in cases] == [QUICK, answer, None, None]
    assert ran == cases[:2]


def test_nothing_runs_where_lab_py_is_not_loaded(cases: list[Case]) -> None:
    ahead = Ahead()
    ahead.start(cases, {ONE: lane(lambda case: pytest.fail("it ran"), loads=False)})
    assert ahead.take(cases[0]) is None


def test_no_case_runs_while_another_is_run_aside(cases: list[Case]) -> None:
    ahead, has_begun, may_end, ran = Ahead(), threading.Event(), threading.Event(), list[Case]()

    def run(case: Case) -> tuple[Answer, bool]:
        ran.append(case)
        has_begun.set()
        assert may_end.wait(LONG)
        return QUICK, True

    ahead.start(cases, {ONE: lane(run)})
    assert has_begun.wait(LONG)
    threading.Timer(0.05, may_end.set).start()
    with ahead.aside(ONE):
        assert may_end.is_set()  # or it would not have come so far
        seen = list(ran)
        threading.Event().wait(0.05)
        assert ran == seen
    assert ahead.take(cases[-1]) is QUICK


def test_two_lanes_run_two_cases_at_a_time_and_each_case_once(cases: list[Case]) -> None:
    ahead, ran, together = Ahead(), list[Case](), threading.Barrier(2)

    def run(case: Case) -> tuple[Answer, bool]:
        ran.append(case)
        together.wait(LONG)
        return QUICK, True

    ahead.start(cases, {ONE: lane(run), "another": lane(run)})
    assert [ahead.take(case) for case in cases] == [QUICK] * 4
    assert sorted(case.id for case in ran) == sorted(case.id for case in cases)


def test_a_lane_that_is_closed_for_good_leaves_its_cases_to_the_other(cases: list[Case]) -> None:
    ahead, is_aside, ran = Ahead(), threading.Event(), {ONE: list[Case](), "another": list[Case]()}

    def run_in(name: str) -> Lane:
        def run(case: Case) -> tuple[Answer, bool]:
            ran[name].append(case)
            assert name == ONE or is_aside.wait(LONG)
            return QUICK, True

        return Lane(lambda: name == "another" or is_aside.wait(LONG), run, lambda: None)

    ahead.start(cases, {"another": run_in("another"), ONE: run_in(ONE)})
    threading.Timer(0.05, is_aside.set).start()
    with ahead.aside("another", for_good=True):
        pass
    assert [ahead.take(case) for case in cases] == [QUICK] * 4
    assert ran == {ONE: cases[1:], "another": cases[:1]}


def test_what_is_out_of_the_ordinary_in_one_lane_is_the_last_in_both(cases: list[Case]) -> None:
    ahead, ran = Ahead(), list[Case]()

    def run(case: Case) -> tuple[Answer, bool]:
        ran.append(case)
        if case is cases[0]:
            return SLOW, False
        assert soon(lambda: not all(each.is_open for each in ahead._lanes.values()))
        return QUICK, True

    ahead.start(cases, {ONE: lane(run), "another": lane(run)})
    assert [ahead.take(case) for case in cases] == [SLOW, QUICK if cases[1] in ran else None, None, None]
    assert len(ran) <= 2


def test_what_is_stopped_is_ended_and_its_answer_is_nobodys(cases: list[Case]) -> None:
    ahead, has_begun, interrupted = Ahead(), threading.Event(), threading.Event()

    def run(case: Case) -> tuple[Answer, bool]:
        has_begun.set()
        return QUICK, interrupted.wait(LONG)

    ahead.start(cases, {ONE: Lane(lambda: True, run, interrupted.set)})
    assert has_begun.wait(LONG)
    ahead.stop()
    assert interrupted.is_set()
    assert [ahead.take(case) for case in cases] == [None] * 4


class Forking(Fake):
    """A sandbox that could run ahead."""

    is_calm = True

    def start(self) -> None:
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
    grading.begin(cases[:1])
    grading._asking._ahead.take(cases[1])
    with grading._asking._ahead.aside(fake):
        pass
    grading._patience.spent += spent
    grading.verdict(cases[0])
    assert fake.asked == [cases[0].id] * asked
    grading.close()


def test_a_lab_py_with_threads_is_imported_without_fork_only_once(
    session: tuple[Session, Fake], cases: list[Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks for it meanwhile waits for that, and does not import it in the same process."""
    grading, fake = session
    fake.loads = [dataclasses.replace(IMPORTED, imported=Import(threads=True, survey={}))] * 2
    imports, begins, goes_on = list[str](), threading.Event(), threading.Event()

    class Spawning(Fake):
        def load(self) -> Answer:
            imports.append(threading.current_thread().name)
            begins.set()
            goes_on.wait(LONG)
            return fake.loads[0]

    monkeypatch.setattr(Forking, "second", None)
    monkeypatch.setattr("grader.grading.asking.open_sandbox", lambda lab, fork: Spawning(fake.case_of, []))
    grading.begin(cases[:1])
    assert begins.wait(LONG)
    asks = threading.Thread(target=grading._asking.load)
    asks.start()
    asks.join(0.1)
    goes_on.set()
    asks.join(LONG)
    assert len(imports) == 1
    grading.close()


def test_a_request_says_the_seconds_of_the_case(session: tuple[Session, Fake], cases: list[Case]) -> None:
    grading, fake = session
    seen: list[Request] = []
    fake.answer = lambda request: seen.append(request) or right(cases[0])  # type: ignore[func-returns-value,method-assign]
    grading._asking._run_ahead(grading._asking.sandbox, cases[0])
    assert [(request.case, request.seconds) for request in seen] == [(cases[0].id, cases[0].seconds)]
