#!/usr/bin/env python3
"""Classroom 50 runs this in the student's checkout.

It grades the checkout's lab.py with the kit of this bundle, and writes result.json and
release-body.md there.  Another exit status than 0 means that the grader failed, not the student.
"""

import sys

del sys.path[0]  # that is the folder of this file, which could be a copy in the student's checkout

import importlib.util  # noqa: E402
import os  # noqa: E402
import signal  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402

MOST_SECONDS = 12 * 60  # the job has 15 minutes


def main() -> int:
    here = os.path.dirname(os.path.abspath(__file__))
    bundle = os.environ.get("CLASSROOM50_BUNDLE_DIR") or here
    kit = os.path.join(bundle, "kit")
    if not os.path.isdir(kit):
        sys.stderr.write(f"there is no kit in {bundle}, where CLASSROOM50_BUNDLE_DIR or this file stands\n")
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        python = sys.executable
        if sys.version_info < (3, 11) or importlib.util.find_spec("yaml") is None:
            environment = os.path.join(scratch, "environment")
            program = os.path.join(kit, "grader", "environment.py")
            if subprocess.call([sys.executable, program, environment, os.path.join(kit, "requirements.txt")]):
                return 1
            python = os.path.join(environment, "bin", "python")
        return grade(python, kit)


def grade(python: str, kit: str) -> int:
    """The exit status of the grader, 1 where it takes too long."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [python, "-m", "reports.classroom50", os.getcwd()]
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # which ends the grader too
    try:
        return subprocess.call(command, cwd=kit, env=variables, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"the grader was stopped after {MOST_SECONDS // 60} minutes\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
