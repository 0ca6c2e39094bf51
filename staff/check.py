"""`make check`: the kit checks itself.

Format, lint, types, layers, sizes, expectations, whether anything that ships answers the lab, examples, tests.

With FAST=1, what one runs before each commit, in less than a minute: of the tests those that start few
processes or none, and the model solution in place of all the labs.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from boards.reading import BadFile
from grader.refusal import tell
from staff.strict.bank import check_everything

KIT = Path(__file__).parent.parent
PYTHON = [sys.executable, "-m"]
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as lint; lint()"

WITH_EXAMPLES = (
    "api",
    "boards",
    "grader",
    "staff/wrong_labs.py",
    "staff/course.py",
    "staff/release",
    "staff/reports",
    "staff/sizes.py",
)

FAST = "FAST"
QUICK = (
    "answer", "api", "check", "excerpts", "forgery", "games", "handout", "heuristics", "judge",
    "limits", "loader", "locks", "recorder", "sentences", "session", "words", "worked_examples",
)  # fmt: skip

STEPS = {
    "format": [*PYTHON, "ruff", "format", "--check", "--quiet", "."],
    "lint": [*PYTHON, "ruff", "check", "--quiet", "."],
    "types": [*PYTHON, "mypy", "--no-error-summary"],
    "layers": [sys.executable, "-c", LINT_IMPORTS, "--no-logo", "--no-cache"],
    "sizes": [*PYTHON, "staff.sizes"],
    "expectations": [*PYTHON, "staff.expectations", "--check"],
    "nothing that ships answers the lab": [*PYTHON, "staff.release.answers"],
    "examples": [*PYTHON, "pytest", "-q", "--doctest-modules", *WITH_EXAMPLES],
    "tests": [*PYTHON, "pytest", "-q", "-n", "2", "--dist", "loadfile", "staff/tests"],
}
FAST_STEPS = {
    **{name: command for name, command in STEPS.items() if name != "nothing that ships answers the lab"},
    "model": [*PYTHON, "grader", "test"],
    "tests": [*PYTHON, "pytest", "-q", *(f"staff/tests/test_{name}.py" for name in QUICK)],
}


def main(words: Sequence[str] = ()) -> int:
    """Run every step, also after one that fails; 0 where all went well.  Nothing is run on a case with a mistake."""
    if words:
        tell(f"make check takes no words, but got {words[0][:40]!r}; FAST=1 takes the short one")
        return 2
    try:
        check_everything()
    except BadFile as error:
        tell(error)
        return 2
    failed = []
    for name, command in (FAST_STEPS if os.environ.get(FAST, "") not in ("", "0") else STEPS).items():
        print(f"--- {name}", flush=True)
        if subprocess.run(command, cwd=KIT).returncode:
            failed.append(name)
    print(f"--- failed: {', '.join(failed)}" if failed else "--- all is well")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
