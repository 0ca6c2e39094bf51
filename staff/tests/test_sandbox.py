"""The sandbox: the same answers with fork and without, and what it does about a process that is gone."""

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from boards.cases import Bank, Case
from grader.kinds.command.kind import Running
from grader.protocol.answer import Answer, Ending, Request
from grader.protocol.limits import CALL_BEGINS
from grader.sandbox import second, start
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.opening import open_sandbox
from grader.sandbox.sandbox import Sandbox
from grader.sandbox.second import HAS_HANDLES, Second
from grader.sandbox.spawning import SpawningSandbox, SpawningWorker
from staff.tests.support.waiting import soon
from staff.tests.test_processes import processes_of
from staff.wrong_labs import with_body

DFS = "dfs_maximizing"
ENDINGS = {
    "raises": ("raise KeyError(3)", Answer(Ending.ANSWERED)),
    "exits": ("import os; os._exit(7)", Answer(Ending.EXITED, detail=7)),
    "is killed": (f"import os; os.kill(os.getpid(), {int(signal.SIGTERM)})", Answer(Ending.KILLED, detail=15)),
    "floods": ('print("x" * (20 << 20))', Answer(Ending.FLOODED)),
    "writes where only the grader writes": (
        "import os\nfor pipe in range(3, 99):\n    try: os.write(pipe, b'{}' * 9)\n    except OSError: pass",
        Answer(Ending.GARBLED),
    ),
}

Open = Callable[[str], Sandbox]


@pytest.fixture(params=[True, False], ids=["fork", "no-fork"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the sandbox of a lab.py with this text."""
    with contextlib.ExitStack() as stack:

        def opened(text: str) -> Sandbox:
            (tmp_path / "lab.py").write_text(text, encoding="utf-8")
            return stack.enter_context(contextlib.closing(open_sandbox(tmp_path / "lab.py", request.param)))

        yield opened


def request_for(case: Case) -> Request:
    return Request(case.id, case.graded.kind, case.function, tuple(call.inputs for call in case.calls), case.seconds)


@pytest.mark.parametrize("how", ENDINGS)
def test_how_a_case_ends_and_the_next_one_runs(how: str, opened: Open, model: str, bank: Bank) -> None:
    body, expected = ENDINGS[how]
    sandbox = opened(with_body(DFS, body, model))
    loaded = sandbox.load()
    assert loaded.imported
    answer = sandbox.answer(request_for(bank.of(DFS)[0]))
    assert (answer.ending, answer.detail) == (expected.ending, expected.detail)
    assert bool(answer.raised) is (how == "raises")
    after = sandbox.answer(request_for(bank.of("next_boards_connectfour")[0]))
    assert (after.ending, after.raised) == (Ending.ANSWERED, None)


def test_an_import_that_fails_is_told_as_often_as_it_is_asked_for(opened: Open, model: str, bank: Bank) -> None:
    sandbox = opened(f"{model}\nraise KeyError('no')\n")
    told = [sandbox.load(), *(sandbox.answer(request_for(bank.of(DFS)[0])) for _ in range(2))]
    assert [(answer.ending, answer.imported) for answer in told] == [(Ending.ANSWERED, None)] * 3
    assert [answer.raised and answer.raised.bases[0] for answer in told] == ["KeyError"] * 3


def test_lab_py_may_read_yaml_where_nobody_has_before(opened: Open) -> None:
    nothing_kept = "import boards.reading as reading\nreading._read_kept = lambda file, text: {}\n"
    reads = "from boards import *\nimport yaml.nodes\nassert EQUAL_BOUNDS and yaml.safe_load('[1]') == [1]\n"
    loaded = opened(f"{nothing_kept}{reads}").load()
    assert loaded.imported, loaded.raised


def test_what_one_case_prints_is_not_the_next_ones(model: str, tmp_path: Path, bank: Bank) -> None:
    """With fork, where nothing is on its way any more when a case has ended."""
    lab, case = tmp_path / "lab.py", request_for(bank.of(DFS)[0])
    lab.write_text(f"print('importing')\n{with_body(DFS, 'print(1)', model)}", encoding="utf-8")
    with contextlib.closing(ForkingSandbox(lab)) as sandbox:
        assert sandbox.load().printed == "importing\n"
        printed = "".join(f"{CALL_BEGINS.format(call)}1\n" for call in range(len(case.calls)))
        assert {sandbox.answer(case).printed for _ in range(3)} == {printed}


@pytest.mark.skipif(not HAS_HANDLES, reason="a second one is for Linux")
@pytest.mark.parametrize("is_third", [False, True])
def test_a_second_sandbox_is_one_of_its_own(is_third: bool, model: str, tmp_path: Path, bank: Bank) -> None:
    """With the same locks, and nothing of the first one's: what ends that, does not end this."""
    lab, case = tmp_path / "lab.py", request_for(bank.of(DFS)[0])
    look = "import os\nfor each in range(99):\n    try: print(each, os.fstat(each).st_mode)\n    except OSError: pass"
    lab.write_text(with_body(DFS, look, model), encoding="utf-8")
    with contextlib.closing(ForkingSandbox(lab)) as first:
        first.start()
        second = first.second.second if is_third else first.second
        assert second.load().imported  # which waits until it can
        assert first.load().imported
        assert second.locks == first.locks
        pipes = first.answer(case).printed
        assert second.answer(case).printed == pipes
        worker = second.start()
        first.interrupt()
        assert soon(lambda: first.answer(case).ending is not Ending.ANSWERED)
        assert [second.answer(case).printed, first.answer(case).printed, second.start()] == [pipes, pipes, worker]
        second.interrupt()
        assert soon(lambda: second.answer(case).ending is not Ending.ANSWERED)
        assert [second.answer(case).printed, first.answer(case).printed] == [pipes, pipes]


@pytest.mark.skipif(not HAS_HANDLES, reason="a second one is for Linux")
def test_a_second_process_that_never_begins_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that lab.py, in the first one, has stopped for good."""
    for module in (second, start):
        monkeypatch.setattr(module, "PATIENCE", 0.01)
    never = Second(str(tmp_path))
    for _ in range(2):
        with pytest.raises(TimeoutError):
            never.go_on()
    start.end(never)


@pytest.mark.skipif(not HAS_HANDLES, reason="a second one is for Linux")
@pytest.mark.parametrize("goes_on", [True, False])
def test_the_others_end_with_the_first(goes_on: bool, model: str, tmp_path: Path, bank: Bank) -> None:
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    first = ForkingSandbox(tmp_path / "lab.py")
    first.load()
    others = (first.second, first.second.second)
    folders = [Path(sandbox._scratch.path) for sandbox in (first, *others)]
    for other in others if goes_on else ():
        other.load()
    first.close()
    assert not [folder for folder in folders if folder.exists() or processes_of(folder)]


def test_it_is_told_that_a_case_is_on_its_way_before_it_has_an_answer(opened: Open, model: str, bank: Bank) -> None:
    sandbox, seen = opened(model), list[bytes]()
    worker = sandbox.start()
    sandbox.load()
    sandbox.when_sent = lambda: seen.append(bytes(worker.replies))
    assert sandbox.answer(request_for(bank.of(DFS)[0])).outcomes
    reads_by_itself = isinstance(sandbox, SpawningSandbox)  # a thread of its own may have the reply by then
    assert len(seen) == 1 if reads_by_itself else seen == [b""]


def test_who_had_a_process_alone(opened: Open, model: str, bank: Bank) -> None:
    """With fork everybody; without, the first case of a function, and whoever comes after `renew`."""
    sandbox = opened(model)
    has_fork = "Forking" in type(sandbox).__name__
    first, second = map(request_for, bank.of(DFS)[:2])
    fresh = []
    for step in (first, second, None, second, request_for(bank.of("next_boards_connectfour")[0])):
        if step is None:
            sandbox.renew()
            continue
        assert sandbox.answer(step).ending is Ending.ANSWERED
        fresh.append(sandbox.last_was_fresh)
    assert fresh == [True, has_fork, True, True]


@pytest.mark.parametrize("keeps", [True, False])
def test_the_kits_bytecode_is_kept_where_the_grader_does_and_none_from_lab_py_on(
    keeps: bool, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", not keeps)
    sandbox = opened("import sys\nprint(sys.dont_write_bytecode)\n")
    process = sandbox.start()._process
    assert isinstance(process, subprocess.Popen)
    assert ("'-B'" in str(process.args)) is not keeps
    assert sandbox.load().printed.split() == ["True"]


def test_make_run_keeps_no_bytecode_from_lab_py_on(
    model: str, tmp_path: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "lab.py").write_text(f"{model}\nimport sys\nassert sys.dont_write_bytecode\n", encoding="utf-8")
    command = next(case for case in bank.of("make_run") if "through" in case.calls[0].inputs)
    answer = Running(command.calls[0], tmp_path / "lab.py", 2.0).answer()
    assert [outcome["status"] for outcome in answer.outcomes] == [0]


def test_without_fork_what_is_printed_has_come_when_the_reply_has(
    model: str, bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread of its own reads it, which a busy machine may let wait."""
    drain = SpawningWorker._drain

    def drain_late(self: SpawningWorker, pipe: IO[bytes], keep: Callable[[bytes], None]) -> None:
        time.sleep(0.2 if keep == self._keep_print else 0)
        drain(self, pipe, keep)

    monkeypatch.setattr(SpawningWorker, "_drain", drain_late)
    (tmp_path / "lab.py").write_text(f"{model}\nprint('late')\n", encoding="utf-8")
    with contextlib.closing(SpawningSandbox(tmp_path / "lab.py")) as sandbox:
        assert sandbox.load().printed == "late\n"
