"""What answers the lab in a release?  Run with that release on the import path:

    PYTHONPATH=FOLDER python -P staff/release/stand_ins.py FOLDER

Each function, class and method of the release stands in for each graded function, in the sandbox, and is asked what a
case asks.  What is right in one case may be so by accident (a count of pieces is a number below 1000); what is right in
two is an answer, and a line is printed for it.
"""

import ast
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from boards.cases import Bank, Case, load_bank
from grader.grading.judge import judge
from grader.kinds.kind import kind_of
from grader.protocol.answer import Ending, Request
from grader.sandbox.sandbox import Sandbox

SECONDS, SHORT, LONGEST, MOST_CASES, ENOUGH = 0.3, 2.0, 5_000, 4, 2

# The lab.py that is run: all that ships, each function under its full name.  It may not read these files, so that
# they stand in it.
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
    sources = {_module(file, release): file.read_text("utf-8") for file in sorted(release.rglob("*.py"))}
    sources = {name: text for name, text in sources.items() if not name.endswith("__main__")}
    stand_ins = [(module, name) for module, text in sources.items() for name in names_in(text)]
    ours = {name: text for name, text in sources.items() if name.partition(".")[0] not in ("api", "boards")}
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(LAB.format(sources=ours, stand_ins=stand_ins), "utf-8")
        sandbox = Sandbox(lab)
        loaded = sandbox.load()
        if not loaded.imported:
            sys.exit(f"what ships could not be imported: {loaded}")
        bank = load_bank()
        for module, name in stand_ins:
            for function in answered_by(f"{module}.{name}", sandbox, bank):
                print(f"{module}.{name} answers {function}")
        sandbox.close()


def _module(file: Path, release: Path) -> str:
    name = ".".join(file.relative_to(release).with_suffix("").parts).removesuffix(".__init__")
    return "stub" if name == "lab" else name


def names_in(text: str) -> Iterator[str]:
    """The functions, classes and methods that a text defines."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        for method in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef):
                yield f"{node.name}.{method.name}"


def answered_by(stand_in: str, sandbox: Sandbox, bank: Bank) -> list[str]:
    """The graded functions that it answers."""
    cases = {function.name: telling_cases(bank, function.name) for function in bank.functions}
    firsts = [of[0] for of in cases.values() if of]
    earned = earning(stand_in, sandbox, firsts)
    promising = [case.function for case in firsts if case.id in earned]
    return [name for name in promising if len(earning(stand_in, sandbox, cases[name])) >= min(ENOUGH, len(cases[name]))]


def telling_cases(bank: Bank, function: str) -> list[Case]:
    """A few short cases of a function which need no other one, those with many calls first."""
    cases = [case for case in bank.of(function) if not case.advice and not case.graded.needs and case.seconds <= SHORT]
    short = [
        case
        for case in cases
        if kind_of(case.graded).is_code and len(json.dumps([call.inputs for call in case.calls])) < LONGEST
    ]
    return sorted(short, key=lambda case: -len(case.calls))[:MOST_CASES]


def earning(stand_in: str, sandbox: Sandbox, cases: Sequence[Case]) -> set[str]:
    """The cases in which it earns anything; one that it does not survive is left out, and the rest asked anew."""
    requests = [
        Request(case.id, case.graded.kind, stand_in, tuple(call.inputs for call in case.calls), SECONDS)
        for case in cases
    ]
    found = set()
    for case, answer in zip_longest(cases, sandbox.run(requests)):
        if answer is None:
            break
        if judge(case, answer).credit > 0:
            found.add(case.id)
        if answer.ending is not Ending.ANSWERED:
            rest = cases[cases.index(case) + 1 :]
            return found | (earning(stand_in, sandbox, rest) if rest and answer.ending is not Ending.STALLED else set())
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
