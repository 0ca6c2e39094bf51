"""What answers the lab in a release?  Run with that release on the import path:

    PYTHONPATH=FOLDER python -P staff/release/stand_ins.py FOLDER

Each function, class and method of the release stands in for each graded function, in
the sandbox, and is asked what a case asks.  What is right in one case may be so by
accident (a count of pieces is a number below 1000); what is right in two is an answer,
and a line is printed for it.
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

SECONDS, SHORT, LONGEST, ENOUGH = 0.3, 2.0, 5_000, 2

# The lab.py that is run: all that ships, each function under its full name.  It may not
# read these files, so that they stand in it.
LAB = """
import importlib, importlib.abc, importlib.util, sys

SOURCES, STAND_INS = {sources!r}, {stand_ins!r}

class Kit(importlib.abc.InspectLoader):
    def find_spec(self, name, path=None, target=None):
        if name in SOURCES and name not in sys.modules:
            spec = importlib.util.spec_from_loader(name, self, origin="/kit/" + name)
            spec.has_location = True
            return spec
    def get_source(self, name): return SOURCES[name]
    def is_package(self, name): return any(other.startswith(name + ".") for other in SOURCES)

sys.meta_path.insert(0, Kit())
for module, name in STAND_INS:
    try:
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        globals()[module + "." + name] = found
    except Exception:  # it reads a file that is not here
        pass
"""


def main(release: Path) -> None:
    """Print what answers the lab in the release in this folder."""
    sources = {
        _module(file, release): file.read_text("utf-8")
        for file in sorted(release.rglob("*.py"))
    }
    sources = {
        name: text for name, text in sources.items() if not name.endswith("__main__")
    }
    stand_ins = [
        (module, name) for module, text in sources.items() for name in names_in(text)
    ]
    ours = {
        name: text
        for name, text in sources.items()
        if name.partition(".")[0] not in ("api", "boards")
    }
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(LAB.format(sources=ours, stand_ins=stand_ins), "utf-8")
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


def _module(file: Path, release: Path) -> str:
    name = ".".join(file.relative_to(release).with_suffix("").parts).removesuffix(
        ".__init__"
    )
    return "stub" if name == "lab" else name


def names_in(text: str) -> list[str]:
    """The functions, classes and methods that a text defines."""
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
    """Two short cases of a function which need no other one, those with many calls
    first.
    """
    cases = []
    for case in bank.of(function):
        is_short = (
            case.seconds <= SHORT
            and len(json.dumps([call.inputs for call in case.calls])) < LONGEST
        )
        if (
            is_short
            and kind_of(case.graded).is_code
            and not case.advice
            and not case.graded.needs
        ):
            cases.append(case)
    return sorted(cases, key=lambda case: -len(case.calls))[:ENOUGH]


def answered_by(
    stand_in: str, sandbox: Sandbox, telling: dict[str, list[Case]]
) -> list[str]:
    """The graded functions all of whose cases it earns something in.  One that it does
    not survive is passed over.
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
    """The functions of the cases in which it earns something."""
    earned, number = set[str](), 0
    while number < len(cases):
        for answer in sandbox.run(
            [_request(stand_in, case) for case in cases[number:]]
        ):
            if judge(cases[number], answer).credit > 0:
                earned.add(cases[number].function)
            number += 1
        if answer.ending is Ending.STALLED:
            break
    return earned


def _request(stand_in: str, case: Case) -> Request:
    return Request(
        case.id,
        case.graded.kind,
        stand_in,
        tuple(call.inputs for call in case.calls),
        SECONDS,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
