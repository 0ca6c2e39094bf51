#!/usr/bin/env python3
"""The program that Classroom 50 starts in a student's checkout.  It writes result.json.

The exit status is 0 if there is a result, even a result of 0 points.  Any other status
means that the grader itself has failed.  Then there is no result.json, and the student
loses nothing.

Student code may be hostile, and so may the files beside it.  Every process starts in
the folder of the kit, and no process looks for modules in the checkout.  The grader
writes into a folder of its own.  This program copies the results from there after all
student code has ended.  If a file in the checkout has the name of a result, this
program deletes it, without reading it, before and after student code runs.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KIT = HERE / "kit"
REQUIREMENTS = HERE / "requirements.txt"
WRITTEN = ("report.html", "release-body.md", "result.json")
"""The files to write, in this order.  The last file says that there is a result."""

PIP = ["pip", "install", "-qq", "--disable-pip-version-check", "--only-binary=:all:"]


def main() -> int:
    """Grade the checkout that is the working directory; return 1 if there is no
    result.
    """
    checkout = Path.cwd()
    clear(checkout)
    if sys.version_info < (3, 11):  # noqa: UP036 - the course chooses the Python there
        return failed(
            "the kit needs Python 3.11 or newer; "
            "set `python` in the assignment's runtime"
        )
    with tempfile.TemporaryDirectory(
        prefix="grader-", ignore_cleanup_errors=True
    ) as scratch:
        packages = Path(scratch, "packages")
        results = Path(scratch, "results")
        variables = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("PYTHON")
        }
        variables |= {"PYTHONSAFEPATH": "1", "PYTHONNOUSERSITE": "1"}
        target = ["--target", str(packages), "-r", str(REQUIREMENTS)]
        if start([*PIP, *target], variables):
            return failed("pip could not install what requirements.txt lists")
        variables["PYTHONPATH"] = os.pathsep.join(map(str, (KIT, packages)))
        if start(["reports.classroom50", str(checkout), str(results)], variables):
            return failed("the grader gave no result; the lines above say why")
        clear(checkout)
        for name in WRITTEN:
            if (results / name).exists():
                with open(checkout / name, "xb") as stream:  # "x" follows no link
                    stream.write((results / name).read_bytes())
    return 0


def clear(checkout: Path) -> None:
    """Delete every file, link or folder in the checkout that has the name of a result.

    A student may have committed such a file.
    """
    for name in WRITTEN:
        path = checkout / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def start(module: list[str], variables: dict[str, str]) -> int:
    """Run a Python module in the kit's folder, and return its exit status.

    `module` has the name of the module, followed by its arguments.
    """
    return subprocess.call(
        [sys.executable, "-m", *module],
        cwd=KIT,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=2,
    )


def failed(why: str) -> int:
    """Say in the log of the run, for the staff, why there is no result; return 1.

    Also delete every file that has the name of a result, since a student may have made
    it.
    """
    print(f"not graded: {why}", file=sys.stderr)
    clear(Path.cwd())
    return 1


if __name__ == "__main__":
    sys.exit(main())
