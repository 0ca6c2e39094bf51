"""Finds code of a release that solves the assignment.

    PYTHONPATH=FOLDER python -P staff/release/stand_ins.py FOLDER

FOLDER holds the release.  Each function, class and method of the release takes the
place of each graded function.  In the sandbox, this stand-in gets the calls of that
function's cases.  A stand-in may earn points in one case by accident.  For example, a
case that accepts any number below 1000 may accept a count of pieces.  So a stand-in
solves a function only if it earns points in two cases, or in the only case that can be
tried.  For each function that a stand-in solves, this program prints a line.
"""

import ast
import json
import sys
import tempfile
from pathlib import Path

from grader.bank.cases import Bank, Case
from grader.bank.reading import load_bank
from grader.grading.judge import judge
from grader.kinds.kind import kind_of
from grader.protocol.answer import Ending, Request
from grader.sandbox.sandbox import Sandbox

LAB = Path(__file__).with_name("lab_of_stand_ins.py")
SECONDS = 0.3  # of CPU, for each case
SHORT = 2.0  # cases that may take more seconds of CPU are left out
LONGEST = 5_000  # cases whose calls have more characters are left out
ENOUGH = 2  # the number of cases in which a stand-in must be right
FOR_EVERYBODY = ("api", "boards")  # every lab.py may import these packages


def main(release: Path) -> None:
    """Print a line for each stand-in and each graded function that it solves.

    `release` is the folder of the release.
    """
    sources = sources_of(release)
    stand_ins = [
        (module, name) for module, text in sources.items() for name in names_in(text)
    ]
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(lab_with(sources, stand_ins), "utf-8")
        sandbox = Sandbox(lab)
        loaded = sandbox.load()
        if not loaded.imported:
            sys.exit(f"what ships could not be imported: {loaded}")
        bank = load_bank()
        telling = {
            function.name: telling_cases(bank, function.name)
            for function in bank.functions
        }
        for module, name in stand_ins:
            for function in answered_by(f"{module}.{name}", sandbox, telling):
                print(f"{module}.{name} answers {function}")
        sandbox.close()


def sources_of(release: Path) -> dict[str, str]:
    """The text of each module of a release, except for modules called __main__.

    The key is the name of the module.
    """
    sources = {}
    for file in sorted(release.rglob("*.py")):
        name = _module(file, release)
        if not name.endswith("__main__"):
            sources[name] = file.read_text("utf-8")
    return sources


def _module(file: Path, release: Path) -> str:
    """The name of the module in a file.

    The stub, lab.py, gets the name `stub`, because the sandbox has a lab.py too.
    """
    parts = file.relative_to(release).with_suffix("").parts
    name = ".".join(parts).removesuffix(".__init__")
    if name == "lab":
        return "stub"
    return name


def lab_with(sources: dict[str, str], stand_ins: list[tuple[str, str]]) -> str:
    """Fill in the two tables of lab_of_stand_ins.py, and return the text."""
    not_importable = {
        name: text
        for name, text in sources.items()
        if name.partition(".")[0] not in FOR_EVERYBODY
    }
    tables: dict[str, object] = {"SOURCES": not_importable, "STAND_INS": stand_ins}
    lines = []
    for line in LAB.read_text("utf-8").splitlines():
        name = line.partition(":")[0]
        if name in tables:
            line = f"{name} = {tables[name]!r}"
        lines.append(line)
    return "\n".join(lines)


def names_in(text: str) -> list[str]:
    """The names of the functions, classes and methods that a text defines."""
    names = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        if isinstance(node, ast.ClassDef):
            names += [
                f"{node.name}.{method.name}"
                for method in node.body
                if isinstance(method, ast.FunctionDef)
            ]
    return names


def telling_cases(bank: Bank, function: str) -> list[Case]:
    """Choose at most two short cases of a function, those with the most calls.

    No case is chosen if the function is not code, or needs another graded function.
    """
    cases = [case for case in bank.of(function) if _can_tell(case)]
    return sorted(cases, key=lambda case: -len(case.calls))[:ENOUGH]


def _can_tell(case: Case) -> bool:
    """Whether a case is graded, short, and tests code that needs no other graded
    function.
    """
    if case.advice or case.graded.needs or not kind_of(case.graded).is_code:
        return False
    calls = json.dumps([call.inputs for call in case.calls])
    return case.seconds <= SHORT and len(calls) < LONGEST


def answered_by(
    stand_in: str, sandbox: Sandbox, telling: dict[str, list[Case]]
) -> list[str]:
    """The graded functions for which the stand-in earns points in every case that is
    tried.

    If a case ends the process of the stand-in, the stand-in earns nothing in that case.
    """
    answered = [function for function, cases in telling.items() if cases]
    for turn in range(ENOUGH):
        asked = [
            telling[function][turn]
            for function in answered
            if turn < len(telling[function])
        ]
        lost = {case.function for case in asked} - earning(stand_in, sandbox, asked)
        answered = [function for function in answered if function not in lost]
    return answered


def earning(stand_in: str, sandbox: Sandbox, cases: list[Case]) -> set[str]:
    """Return the functions that belong to those cases in which the stand-in earns
    points.

    If the stand-in stalls in a case, the cases after it are not tried.
    """
    earned = set[str]()
    number = 0
    while number < len(cases):
        requests = [_request(stand_in, case) for case in cases[number:]]
        for answer in sandbox.run(requests):
            if judge(cases[number], answer).credit > 0:
                earned.add(cases[number].function)
            number += 1
        if answer.ending is Ending.STALLED:
            break
    return earned


def _request(stand_in: str, case: Case) -> Request:
    """Return a request that lets a stand-in answer all calls of a case."""
    inputs = tuple(call.inputs for call in case.calls)
    return Request(case.graded.kind, stand_in, inputs, SECONDS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
