"""Clocks: a stall is nobody's 0, a hanging function costs little, and a whole run ends.

Most of these tests ask the model and put other times on its answers, so that none of them depends
on how fast this machine is just now.
"""

import dataclasses
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from boards.cases import Bank, Call, Case
from grader.grading.judge import judge
from grader.grading.patience import HURRIED_AFTER, RUN_SECONDS
from grader.grading.session import Session
from grader.judging.verdict import Status, Verdict
from grader.kinds.command.kind import Running
from grader.protocol.answer import Answer, Ending, Request, measured
from grader.protocol.reading import read_import
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.spawning import SpawningSandbox
from grader.sandbox.watch import NOTHING_USED, Used, Watch, used_by
from grader.showing.console import report
from grader.showing.markdown import summary
from grader.showing.style import Style
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body

Change = Callable[[Request, Answer], Answer]
Open = Callable[[Change], Session]
HEURISTIC, DFS = "heuristic_connectfour", "dfs_maximizing"


class Clocked(ForkingSandbox):
    """A sandbox whose answers took as long as `change` says."""

    change: Change
    asked: int = 0
    import_stalls: int = 0
    _has_started = True

    @property
    def second(self) -> "Clocked":
        """Itself."""
        return self

    def load(self) -> Answer:
        loaded = super().load()
        if not self.import_stalls:
            return loaded
        self.import_stalls -= 1
        return dataclasses.replace(loaded, ending=Ending.STALLED, imported=None, seconds=15.0)

    def answer(self, request: Request) -> Answer:
        self.asked += 1
        return self.change(request, super().answer(request))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, bank: Bank, tmp_path: Path, model: str) -> Open:
    """A session on the model, with other times on its answers."""
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    sandbox = Clocked(tmp_path / "lab.py")
    monkeypatch.setattr("grader.grading.asking.open_sandbox", lambda lab, fork: sandbox)

    def opened(change: Change) -> Session:
        sandbox.change = change
        short = tuple(case for case in bank.cases if case.function != "make_run")
        return Session(tmp_path / "lab.py", Bank(bank.parts, short))

    return opened


def quickly(answer: Answer, seconds: float = 0.01) -> Answer:
    return dataclasses.replace(answer, seconds=seconds, cpu=seconds)


def stalled(answer: Answer, limit: float) -> Answer:
    return dataclasses.replace(answer, ending=Ending.STALLED, outcomes=[], cpu=0.01, seconds=limit * 5)


def hung(answer: Answer, limit: float) -> Answer:
    return dataclasses.replace(answer, ending=Ending.CPU_TIME_UP, outcomes=[], cpu=limit, seconds=limit)


def sandbox_of(session: Session) -> Clocked:
    sandbox = session._asking.sandbox
    assert isinstance(sandbox, Clocked)
    return sandbox


def test_a_case_that_stalls_once_is_tried_again(opened: Open, bank: Bank) -> None:
    """As when the machine stands still."""
    seen: set[str] = set()

    def change(request: Request, answer: Answer) -> Answer:
        is_new = request.case not in seen
        seen.add(request.case)
        return stalled(answer, request.seconds) if is_new and len(seen) == 1 else quickly(answer)

    with opened(change) as session:
        assert {session.verdict(case).status for case in bank.of(HEURISTIC)} == {Status.PASS}


def test_one_slow_answer_costs_one_case_its_verdict_and_no_points(opened: Open, bank: Bank) -> None:
    """A right heuristic sleeps on one board."""
    slow, *others = bank.of(HEURISTIC)
    with opened(lambda request, answer: stalled(answer, 2) if request.case == slow.id else quickly(answer)) as session:
        verdict = session.verdict(slow)
        assert verdict.status is Status.UNGRADED
        assert "In 10 seconds it computed for 0.0, and was stopped." in verdict.message
        assert {session.verdict(case).status for case in others} == {Status.PASS}
        sheet = session.sheet()
    assert sheet.ungraded == [slow]
    assert {sheet.verdict(case).status for case in session.bank.cases if case != slow} == {Status.PASS}


def test_who_runs_on_a_function_that_was_stopped_does_not_take_its_time_once_more(opened: Open, bank: Bank) -> None:
    """A solve that sleeps, in make_run too, would leave no time for the parts after it."""

    def change(request: Request, answer: Answer) -> Answer:
        return stalled(answer, request.seconds) if request.function == "solve" else quickly(answer)

    with opened(change) as session:
        found = [session.verdict(case) for case in bank.of("make_run") if not case.hidden]
    assert {(verdict.status, verdict.ran) for verdict in found} == {(Status.UNGRADED, False)}
    assert {verdict.message for verdict in found} == {"Not run: it runs on solve, of which a case could not be judged."}


@pytest.mark.parametrize("times", [1, 2])
def test_an_import_that_stalls_is_tried_again_and_no_zero(times: int, opened: Open, bank: Bank) -> None:
    with opened(lambda request, answer: quickly(answer)) as session:
        sandbox_of(session).import_stalls = times
        sheet = session.sheet()
    assert sheet.import_failure is None
    statuses = {sheet.verdict(case).status for case in session.bank.cases if not case.advice}
    assert statuses == {Status.PASS if times == 1 else Status.UNGRADED}
    if times == 2:
        assert "lab.py cannot be imported. In 15 seconds" in sheet.verdict(bank.cases[0]).message


def test_a_function_that_hangs_costs_little(opened: Open, bank: Bank) -> None:
    """Two cases have all their time, the others half a second, and in the end none."""
    functions = (HEURISTIC, "minimax_search_alphabeta")

    def change(request: Request, answer: Answer) -> Answer:
        return hung(answer, request.seconds) if request.function in functions else quickly(answer)

    with opened(change) as session:
        verdicts = [session.verdict(case) for case in bank.of(HEURISTIC)]
        more = [session.verdict(case) for case in bank.of(functions[1])]
    assert [verdict.seconds for verdict in verdicts[:4]] == [2, 2, 0.5, 0.5]
    for found in (verdicts, more):
        assert {verdict.status for verdict in found} == {Status.TIME_OUT}
        assert sum(verdict.seconds for verdict in found) < 10
    assert not more[-1].ran
    assert "Not run: other cases of this function have used up its time." in more[-1].message


@pytest.mark.parametrize(
    ("ending", "ran"),
    [(Ending.FLOODED, 5), (Ending.KILLED, 5), (Ending.ANSWERED, 100)],
    ids=["floods", "kills", "leaves"],
)
def test_a_function_that_takes_its_process_with_it_costs_little(
    ending: Ending, ran: int, opened: Open, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each case floods, or ends the process from which the next ones come; one that only leaves another behind is
    nothing but wrong."""
    monkeypatch.setattr(Clocked, "is_calm", False)
    wrong = [{"value": 7}] * 9 if ending is Ending.ANSWERED else []
    with opened(lambda request, answer: dataclasses.replace(quickly(answer), ending=ending, outcomes=wrong)) as session:
        verdicts = [session.verdict(case) for case in bank.of("dfs_maximizing")]
    assert [verdict.ran for verdict in verdicts] == [at < ran for at in range(len(verdicts))]
    assert len(verdicts) > 5
    assert not any(verdict.passed for verdict in verdicts)


def test_what_waits_is_no_waste(opened: Open, bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make run` takes long and comes out wrong, while solve is wrong: its other cases keep their time."""
    given = []
    failed = {"text": "", "lines": 0, "digest": "", "status": 1, "complaint": ""}

    def answer_slowly(seconds: float) -> Answer:
        given.append(seconds)
        return quickly(Answer(Ending.ANSWERED, [failed]), 1.9)

    class Slow:
        def __init__(self, call: Call, lab: Path, seconds: float) -> None:
            self.answer = lambda: answer_slowly(seconds)

    monkeypatch.setattr("grader.kinds.command.kind.Running", Slow)
    wrong = [{"value": True, "result": None}]
    first = bank.of("solve")[0]

    def change(request: Request, answer: Answer) -> Answer:
        if request.function == "make_run":
            return answer_slowly(request.seconds)
        outcomes = wrong if request.case == first.id else answer.outcomes
        return dataclasses.replace(quickly(answer), outcomes=outcomes)

    with opened(change) as session:
        waiting = [session.verdict(case).status for case in bank.of("make_run")]
    assert set(waiting) == {Status.WAITS}
    assert given == [2.0] * len(waiting)


def test_functions_that_hang_leave_the_others_their_verdicts(opened: Open) -> None:
    hanging = ("is_game_over_connectfour", HEURISTIC, DFS, "minimax_search", "MinimaxPlayer")

    def change(request: Request, answer: Answer) -> Answer:
        return hung(answer, request.seconds) if request.function in hanging else quickly(answer)

    with opened(change) as session:
        sheet = session.sheet()
        assert session._patience.spent < RUN_SECONDS + 2
    for case in session.bank.cases:
        status = sheet.verdict(case).status
        if case.function in hanging:
            assert status in (Status.TIME_OUT, Status.UNGRADED)
        elif not set(case.graded.needs) & set(hanging) and not case.advice:
            assert status is Status.PASS
    assert not sheet.is_full


def test_a_trace_that_is_cut_off_for_the_run_is_no_fault(opened: Open, bank: Bank) -> None:
    """Alpha-beta hangs, and progressive deepening runs with the asked answers in its place, slowly."""

    def change(request: Request, answer: Answer) -> Answer:
        is_slow = request.function == "minimax_search_alphabeta" or request.seconds < 1
        return hung(answer, request.seconds) if is_slow else quickly(answer, 0.9)

    case = bank.of("progressive_deepening")[0]
    with opened(change) as session:
        assert session.verdict(bank.of("minimax_search_alphabeta")[0]).status is Status.TIME_OUT
        session._patience.spent += HURRIED_AFTER
        assert session.verdict(case).status is Status.UNGRADED
        assert not session.verdict(case).ran


@pytest.mark.parametrize("seconds", [0.45, 1.9])
def test_a_slow_right_lab_has_no_zero(seconds: float, opened: Open) -> None:
    """Every case of it is right, and the run ends; what it had no time for is ungraded, and so told."""

    def change(request: Request, answer: Answer) -> Answer:
        return quickly(answer, seconds) if seconds <= request.seconds else hung(answer, request.seconds)

    with opened(change) as session:
        sheet = session.sheet()
        assert RUN_SECONDS - 2 <= session._patience.spent < RUN_SECONDS + 2 or seconds == 1.9
        assert session._patience.spent < RUN_SECONDS + 2
    graded = [case for case in session.bank.cases if not case.advice]
    assert {sheet.verdict(case).status for case in graded} == {Status.PASS, Status.UNGRADED}
    assert sum(sheet.verdict(case).passed for case in graded) >= HURRIED_AFTER // seconds
    assert [case.id for case in sheet.not_run] == [case.id for case in sheet.ungraded]
    messages = {sheet.verdict(case).message.split(":")[0] for case in sheet.not_run}
    assert messages <= {"Not run", "Not run to its end"}
    plain = Style(colour=False, ascii_only=True)
    for page in (report(sheet, False, plain), summary(sheet)):
        assert "NOT RUN" in page


def test_time_that_sleeps_counts_in_a_run(opened: Open) -> None:
    """Each case sleeps for 1.5 seconds, and is right."""

    def change(request: Request, answer: Answer) -> Answer:
        return dataclasses.replace(answer, seconds=1.5, cpu=0.0)

    with opened(change) as session:
        session.sheet()
        assert sandbox_of(session).asked <= 2 + RUN_SECONDS / 1.4


def test_advice_leaves_nothing_ungraded(opened: Open, bank: Bank) -> None:
    advice = {case.id for case in bank.cases if case.advice}

    def change(request: Request, answer: Answer) -> Answer:
        return stalled(answer, request.seconds) if request.case in advice else quickly(answer)

    with opened(change) as session:
        assert session.sheet().is_full


@pytest.mark.parametrize(
    ("ending", "detail", "cpu", "after"),
    [
        (Ending.WALL_TIME_UP, 0, 0.1, Ending.STALLED),  # it slept
        (Ending.WALL_TIME_UP, 0, 2.1, Ending.WALL_TIME_UP),  # it computed
        (Ending.CPU_TIME_UP, 0, 2.6, Ending.CPU_TIME_UP),  # as seen from outside
        (Ending.KILLED, 27, 1.98, Ending.CPU_TIME_UP),  # SIGPROF, when its time was up
        (Ending.KILLED, 27, 0.1, Ending.KILLED),  # SIGPROF, of its own doing
        (Ending.KILLED, 9, 3.0, Ending.CPU_TIME_UP),  # SIGKILL of the limit, after it had ignored the others
        (Ending.KILLED, 9, 0.1, Ending.KILLED),
        (Ending.KILLED, 11, 2.0, Ending.KILLED),
        (Ending.EXITED, 9, 2.0, Ending.EXITED),
    ],
)
def test_the_time_it_computed_tells_who_ended_it(ending: Ending, detail: int, cpu: float, after: Ending) -> None:
    assert measured(Answer(ending, detail=detail), 2.0, cpu, 10.0, "").ending is after


def test_last_words_do_not_stand_in_the_way_of_the_import() -> None:
    words = b'Current thread 0x7f (most recent call first):\n  File "/lab.py", line 1 in <module>\n'
    reply = b'{"raised": null, "threads": false, "survey": {}}\n'
    assert read_import(words + reply + b"\n").imported
    assert read_import(reply * 2 + b"\n").ending is Ending.GARBLED


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
@pytest.mark.parametrize("times", [1, 2])
def test_one_clock_says_where_it_is_and_the_other_ends_it(times: int) -> None:
    """Neither stops the other: the resource limit, far behind both, would end it by SIGXCPU."""
    script = (
        f"from grader.worker.confine import limit_cpu\nfor _ in range({times}): limit_cpu(0.2, False, 2)\nwhile True: 1"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=KIT, capture_output=True, text=True)
    assert done.returncode == -signal.SIGPROF
    assert 'File "<string>", line 3 in <module>' in done.stderr


def verdict_on(text: str, case: Case, bank: Bank, tmp_path: Path, fork: bool = True) -> Verdict:
    """The verdict on a case of a lab.py with this text."""
    (tmp_path / "lab.py").write_text(text, encoding="utf-8")
    with Session(tmp_path / "lab.py", bank, fork=fork) as session:
        return session.verdict(case)


@pytest.mark.skipif(not hasattr(signal, "SIGVTALRM"), reason="no last words")
@pytest.mark.parametrize("fork", [True, False], ids=["fork", "no-fork"])
def test_an_import_that_takes_long_is_graded(fork: bool, bank: Bank, model: str, tmp_path: Path) -> None:
    """The signal has faulthandler speak, as it does when four of the five seconds are gone."""
    late = "import os, signal; os.kill(os.getpid(), signal.SIGVTALRM)\n"
    assert verdict_on(late + model, bank.of(DFS)[0], bank, tmp_path, fork).passed


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("while True: pass", Status.TIME_OUT, "It was stopped after 0.3 seconds of computing (lab.py:"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGPROF)", Status.CRASH, "A signal ended it: SIGPROF."),
        ("import os; os._exit(7)", Status.FAIL, "The command failed: exit status 7"),
        ("raise KeyError(3)", Status.FAIL, "The command failed: KeyError: 3 (lab.py:"),
    ],
)
def test_make_run_says_how_it_ended(
    body: str, status: Status, words: str, bank: Bank, model: str, tmp_path: Path
) -> None:
    (tmp_path / "lab.py").write_text(with_body("solve", body, model), encoding="utf-8")
    case = dataclasses.replace(bank.of("make_run")[0], seconds=0.3)
    verdict = judge(case, Running(case.calls[0], tmp_path / "lab.py", case.seconds).answer())
    assert verdict.status is status
    assert verdict.message.startswith(words)
    assert "most recent call first" not in verdict.printed


def test_an_import_that_sleeps_is_ungraded(
    bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.protocol.limits.IMPORT_WALL", 1.5)
    verdict = verdict_on(f"import time; time.sleep(60)\n{model}", bank.of(DFS)[0], bank, tmp_path)
    assert verdict.status is Status.UNGRADED
    assert verdict.message.startswith("lab.py cannot be imported. In ")


def test_a_long_import_happens_once_without_fork(
    bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or all of a run's time would go to it."""
    monkeypatch.setattr("grader.sandbox.spawning.LONG_IMPORT", 0.0)
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    with Session(tmp_path / "lab.py", bank, fork=False) as session:
        sandbox = session._asking.sandbox
        assert isinstance(sandbox, SpawningSandbox)
        assert session.verdict(bank.of(DFS)[0]).passed
        worker = sandbox._worker
        assert session.verdict(bank.of(HEURISTIC)[0]).passed
        assert sandbox._worker is worker is not None


@pytest.mark.parametrize(("waited", "ending"), [(0.0, Ending.WALL_TIME_UP), (8.0, None)])
def test_the_wall_clock_stands_still_while_the_machine_runs_others(
    waited: float, ending: Ending | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Eleven seconds have gone, of ten that it had; for eight it was ready to run, and was not run."""
    now = [100.0]

    def used(cpu: float, waits: float) -> Used:
        return dataclasses.replace(NOTHING_USED, cpu=cpu, waits={"7": waits})

    monkeypatch.setattr("grader.sandbox.watch.time.monotonic", lambda: now[0])
    monkeypatch.setattr("grader.sandbox.watch.used_by", lambda root: used(0.5, 1.0 + waited))
    watch = Watch(1, str(tmp_path), seconds=2.0, wall=10.0, before=used(0.3, 1.0))
    now[0] += 11.0
    assert watch.look() is ending
    assert watch.seconds == pytest.approx(11.0 - waited)
    assert watch.cpu == pytest.approx(0.2)


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this kernel does not tell")
def test_the_kernel_tells_who_waits() -> None:
    assert used_by(os.getpid()).waits[str(os.getpid())] >= 0
