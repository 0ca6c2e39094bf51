#!/usr/bin/env python3
"""What Classroom 50 starts in a student's checkout: grades lab.py, and leaves
result.json there for the service.

The exit status is 0 whenever there is a result, also one of 0 points.  Otherwise the
grader itself has failed, which costs the student nothing, and then there is no
result.json.

Student code is hostile, and so are the files beside it.  Every process starts in the
kit's folder, and none looks for modules in the checkout.  The grader writes into a
folder of its own, from which the results are copied once all student code has ended;
what has their names in the checkout is deleted before and after, unread.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KIT, REQUIREMENTS = HERE / "kit", HERE / "requirements.txt"
WRITTEN = (
    "report.html",
    "release-body.md",
    "result.json",
)  # the last one says that there is a result


def main() -> int:
    """Grade the checkout that is the working directory; 1 if there is no result."""
    checkout = Path.cwd()
    clear(checkout)
    if sys.version_info < (3, 11):  # noqa: UP036 - the course chooses the Python there
        return failed(
            "the kit needs Python 3.11 or newer; set `python` in the assignment's runtime"
        )
    with tempfile.TemporaryDirectory(
        prefix="grader-", ignore_cleanup_errors=True
    ) as scratch:
        packages, results = Path(scratch, "packages"), Path(scratch, "results")
        variables = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("PYTHON")
        }
        variables |= {"PYTHONSAFEPATH": "1", "PYTHONNOUSERSITE": "1"}
        pip = [
            "pip",
            "install",
            "-qq",
            "--disable-pip-version-check",
            "--only-binary=:all:",
        ]
        if start([*pip, "--target", str(packages), "-r", str(REQUIREMENTS)], variables):
            return failed("pip could not install what requirements.txt lists")
        variables["PYTHONPATH"] = os.pathsep.join(map(str, (KIT, packages)))
        if start(["reports.classroom50", str(checkout), str(results)], variables):
            return failed("the grader gave no result; the lines above say why")
        clear(checkout)
        for file in (results / name for name in WRITTEN):
            if file.exists():
                with open(
                    checkout / file.name, "xb"
                ) as stream:  # which follows no link
                    stream.write(file.read_bytes())
    return 0


def clear(checkout: Path) -> None:
    """Delete what has the name of a result: a student may have committed a file, a link
    or a folder there.
    """
    for path in (checkout / name for name in WRITTEN):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def start(module: list[str], variables: dict[str, str]) -> int:
    """Run a module with its words, in the kit's folder; its exit status."""
    return subprocess.call(
        [sys.executable, "-m", *module],
        cwd=KIT,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=2,
    )


def failed(why: str) -> int:
    """Say to the staff, in the log of the run, why there is no result."""
    print(f"not graded: {why}", file=sys.stderr)
    clear(Path.cwd())
    return 1


if __name__ == "__main__":
    sys.exit(main())
