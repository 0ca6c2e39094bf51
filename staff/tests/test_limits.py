"""The limits of processes, memory, rights and folders: what they end, and what they leave alone."""

import os
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from boards.cases import Bank
from grader.grading.session import Session
from grader.worker import worker
from staff.tests.conftest import KIT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")

NUMBERS = "/proc/sys/kernel/pid_max"

LIMITED = """
import os, resource
from grader.worker import confine
confine.SPARE_PROCESSES = 8
if os.getuid() == 0:
    os.setuid(65534)
most = confine.limit_processes()
reading, writing = os.pipe()
children = 0
try:
    while most and children < 300:
        if os.fork() == 0:
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
        children += 1
except BlockingIOError:
    print("no more")
"""


def test_an_ordinary_user_has_a_limit_of_processes() -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED], cwd=KIT, capture_output=True, text=True, check=False)
    assert done.stdout == "no more\n", done.stderr


ENCLOSED = """
import os, time
from pathlib import Path
from grader.worker.keeper import enclose
enclose()
try:
    for children in range(2_000):
        if os.fork() == 0:
            time.sleep(60)
    print("no end")
except BlockingIOError:
    print("no more")
"""


@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="only root may write there")
def test_in_a_namespace_of_its_own_root_has_a_limit_of_processes() -> None:
    if tuple(map(int, os.uname().release.split(".")[:2])) < (6, 14) or not os.access(NUMBERS, os.W_OK):
        pytest.skip("from Linux 6.14 on, where /proc may be written")
    before = Path(NUMBERS).read_text()
    with subprocess.Popen([sys.executable, "-uc", ENCLOSED], cwd=KIT, stdin=PIPE, stdout=PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "no more\n"
    assert Path(NUMBERS).read_text() == before


def test_a_case_waits_for_room_to_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes: list[BlockingIOError | int] = [BlockingIOError(), BlockingIOError(), 7]

    def fork() -> int:
        outcome = outcomes.pop(0)
        if isinstance(outcome, int):
            return outcome
        raise outcome

    monkeypatch.setattr(os, "fork", fork)
    assert worker.fork_patiently() == 7


SHUT = """
import os
from grader.sandbox.scratch import Scratch
if os.getuid() == 0:
    os.setuid(65534)
scratch = Scratch()
os.makedirs(scratch.path + "/shut/inner")
open(scratch.path + "/shut/inner/notes", "w").close()
for folder in ("/shut/inner", "/shut", ""):
    os.chmod(scratch.path + folder, 0o300)
print(os.listdir(scratch.fresh()), len(os.listdir(scratch.path)))
os.chmod(scratch.path, 0)
scratch.remove()
print(os.path.exists(scratch.path))
"""


def test_a_folder_that_cannot_be_looked_into_is_emptied_all_the_same() -> None:
    done = subprocess.run([sys.executable, "-c", SHUT], cwd=KIT, capture_output=True, text=True, check=False)
    assert done.stdout == "[] 1\nFalse\n", done.stderr


DROPPED = """
import os, sys
from pathlib import Path
from grader.worker.confine import can_read, drop_capabilities
file = Path(sys.argv[1])
print(drop_capabilities([file]), can_read(file))
"""


@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="only root has capabilities")
@pytest.mark.parametrize(("owner", "says"), [(0, "True True\n"), (65534, "False True\n")])
def test_what_root_must_read_it_still_reads(owner: int, says: str, tmp_path: Path) -> None:
    file = tmp_path / "lab.py"
    file.touch(0o600)
    os.chown(file, owner, owner)
    words = [sys.executable, "-c", DROPPED, str(file)]
    assert subprocess.run(words, cwd=KIT, capture_output=True, text=True, check=False).stdout == says


def grade_one(function: str, text: str, bank: Bank, folder: Path) -> Any:
    """The verdict on the first case of a function that has several calls."""
    (folder / "lab.py").write_text(text, encoding="utf-8")
    case = next(case for case in bank.of(function) if len(case.calls) > 2)
    with Session(folder / "lab.py", bank) as session:
        return session.verdict(case)


DEEP = """
import threading
_plain = is_game_over_connectfour
def is_game_over_connectfour(board):
    threading.stack_size(512 * 1024 * 1024)
    found, wait = [], threading.Event()
    threads = [threading.Thread(target=lambda: (wait.wait(), found.append(_plain(board)))) for _ in range(5)]
    for thread in threads:
        thread.start()
    wait.set()
    for thread in threads:
        thread.join()
    return found[0]
"""


def test_threads_with_deep_stacks(model: str, bank: Bank, tmp_path: Path) -> None:
    verdict = grade_one("is_game_over_connectfour", model + DEEP, bank, tmp_path)
    assert verdict.passed, verdict.message
