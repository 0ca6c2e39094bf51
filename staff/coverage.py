"""`make coverage`: finds out how much of the kit its own tests run.

The numbers cover all processes that the tests start.  A process that is killed, or that
cannot write to the disk, reports nothing.  So pyproject.toml leaves out the files that
run only in such processes, above all the child of the grader.
"""

import subprocess
import sys
from collections.abc import Sequence

from grader.cli import enter
from grader.kit import KIT
from grader.parser import Parser

PYTHON = [sys.executable, "-m"]
LEAST = {"grader": 92, "staff": 92}
"""For each folder, how many percent of its lines and branches the tests must run."""

# `make coverage` leaves out two tests.  The first one sends SIGTERM, which coverage
# handles itself, so the test would fail.  The second one fills the disk, to which
# coverage has to write.
LEFT_OUT = [
    "staff/tests/test_make_test.py::test_a_signal_in_a_case",
    "staff/tests/gradebook/test_collect.py"
    "::test_a_full_disk_is_told_as_that_and_loses_nothing",
]
ERASE = ["coverage", "erase"]
PYTEST = ["-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "staff/tests"]
TESTS = ["coverage", "run", *PYTEST, *[f"--deselect={test}" for test in LEFT_OUT]]
COMBINE = ["coverage", "combine", "--quiet"]


def main(words: Sequence[str] = ()) -> int:
    """Run the tests, and print how much of each file they run; return the exit status.

    The tests in LEFT_OUT do not run.  A file that the tests run completely is not
    printed.  The status is 0 if all tests pass, and if they run enough of each folder
    in LEAST.
    """
    Parser("coverage", "make coverage takes no words").read(words)
    status = 0
    for command in commands():
        done = subprocess.run([*PYTHON, *command], cwd=KIT)
        status = done.returncode or status
    return status


def commands() -> list[list[str]]:
    """Return the commands to run, in their order.  Each command is a list of the words
    after `python -m`.
    """
    reports = [_report(folder, least) for folder, least in LEAST.items()]
    return [ERASE, TESTS, COMBINE, *reports]


def _report(folder: str, least: int) -> list[str]:
    """Return the command that reports on a folder.

    The command fails if the tests run less than `least` percent of the folder.  The
    tests also run copies of the kit in other folders.  Coverage may have seen a file
    that was only in such a copy.  Such a file is gone by now, so the report leaves it
    out.
    """
    files = f"--include={folder}/*,*/{folder}/*"
    least_share = f"--fail-under={least}"
    return [
        "coverage",
        "report",
        "--ignore-errors",
        files,
        "--skip-covered",
        least_share,
    ]


if __name__ == "__main__":
    sys.exit(enter(["coverage", *sys.argv[1:]]))
