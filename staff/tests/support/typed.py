"""What a person types at a shell, in the kit or in a clone of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from staff.tests.conftest import KIT
from staff.tests.support.masters import COURSE

KEPT = ("PATH", "HOME", "GIT_CONFIG_", "COVERAGE_")
"""The beginnings of the variables that a command gets from these tests."""

Done = subprocess.CompletedProcess[str]
PROGRESS = "... "  # the beginning of a line about the progress of a long command


def run(command: str, cwd: Path = KIT, typed: str = "", **environment: str) -> Done:
    """Run a command as a person does, who then types some text.

    The command uses the environment that these tests run in.
    """
    keep = {key: value for key, value in os.environ.items() if key.startswith(KEPT)}
    return subprocess.run(
        command, shell=True, cwd=cwd, capture_output=True, text=True, input=typed,
        env={**keep, "VENV": sys.prefix, **environment},
    )  # fmt: skip


def grader(*words: object, cwd: Path = KIT, env: dict[str, str] | None = None) -> Done:
    """Run `python grader` with these words, in the kit or in a copy of it."""
    command = [sys.executable, "grader", *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)


def refusal(done: Done) -> str:
    """The one line with which a command refuses.

    The command prints nothing else but its progress, and its exit status is 2.
    """
    lines = done.stdout.splitlines()
    printed = [line for line in lines if not line.startswith(PROGRESS)]
    assert (done.returncode, printed, done.stderr.count("\n")) == (2, [], 1), done
    return done.stderr


def clone_into(folder: Path) -> Path:
    """Copy all tracked and new files into a folder, with the sample course."""
    listed = run(
        "git ls-files --cached --others --exclude-standard"
    ).stdout.splitlines()
    for name in listed:
        if (KIT / name).is_file() and not name.startswith("staff/hidden/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(KIT / name, folder / name)
    shutil.copy(COURSE, folder / "staff" / "course.yaml")
    return folder
