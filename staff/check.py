"""`make check`: the kit checks itself.  Format, lint, types, expectations, examples, tests."""

import subprocess
import sys
from pathlib import Path

KIT = Path(__file__).parent.parent
PYTHON = [sys.executable, "-m"]

WITH_EXAMPLES = ("api", "boards", "grader", "staff/chaffs.py", "staff/course.py", "staff/release", "staff/reports")

STEPS = {
    "format": [*PYTHON, "ruff", "format", "--check", "--quiet", "."],
    "lint": [*PYTHON, "ruff", "check", "--quiet", "."],
    "types": [*PYTHON, "mypy", "--no-error-summary"],
    "expectations": [*PYTHON, "staff.expectations", "--check"],
    "examples": [*PYTHON, "pytest", "-q", "--doctest-modules", *WITH_EXAMPLES],
    "tests": [*PYTHON, "pytest", "-q", "-n", "2", "--dist", "worksteal", "staff/tests"],
}


def main() -> int:
    """Run every step, also after one that fails; 0 where all went well."""
    failed = []
    for name, command in STEPS.items():
        print(f"--- {name}", flush=True)
        if subprocess.run(command, cwd=KIT).returncode:
            failed.append(name)
    print(f"--- failed: {', '.join(failed)}" if failed else "--- all is well")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
