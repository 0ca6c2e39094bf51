"""The proof of a release, in a scratch copy of it: the stub scores nothing, and the model everything."""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from boards.cases import Bank
from boards.reading import BadFile
from grader.grading.session import Session
from grader.judging.verdict import Status
from staff.strict.bank import place_of

NOT_YET = {Status.NOT_STARTED.value, Status.WAITS.value}


class Unproved(ValueError):
    """A release that does not do what it promises.  Its text is one line."""


def prove(tree: dict[str, bytes], model: Path) -> str:
    """What was proved, in a sentence.  Raises Unproved."""
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        copy = Path(folder)
        write_tree(tree, copy)
        _prove_stub(_results(copy))
        (copy / "lab.py").write_bytes(model.read_bytes())
        out_of = _prove_model(_results(copy))
    return f"the stub scores 0 and every part says `not started`; the model solution scores {out_of:g} of {out_of:g}"


def prove_hidden(bank: Bank, model: Path) -> int:
    """How many hidden cases there are, all of which the model solution passes.  Raises Unproved.

    They run as if they were not hidden, since nobody need keep anything from the model: so a
    release can also be cut on a machine that could not keep them from a student's lab.py.
    """
    open_bank = Bank(bank.parts, tuple(dataclasses.replace(case, hidden=False) for case in bank.cases))
    names = {case.id for case in bank.cases if case.hidden and not case.advice}
    hidden = [case for case in open_bank.cases if case.id in names]
    with Session(model, open_bank) as session:
        for case in hidden:
            verdict = session.verdict(case)
            if not verdict.passed:
                said = f"the model solution gets `{verdict.status.value}` in {case.id}: {verdict.message}"
                raise Unproved(str(BadFile(*place_of(case.id), said)))
    return len(hidden)


def write_tree(tree: dict[str, bytes], folder: Path) -> None:
    """Write the files of a tree below a folder."""
    for name, data in tree.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def _results(copy: Path) -> dict[str, Any]:
    """The results.json of the release's own `make test`."""
    results = copy / "build" / "results.json"
    results.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("LAB", "PYTHONPATH")}
    done = subprocess.run(
        [sys.executable, "-B", "-m", "grader", "test"], cwd=copy, env=environment, capture_output=True, text=True
    )  # fmt: skip
    if not results.exists():
        raise Unproved(f"the release cannot grade: {' '.join((done.stderr or done.stdout).split())[-300:]}")
    data: dict[str, Any] = json.loads(results.read_text("utf-8"))
    return data


def _prove_stub(results: dict[str, Any]) -> None:
    if results["import_failure"]:
        raise Unproved(f"the stub lab.py does not import: {results['import_failure']}")
    if results["score"]:
        functions = ", ".join(dict.fromkeys(case["function"] for case in results["cases"] if case["score"]))
        advice = "put each solution between `# BEGIN SOLUTION` and `# END SOLUTION`"
        raise Unproved(f"the stub lab.py scores {results['score']:g} points, in {functions}; {advice}")
    for case in results["cases"]:
        if case["status"] not in NOT_YET and not case["advice"]:
            raise Unproved(f"the stub lab.py gets `{case['status']}` in {case['id']}: {case['message']}")
    started = {case["part"] for case in results["cases"]} - {
        case["part"] for case in results["cases"] if case["status"] == Status.NOT_STARTED.value
    }
    if started:
        raise Unproved(f"part {min(started)} does not say `not started` for the stub lab.py")


def _prove_model(results: dict[str, Any]) -> float:
    for case in results["cases"]:
        if case["status"] != Status.PASS.value and not case["advice"]:
            raise Unproved(f"the model solution gets `{case['status']}` in {case['id']}: {case['message']}")
    out_of: float = results["out_of"]
    return out_of
