"""Checks a release: its stub must score nothing, and the model solution everything.

Both are graded in a scratch copy of the release.  The hidden cases do not ship, so the
master copy grades the model solution with them.
"""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

from boards.reading import BadFile
from grader.bank.cases import Bank
from grader.grading.session import Session
from grader.refusal import Refusal
from staff.release.folder import write_tree
from staff.release.tree import Tree
from staff.strict.bank import place_of

NOT_YET = ("not started", "waits")


def prove(tree: Tree, model: Path, bank: Bank) -> str:
    """Grade the stub and the model solution with a release; say what was checked.

    Raises Refusal if the release cannot grade, or if the stub or the model solution
    does not score what it should.
    """
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        copy = Path(folder)
        write_tree(tree, copy)
        public = [case for case in bank.cases if not case.hidden]
        free = {case.id for case in public if case.void and bank.worth(case)}
        _prove_stub(_results(copy), free)
        (copy / "lab.py").write_bytes(model.read_bytes())
        results = _results(copy)
    _expect("the model solution", results, ("pass",))
    points = "{score:g} of {out_of:g}".format(**results)
    if results["later"]:
        points += " public points"
    nothing = "no points but those of void cases" if free else "0"
    return (
        f"the stub scores {nothing}, and nothing in it has started; "
        f"the model solution scores {points}"
    )


def prove_hidden(bank: Bank, model: Path) -> int:
    """Check that the model solution passes all graded hidden cases; return how many
    there are.

    The cases run as public ones, because nothing has to be hidden from the model
    solution.  Raises BadFile for the first case that the model solution does not pass.
    """
    ids = {case.id for case in bank.cases if case.hidden and not case.advice}
    public_bank = unhidden(bank)
    cases = [case for case in public_bank.cases if case.id in ids]
    with Session(model, public_bank) as session:
        for case in cases:
            verdict = session.verdict(case)
            if not verdict.passed:
                message = (
                    f"the model solution gets `{verdict.status.value}` in {case.id}: "
                    f"{verdict.message}"
                )
                raise BadFile(*place_of(case.id), message)
    return len(cases)


def unhidden(bank: Bank) -> Bank:
    """Return a bank with the same cases, all of them public."""
    cases = [dataclasses.replace(case, hidden=False) for case in bank.cases]
    return Bank(bank.parts, tuple(cases))


def _results(copy: Path) -> dict[str, Any]:
    """Run `make test` in the folder `copy`, and return what results.json says.

    Raises Refusal if `make test` writes no results.json.
    """
    results = copy / "build" / "results.json"
    results.unlink(missing_ok=True)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("LAB", "PYTHONPATH")
    }
    command = [sys.executable, "-B", "-m", "grader", "test"]
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True
    )
    if not results.exists():
        raise Refusal(f"the release cannot grade: {end_of_output(done)}")
    return cast(dict[str, Any], json.loads(results.read_text("utf-8")))


def end_of_output(done: "subprocess.CompletedProcess[str]") -> str:
    """The end of the output of a command that has failed, in one line."""
    output = done.stderr or done.stdout
    return " ".join(output.split())[-300:]


def _prove_stub(results: dict[str, Any], free: Collection[str]) -> None:
    """Raise Refusal unless the stub can be imported and scores 0.

    `free` are the ids of the cases whose points everybody gets.  Also raise
    Refusal unless each graded case has the status `not started` or `waits`.
    """
    if results["import_failure"]:
        raise Refusal(f"the stub lab.py does not import: {results['import_failure']}")
    scored = [
        case for case in results["cases"] if case["score"] and case["id"] not in free
    ]
    if scored:
        points = sum(case["score"] for case in scored)
        functions = ", ".join(dict.fromkeys(case["function"] for case in scored))
        raise Refusal(
            f"the stub lab.py scores {points:g} points, in {functions}; "
            "put each solution between `# BEGIN SOLUTION` and `# END SOLUTION`"
        )
    _expect("the stub lab.py", results, NOT_YET)


def _expect(lab: str, results: dict[str, Any], statuses: tuple[str, ...]) -> None:
    """Raise Refusal unless each graded case has one of these statuses."""
    for case in results["cases"]:
        if case["status"] not in statuses and not case["advice"]:
            raise Refusal(
                f"{lab} gets `{case['status']}` in {case['id']}: {case['message']}"
            )
