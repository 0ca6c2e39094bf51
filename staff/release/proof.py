"""The proof of a release, in a scratch copy of it: the stub scores nothing, and the
model everything.
"""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from boards.reading import BadFile
from grader.bank.cases import Bank
from grader.grading.session import Session
from staff.release.folder import write_tree
from staff.release.tree import Tree
from staff.strict.bank import place_of

NOT_YET = ("not started", "waits")


class Unproved(ValueError):
    """A release that does not do what it promises.  Its text is one line."""


def prove(tree: Tree, model: Path) -> str:
    """What was proved, in a sentence.  Raises Unproved."""
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        copy = Path(folder)
        write_tree(tree, copy)
        _prove_stub(_results(copy))
        (copy / "lab.py").write_bytes(model.read_bytes())
        results = _results(copy)
    _expect("the model solution", results, ("pass",))
    points = "{score:g} of {out_of:g}".format(**results)
    return f"the stub scores 0, and nothing in it has started; the model solution scores {points}"


def prove_hidden(bank: Bank, model: Path) -> int:
    """How many hidden cases there are, all of which the model solution passes.  Raises
    Unproved.

    They run as if they were not hidden, since nobody need keep anything from the model.
    """
    names = {case.id for case in bank.cases if case.hidden and not case.advice}
    shown = unhidden(bank)
    with Session(model, shown) as session:
        for case in (case for case in shown.cases if case.id in names):
            verdict = session.verdict(case)
            if not verdict.passed:
                said = f"the model solution gets `{verdict.status.value}` in {case.id}: {verdict.message}"
                raise Unproved(str(BadFile(*place_of(case.id), said)))
    return len(names)


def unhidden(bank: Bank) -> Bank:
    """The same cases, none of them hidden."""
    return Bank(
        bank.parts,
        tuple(dataclasses.replace(case, hidden=False) for case in bank.cases),
    )


def _results(copy: Path) -> dict[str, Any]:
    """The results.json of the release's own `make test`."""
    results = copy / "build" / "results.json"
    results.unlink(missing_ok=True)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("LAB", "PYTHONPATH")
    }
    done = subprocess.run(
        [sys.executable, "-B", "-m", "grader", "test"], cwd=copy, env=environment, capture_output=True, text=True
    )  # fmt: skip
    if not results.exists():
        raise Unproved(
            f"the release cannot grade: {' '.join((done.stderr or done.stdout).split())[-300:]}"
        )
    return cast(dict[str, Any], json.loads(results.read_text("utf-8")))


def _prove_stub(results: dict[str, Any]) -> None:
    if results["import_failure"]:
        raise Unproved(f"the stub lab.py does not import: {results['import_failure']}")
    if results["score"]:
        functions = ", ".join(
            dict.fromkeys(
                case["function"] for case in results["cases"] if case["score"]
            )
        )
        advice = "put each solution between `# BEGIN SOLUTION` and `# END SOLUTION`"
        raise Unproved(
            f"the stub lab.py scores {results['score']:g} points, in {functions}; {advice}"
        )
    _expect("the stub lab.py", results, NOT_YET)


def _expect(lab: str, results: dict[str, Any], statuses: tuple[str, ...]) -> None:
    for case in results["cases"]:
        if case["status"] not in statuses and not case["advice"]:
            raise Unproved(
                f"{lab} gets `{case['status']}` in {case['id']}: {case['message']}"
            )
