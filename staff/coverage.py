"""`make coverage`: which branches of the kit its own tests take, and the least share.

The numbers cover all processes that the tests start.  A process that is killed, or that
is locked away from the disk, can report nothing: pyproject.toml leaves out the files
that run only there, above all the child of the grader.
"""

import subprocess
import sys
from collections.abc import Sequence

from grader.cli import enter
from grader.kit import KIT
from grader.parser import Parser

PYTHON = [sys.executable, "-m"]
LEAST = {"grader": 92, "staff": 92}
"""For each folder, the percent of its lines and branches that the tests must take."""

# Coverage takes SIGTERM for itself, and writes where these tests leave no room.
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
    """Run all tests and print what they leave out; the exit status.

    It is 0 if all tests pass and each folder has its least share.
    """
    Parser("coverage", "make coverage takes no words").read(words)
    status = 0
    for command in commands():
        done = subprocess.run([*PYTHON, *command], cwd=KIT)
        status = done.returncode or status
    return status


def commands() -> list[list[str]]:
    """The commands of Python that run one after the other."""
    reports = [_report(folder, least) for folder, least in LEAST.items()]
    return [ERASE, TESTS, COMBINE, *reports]


def _report(folder: str, least: int) -> list[str]:
    """The command that prints the files of a folder, and fails below the least share.

    The tests run copies of the kit, which lie in other folders.  A file that only a
    copy had is gone by now, and is left out.
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
