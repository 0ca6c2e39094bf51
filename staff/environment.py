"""Installs the packages of an extra into the environment that runs this program.

    .venv/bin/python -m staff.environment staff      or another extra of pyproject.toml

constraints.txt pins the tools of `make check`.  All output goes to standard error.  The
exit status is 2 if pip could not install a package.
"""

import os
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
    "values": "make league VALUES=yes",
    "coverage": "make coverage",
    "figures": "make figures",
}
"""The commands that need an extra.  The key is the name of the extra in
pyproject.toml.
"""

PROJECT = KIT / "pyproject.toml"
CONSTRAINTS = Path(__file__).with_name("constraints.txt")
PIP = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]


def main(extra: str) -> int:
    """Install the packages of an extra; return 0, or 2 if pip fails.

    If pip succeeds, write the texts of pyproject.toml and constraints.txt into a file
    of the environment.  staff/Makefile compares that file with the two texts, and has
    the packages installed again if a text has changed.
    """
    folder = os.path.relpath(sys.prefix)
    print(
        f"installing the packages for {EXTRAS[extra]} into {folder} "
        "(once; this takes a minute)",
        file=sys.stderr,
    )
    text = PROJECT.read_text("utf-8")
    project = tomllib.loads(text)["project"]
    packages = project["dependencies"] + project["optional-dependencies"][extra]
    pip = [*PIP, "--constraint", str(CONSTRAINTS), *packages]
    if subprocess.call(pip, stdout=2):
        print(
            "pip could not install what pyproject.toml lists; is there an internet "
            "connection? Try again",
            file=sys.stderr,
        )
        return 2
    lists = text + CONSTRAINTS.read_text("utf-8")
    Path(sys.prefix, f"{extra}.txt").write_text(lists, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
