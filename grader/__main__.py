"""python -m grader VERB: the one door to everything that make does."""

import importlib.util
import os
import runpy
import sys
from pathlib import Path

KIT = Path(__file__).parent.parent

VERBS = {
    "test": "grade lab.py    [--part N] [--k WORD] [--v]",
    "run": "solve a game with lab.py and print it    zero_by 10 1 2",
}
STAFF_VERBS = {
    "release": "cut the student release    [--out FOLDER]",
    "expectations": "fill in what the cases expect, from the model solution",
    "check": "test the kit itself: tests, lint, types",
    "bench": "measure the kit against its limits",
}


def main(words: list[str]) -> int:
    """Carry out a verb; the exit status."""
    verbs = VERBS | (STAFF_VERBS if (KIT / "staff").exists() else {})
    if not words or words[0] not in verbs:
        for verb, meaning in verbs.items():
            print(f"  {verb:14}{meaning}", file=sys.stderr)
        return 2
    needed = {"yaml": "requirements.txt"}
    if words[0] in STAFF_VERBS:
        needed["ruamel"] = "pyproject.toml"
    for module, wanted in needed.items():
        if importlib.util.find_spec(module) is None:
            print(f"{module} is missing here: python grader/environment.py .venv {wanted}", file=sys.stderr)
            return 2
    if os.environ.get("LAB") == "":
        print("LAB is empty; name a file, or leave LAB out to take the lab.py here", file=sys.stderr)
        return 2
    lab = Path(os.environ.get("LAB", KIT / "lab.py"))
    if words[0] == "run":
        from grader.run import main as run

        return run(words[1:], lab)
    if words[0] == "test":
        from grader.testing import main as test

        return test(words[1:], lab)
    sys.argv = words
    runpy.run_module(f"staff.{words[0]}", run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
