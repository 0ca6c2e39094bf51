"""`make grade` on a class: what a lab costs beside its `make test`, what is graded
again, and 300 labs of the bank.

The labs go through the pool of `make grade`, without the store.  Memory is that of a
whole `make grade`, in a copy of the kit.
"""

import functools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.kit import KIT
from staff.bench.figures import Figure, Side, WrongResult
from staff.bench.grading import NO_PLUGINS
from staff.bench.timing import child, machine_seconds
from staff.farm.digests import digests
from staff.farm.pool import Task, run
from staff.model import MODEL
from staff.release.regions import without_solutions
from staff.strict.bank import public_bank
from staff.wrong_labs import build, load_wrong_labs

CLASS, RUNS, LABS, MINUTES = 100, 16, 300, 4
HANG, NO_IMPORT, STUBS = 5, 5, 30
SMALL = 30  # labs of a class with which a large one is compared
TIMES_THE_MEMORY_OF_A_SMALL_CLASS = 1.3
TIMES_A_MAKE_TEST, TIMES_THE_WHOLE, TIMES_THE_WHOLE_FOR_SOLVE = 0.65, 1 / 3, 1 / 2
MEMORIES = (
    f"{LABS} labs, memory",
    f"{LABS} labs, memory to grade",
)  # of make grade, and of a process that grades
LEFT_OUT = (".git", ".venv", "build", "grades")  # at the top of a kit that is copied
STATUS = "/proc/{}/status"  # of a process on Linux: the peak that getrusage states begins with that of its parent
MEMORY = f"""
import re, sys
from grader.finder import look_only_for_packages
look_only_for_packages()
from grader.cli import enter
from staff.farm.pool import KitProcess

def peak(process):
    text = open("{STATUS}".format(process)).read()
    return max(map(int, re.findall(r"VmHWM:\\s*(\\d+)", text)), default=0)

def ask_to_end(process):
    if process._process:
        largest.append(peak(process._process.pid))
    ask(process)

ask, largest = KitProcess.ask_to_end, [0]
KitProcess.ask_to_end = ask_to_end
try:
    status = enter(sys.argv[1:])
except SystemExit as end:
    status = end.code
print(peak("self"), max(largest))
sys.exit(status)
"""
"""A command of the kit, and then the peaks of its memory and of the largest process
that grades for it, in KiB.
"""


def figures() -> list[Figure]:
    """A lab beside its `make test`, one function beside all, and a large class beside
    the clock.
    """
    functions = list(digests(public_bank(), MODEL.read_bytes()))
    whole = Side("all functions", graded(functions))
    make_test = Side(
        "its make test", side_by_side(["make", "test", f"VENV={sys.prefix}"])
    )
    clock = Side(f"{MINUTES} minutes", lambda: MINUTES * 60.0)
    again = {"dfs_maximizing": TIMES_THE_WHOLE, "solve": TIMES_THE_WHOLE_FOR_SOLVE}
    rows = [
        Figure(
            "a lab of a class",
            whole,
            make_test,
            TIMES_A_MAKE_TEST,
            repeats=3,
            warm_up=True,
        ),
        *(
            Figure(f"{name} again", Side("", graded([name])), whole, limit, repeats=3)
            for name, limit in again.items()
        ),
        Figure(
            f"{LABS} labs, on the clock", Side("", large_class), clock, 1, repeats=1
        ),
    ]
    if Path(STATUS.format("self")).exists():
        rows += [_memory(what, place) for place, what in enumerate(MEMORIES)]
    return rows


def _memory(what: str, place: int) -> Figure:
    """A large class beside a small one: the memory of one kind of process, which has
    this place in `peaks`.
    """
    kit = Side(f"{LABS} labs", lambda: peaks(LABS)[place])
    other = Side(f"{SMALL} labs", lambda: peaks(SMALL)[place])
    return Figure(
        what, kit, other, TIMES_THE_MEMORY_OF_A_SMALL_CLASS, repeats=1, unit="MiB"
    )


def side_by_side(command: list[str]) -> Callable[[], float]:
    """A measurement: the CPU seconds of a command, when it keeps all cores busy, as a
    class does.
    """
    run = child(command, environment=NO_PLUGINS)

    def seconds() -> float:
        before = machine_seconds()
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            list(threads.map(lambda _: run(), range(RUNS)))
        return (machine_seconds() - before) / RUNS

    return seconds


def graded(functions: list[str]) -> Callable[[], float]:
    """A measurement: the CPU seconds of one lab of a class of model solutions, graded
    on these functions.
    """
    model = MODEL.read_bytes()

    def seconds() -> float:
        labs = [model + b"# %d\n" % number for number in range(CLASS)]
        before = machine_seconds()
        _grade(labs, functions)
        return (machine_seconds() - before) / CLASS

    return seconds


def large_class() -> float:
    """The seconds on the clock for a class of labs of the bank: some hang, do not
    import, or are stubs.
    """
    model = MODEL.read_text("utf-8")
    stub = without_solutions(model, MODEL)
    labs = [
        f"{model}\ndef solve(game):\n    while True: pass\n# {number}\n"
        for number in range(HANG)
    ]
    labs += [
        f"import nothing_of_that_name_{number}\n{model}" for number in range(NO_IMPORT)
    ]
    labs += [f"{stub}\n# {number}\n" for number in range(STUBS)]
    labs += [build(wrong_lab, model) for wrong_lab in load_wrong_labs()][
        : LABS - len(labs)
    ]
    before = time.perf_counter()
    _grade([lab.encode() for lab in labs], list(digests(public_bank(), model.encode())))
    return time.perf_counter() - before


@functools.cache
def peaks(number: int) -> tuple[float, float]:
    """The most memory that `make grade` needs for so many stubs, and the largest
    process that grades, in MiB.
    """
    stub = without_solutions(MODEL.read_text("utf-8"), MODEL)
    with TemporaryDirectory() as place:
        kit, downloads = Path(place, "kit"), Path(place, "downloads")
        shutil.copytree(
            KIT,
            kit,
            ignore=lambda folder, names: LEFT_OUT if Path(folder) == KIT else (),
        )
        for student in range(number):
            lab = downloads / f"s{student}" / "lab.py"
            lab.parent.mkdir(parents=True)
            lab.write_text(f"{stub}\n# {student}\n", "utf-8")
        roster = downloads / "roster.csv"
        roster.write_text(
            "\n".join(["id", *(f"s{student}" for student in range(number))]), "utf-8"
        )
        _measured(
            kit,
            f"{number} files, {number} new",
            "collect",
            f"FROM={downloads}",
            f"ROSTER={roster}",
        )
        return _measured(kit, f"{number} graded", "grade")


def _measured(kit: Path, says: str, *words: str) -> tuple[float, float]:
    """The peaks of a command in a kit, in MiB.  Raises WrongResult unless it says
    this.
    """
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, *words], cwd=kit, capture_output=True, text=True
    )
    if done.returncode or says not in done.stdout:
        raise WrongResult(
            f"make {words[0]}: exit status {done.returncode}: {done.stderr.strip()[-60:]}"
        )
    own, largest = map(int, done.stdout.split()[-2:])
    return own / 1024, largest / 1024


def _grade(labs: list[bytes], functions: list[str]) -> None:
    for _ in run(
        [
            Task(str(number), lab, dict.fromkeys(functions, ""))
            for number, lab in enumerate(labs)
        ]
    ):
        pass
