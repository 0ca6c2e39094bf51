"""Measures `make grade`: the CPU time of one submission, and the time and the memory of
a large class.

The time of one submission is compared with the time of `make test` on the same lab.py.
For the times, submissions go through the pool of `make grade`, but not into the store.
The memory is measured with a whole `make grade`, in a copy of the kit.
"""

import functools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
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

CLASS = 100  # the cost of one submission is measured with so many model solutions
RUNS = 16  # the cost of one `make test` is measured with so many at once
LABS = 300  # submissions of a large class
MINUTES = 4  # a large class may take so long
HANG = 5  # submissions of a large class that hang
NO_IMPORT = 5  # submissions of a large class that do not import
STUBS = 30  # submissions of a large class that have not started
SMALL = 30  # submissions of the class with which a large class is compared
TIMES_THE_MEMORY_OF_A_SMALL_CLASS = 1.3
TIMES_A_MAKE_TEST = 0.65
TIMES_THE_WHOLE = 1 / 3
TIMES_THE_WHOLE_FOR_SOLVE = 1 / 2
MEMORIES = (f"{LABS} labs, memory", f"{LABS} labs, memory to grade")
"""The rows for the memory of make grade, and for that of a process that grades."""

# A copy of the kit leaves out these files and folders.
LEFT_OUT = (".git", ".venv", "build", "grades")
# The file in which Linux says the peak of memory of a process.  No other system has it.
OWN_STATUS = Path("/proc/self/status")
PEAK_OF_MEMORY = [sys.executable, "-m", "staff.bench.programs.peak_of_memory"]


def figures() -> list[Figure]:
    """Return the rows of this topic.

    They are about one submission, about one function that is graded again, and about a
    large class.
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
    if OWN_STATUS.exists():
        rows += [_memory(what, place) for place, what in enumerate(MEMORIES)]
    return rows


def _memory(what: str, place: int) -> Figure:
    """Return a row that compares the memory of a large class with that of a small one.

    `peaks` returns two numbers.  `place` says which of them is compared: 0 or 1.
    """
    kit = Side(f"{LABS} labs", lambda: peaks(LABS)[place])
    other = Side(f"{SMALL} labs", lambda: peaks(SMALL)[place])
    return Figure(
        what, kit, other, TIMES_THE_MEMORY_OF_A_SMALL_CLASS, repeats=1, unit="MiB"
    )


def side_by_side(command: list[str]) -> Callable[[], float]:
    """Return a measurement: the CPU seconds of a command.

    All cores are kept busy with copies of the command.  `make grade` keeps all cores
    busy too, so its time can be compared with this one.
    """
    run = child(command, environment=NO_PLUGINS)

    def seconds() -> float:
        before = machine_seconds()
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            list(threads.map(lambda _: run(), range(RUNS)))
        return (machine_seconds() - before) / RUNS

    return seconds


def graded(functions: list[str]) -> Callable[[], float]:
    """Return a measurement: the CPU seconds to grade these functions of one submission.

    The submission is the model solution.
    """
    model = MODEL.read_bytes()

    def seconds() -> float:
        labs = [model + b"# %d\n" % number for number in range(CLASS)]
        before = machine_seconds()
        _grade(labs, functions)
        return (machine_seconds() - before) / CLASS

    return seconds


def large_class() -> float:
    """Grade a large class of incorrect submissions, and return the seconds on the
    clock.

    Some of the submissions hang, do not import, or are stubs.
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
    wrong_labs = load_wrong_labs()[: LABS - len(labs)]
    labs += [build(wrong_lab, model) for wrong_lab in wrong_labs]
    functions = list(digests(public_bank(), model.encode()))
    before = time.perf_counter()
    _grade([lab.encode() for lab in labs], functions)
    return time.perf_counter() - before


@functools.cache
def peaks(number: int) -> tuple[float, float]:
    """Measure two peaks of memory, in MiB, while a class is graded.

    The class has `number` students, who all handed in the stub.  The first peak is that
    of `make grade`.  The second is that of the largest process that grades for it.
    """
    stub = without_solutions(MODEL.read_text("utf-8"), MODEL)
    with TemporaryDirectory() as place:
        kit = Path(place, "kit")
        downloads = Path(place, "downloads")
        shutil.copytree(KIT, kit, ignore=_left_out)
        for student in range(number):
            lab = downloads / f"s{student}" / "lab.py"
            lab.parent.mkdir(parents=True)
            lab.write_text(f"{stub}\n# {student}\n", "utf-8")
        roster = downloads / "roster.csv"
        ids = [f"s{student}" for student in range(number)]
        roster.write_text("\n".join(["id", *ids]), "utf-8")
        collect = ("collect", f"FROM={downloads}", f"ROSTER={roster}")
        _measured(kit, f"{number} files, {number} new", *collect)
        return _measured(kit, f"{number} graded", "grade")


def _left_out(folder: str, names: list[str]) -> Sequence[str]:
    """Return the names in this folder of the kit that a copy leaves out."""
    if Path(folder) == KIT:
        return LEFT_OUT
    return ()


def _measured(kit: Path, says: str, *words: str) -> tuple[float, float]:
    """Run a command in a copy of the kit, and return its two peaks of memory in MiB.

    Raises WrongResult if the command fails or does not print the text `says`.
    """
    command = [*PEAK_OF_MEMORY, *words]
    done = subprocess.run(command, cwd=kit, capture_output=True, text=True)
    if done.returncode or says not in done.stdout:
        end = done.stderr.strip()[-60:]
        raise WrongResult(f"make {words[0]}: exit status {done.returncode}: {end}")
    own, largest = map(int, done.stdout.split()[-2:])
    return own / 1024, largest / 1024


def _grade(labs: list[bytes], functions: list[str]) -> None:
    """Grade these submissions in the pool of `make grade`."""
    tasks = [
        Task(str(number), lab, dict.fromkeys(functions, ""))
        for number, lab in enumerate(labs)
    ]
    for _ in run(tasks):
        pass
