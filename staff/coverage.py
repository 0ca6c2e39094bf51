"""`make coverage`: which branches of the kit its own tests take, in all processes that
they start; least shares.

Processes that are killed, or locked away from the disk, can report nothing.  What runs
in them alone is left out, by name, in pyproject.toml.
"""

import subprocess
import sys
from collections.abc import Sequence

from grader.cli import enter
from grader.kit import KIT
from grader.parser import refuse_words

PYTHON = [sys.executable, "-m"]
LEAST = {"staff": 92}
"""Percent of the branches and lines of a room that the tests must take."""


def main(words: Sequence[str] = ()) -> int:
    """Run all tests, and say what they leave out; 0 if it is little enough, and all
    tests pass.
    """
    refuse_words("coverage", words)
    status = 0
    for command in commands():
        status = subprocess.run([*PYTHON, *command], cwd=KIT).returncode or status
    return status


def commands() -> list[list[str]]:
    """What is run, one after the other."""
    tests = [
        "coverage",
        "run",
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "loadfile",
        "staff/tests",
    ]
    reports = [
        [
            "coverage",
            "report",
            f"--include={room}/*,*/{room}/*",
            "--skip-covered",
            f"--fail-under={least}",
        ]
        for room, least in LEAST.items()
    ]
    return [["coverage", "erase"], tests, ["coverage", "combine", "--quiet"], *reports]


if __name__ == "__main__":
    sys.exit(enter(["coverage", *sys.argv[1:]]))
