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
    variables = os.environ.items()
    kept = {name: value for name, value in variables if name.startswith(KEPT)}
    kept["VENV"] = sys.prefix
    return subprocess.run(
        command,
        shell=True,
        cwd=cwd,
        env=kept | environment,
        input=typed,
        capture_output=True,
        text=True,
    )


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
    assert done.returncode == 2, done
    assert printed == [], done
    assert done.stderr.count("\n") == 1, done
    return done.stderr


def files_of_the_kit() -> list[str]:
    """The names of all tracked and new files, without hidden cases."""
    listed = run("git ls-files --cached --others --exclude-standard")
    names = listed.stdout.splitlines()
    public = [name for name in names if not name.startswith("staff/hidden/")]
    return [name for name in public if (KIT / name).is_file()]


def clone_into(folder: Path) -> Path:
    """Copy all tracked and new files into a folder, with the sample course."""
    for name in files_of_the_kit():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(KIT / name, folder / name)
    shutil.copy(COURSE, folder / "staff" / "course.yaml")
    return folder
