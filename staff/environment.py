"""Installs what a command of the staff needs besides, into the environment that runs this.

    .venv/bin/python -m staff.environment staff      or another extra of pyproject.toml

All it says goes to standard error; the exit status is 2 if pip could not install it.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from grader.kit import KIT

EXTRAS = {
    "staff": "staff commands",
    "rivals": "make bench RIVALS=1",
    "gradebook": "the gradebook",
    "cluster": "make grade SCHEDULER=",
    "coverage": "make coverage",
    "figures": "make figures",
}
PROJECT = KIT / "pyproject.toml"


def main(extra: str) -> int:
    """Install the packages of an extra; the exit status.  A copy of the list says later that they are there."""
    folder = os.path.relpath(sys.prefix)
    print(
        f"installing the packages for {EXTRAS[extra]} into {folder} (once; this takes a minute)",
        file=sys.stderr,
    )
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    packages = project["dependencies"] + project["optional-dependencies"][extra]
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    if subprocess.call([*pip, *packages], stdout=2):
        print(
            "pip could not install what pyproject.toml lists; is there a network? Try again",
            file=sys.stderr,
        )
        return 2
    shutil.copy(PROJECT, Path(sys.prefix, f"{extra}.toml"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
