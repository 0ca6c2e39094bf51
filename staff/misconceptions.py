"""Misconceptions: what known mistakes answer to every public case of their functions, for boards/misconceptions/.

    misconception   a name, a hint and a question for students, and the wrong_labs that have this mistake

staff/misconceptions.yaml has those with words of their own; a wrong_lab that stands in none of them is named by
its own sentence.  `make expectations` stores what the wrong_labs answer, as digests; it runs those again
whose code or cases have changed since (`key`), and those whose file is gone.
"""

import ast
import functools
import hashlib
import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boards.cases import Bank, Case, make_bank, read_points
from boards.reading import BadFile
from grader.diagnosing.diagnosis import MISCONCEPTIONS, Misconception
from grader.grading.session import Session
from grader.judging.verdict import SLOW
from grader.protocol.digests import fingerprint
from grader.protocol.words import plural
from staff.meanwhile import meanwhile
from staff.model import MODEL
from staff.strict.bank import case_files
from staff.strict.reading import Block, read_yaml
from staff.wrong_labs import WRONG_LABS, WrongLab, build, load_wrong_labs

TEXTS = Path(__file__).with_name("misconceptions.yaml")
MOST_WORDS = 80

Answers = dict[str, str]
"""The digest of what a wrong_lab answers to each case that it fails, by the ids of the cases."""


@dataclass(frozen=True)
class Stored:
    """What is stored of a wrong_lab: the key of its code and cases, its answers, and a digest of what is located in it."""

    key: str
    answers: Answers
    place: str = ""


def load_misconceptions(wrong_labs: tuple[WrongLab, ...], file: Path = TEXTS) -> dict[str, Misconception]:
    """The misconception of each wrong_lab, by its id.  Raises BadFile."""
    root, known = read_yaml(file), {wrong_lab.id for wrong_lab in wrong_labs}
    root.allow({"misconceptions"})
    found: dict[str, Misconception] = {}
    names: dict[str, int] = {}
    for block in root.blocks("misconceptions"):
        words = _read(block)
        if words.name in names:
            block.fail(f"this name stands in line {names[words.name]} already", "name")
        names[words.name] = block.line
        for wrong_lab in block.texts("wrong_labs"):
            if wrong_lab not in known or wrong_lab in found:
                block.fail(
                    f"`{wrong_lab}` is {'in two lists' if wrong_lab in found else 'no wrong_lab of wrong_labs.yaml'}",
                    "wrong_labs",
                )
            found[wrong_lab] = words
    return {wrong_lab.id: found.get(wrong_lab.id) or Misconception(name_of(wrong_lab)) for wrong_lab in wrong_labs}


def name_of(wrong_lab: WrongLab) -> str:
    """A wrong_lab's own sentence as a name.

    >>> name_of(WrongLab("one", "dfs", "It adds 2.", 1))
    'adds 2'
    """
    return wrong_lab.mistake.removeprefix("It ").removesuffix(".")


def _read(block: Block) -> Misconception:
    block.allow({"name", "hint", "question", "wrong_labs"})
    words = Misconception(*(block.take(key, str).strip() for key in ("name", "hint", "question")))
    if (many := len(words.hint.split())) > MOST_WORDS:
        block.fail(f"the hint has {many} words; {MOST_WORDS} are the most that somebody reads", "hint")
    return words


def check_texts() -> None:
    """Raise BadFile for a mistake in the two files, and ValueError for a wrong_lab that does not fit the model."""
    wrong_labs, model = load_wrong_labs(), MODEL.read_text("utf-8")
    load_misconceptions(wrong_labs)
    for wrong_lab in wrong_labs:
        build(wrong_lab, model)


def bring_up_to_date(check: bool) -> list[str]:
    """Write what has changed in boards/misconceptions/, unless it is only to be checked; a line for each file.

    A check runs no wrong_lab: it compares the keys.  Raises BadFile, also for a wrong_lab that no case of its
    function catches or tells from others, and ValueError for one that does not fit the model.
    """
    bank, wrong_labs = make_bank(case_files(), read_points()), load_wrong_labs()
    words, model = load_misconceptions(wrong_labs), MODEL.read_text("utf-8")
    stored = stored_answers()
    lines, wanted, everything = [], set(), dict[WrongLab, Stored]()
    for function in dict.fromkeys(wrong_lab.function for wrong_lab in wrong_labs):
        file, cases = MISCONCEPTIONS / f"{function}.json", public_cases(bank, function)
        wanted.add(file)
        own = {
            wrong_lab: stored.get(wrong_lab.id, Stored("", {}))
            for wrong_lab in wrong_labs
            if wrong_lab.function == function
        }
        keys = {wrong_lab: key_of(wrong_lab, model, cases) for wrong_lab in own}
        stale = [wrong_lab for wrong_lab in own if own[wrong_lab].key != keys[wrong_lab]]
        if stale and not check:
            meanwhile(f"running {plural(len(stale), 'wrong lab')} of {function}")
        for wrong_lab in stale:
            own[wrong_lab] = (
                replace(own[wrong_lab], key=keys[wrong_lab]) if check else run(wrong_lab, keys[wrong_lab], model, bank)
            )
        everything |= own
        text = _written(own, words)
        before = file.read_text("utf-8") if file.exists() else ""
        if text != before:
            lines.append(f"boards/misconceptions/{file.name}: {'changed' if before else 'new'}")
            if not check:
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, "utf-8", newline="\n")
    for file in set(MISCONCEPTIONS.glob("*")) - wanted:
        lines.append(f"boards/misconceptions/{file.name}: of no function with wrong_labs")
        if not check:
            file.unlink()
    if not lines or not check:
        check_told_apart(everything, words)
    return lines


def check_told_apart(found: dict[WrongLab, Stored], words: dict[str, Misconception]) -> None:
    """Raise BadFile where a wrong_lab passes all cases of its function, or answers all as one with another name does."""
    alike: dict[tuple[str, str], WrongLab] = {}
    for wrong_lab, stored in found.items():
        if wrong_lab.by_chance:
            continue
        if not stored.answers:
            reason = f"no public case of {wrong_lab.function} catches it; add one to boards/cases/, or take it out"
            raise BadFile(WRONG_LABS, wrong_lab.line, f"{wrong_lab.id}: {reason}")
        other = alike.setdefault((wrong_lab.function, json.dumps(stored.answers, sort_keys=True)), wrong_lab)
        if words[other.id] != words[wrong_lab.id]:
            reason = f"no case tells it from {other.id}; add one, or give both one name in {TEXTS.name}"
            raise BadFile(WRONG_LABS, wrong_lab.line, f"{wrong_lab.id}: {reason}")


def public_cases(bank: Bank, function: str) -> list[Case]:
    """The graded cases of a function that every student has."""
    return [case for case in bank.of(function) if not (case.hidden or case.advice)]


def run(wrong_lab: WrongLab, key: str, model: str, bank: Bank) -> Stored:
    """What a wrong_lab answers to the public cases of its function that it fails, and what is located in it.

    What takes half the time that there is may be a time-out on another machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(build(wrong_lab, model), "utf-8")
        with Session(lab, bank) as session:
            sheet = session.sheet_of(public_cases(bank, wrong_lab.function))
    limits = {case.id: case.seconds for case in bank.cases}
    answers = {
        verdict.case: verdict.fingerprint if verdict.seconds < limits[verdict.case] / 2 else SLOW
        for verdict in sheet.verdicts.values()
        if not verdict.passed
    }
    diagnosis = sheet.diagnoses.get(wrong_lab.function)
    return Stored(key, answers, fingerprint(diagnosis.sentence if diagnosis else ""))


def key_of(wrong_lab: WrongLab, model: str, cases: list[Case]) -> str:
    """A digest of what a wrong_lab's answers hang on: its code, docstrings and comments apart, and the cases."""
    text = build(wrong_lab, model)
    lines, tree = text.splitlines(keepends=True), ast.parse(text)
    first = 1 if ast.get_docstring(tree) is not None else 0
    code = "".join(bare("".join(lines[_start(node) - 1 : node.end_lineno])) for node in tree.body[first:]).lstrip("\n")
    asked = [(case.id, case.seconds, case.order, case.opposite, [vars(call) for call in case.calls]) for case in cases]
    graded = vars(cases[0].graded) if cases else {}
    text = json.dumps([code, graded, asked], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _start(node: ast.stmt) -> int:
    """The line in which a statement starts, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


@functools.cache  # all wrong_labs share the model's
def bare(text: str) -> str:
    """A statement at the top of a lab.py without docstrings and comments, in the one layout that ast gives it."""
    (top,) = ast.parse(text).body
    for node in ast.walk(top):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ("\n\n" if isinstance(top, (ast.FunctionDef, ast.ClassDef)) else "\n") + ast.unparse(top)


def stored_answers() -> dict[str, Stored]:
    """What is stored of each wrong_lab, by its id."""
    found = {}
    for file in MISCONCEPTIONS.glob("*.json"):
        for each in json.loads(file.read_text("utf-8"))["misconceptions"]:
            for wrong_lab, wrong in each["wrong"].items():
                found[wrong_lab] = Stored(wrong["key"], wrong["cases"], wrong["place"])
    return found


def _written(own: dict[WrongLab, Stored], words: dict[str, Misconception]) -> str:
    """The file of a function: a line a wrong_lab."""
    together: dict[Misconception, dict[str, Any]] = {}
    for wrong_lab, stored in own.items():
        wrong = {"key": stored.key, "place": stored.place, "cases": stored.answers}
        together.setdefault(words[wrong_lab.id], {})[wrong_lab.id] = wrong
    blocks = []
    for name, wrong_labs in together.items():
        lines = ",\n".join(f"  {json.dumps(wrong_lab)}: {json.dumps(wrong)}" for wrong_lab, wrong in wrong_labs.items())
        said = ",\n ".join(f"{json.dumps(key)}: {json.dumps(text)}" for key, text in vars(name).items())
        blocks.append(f'{{{said},\n "wrong": {{\n{lines}}}}}')
    return '{"misconceptions": [\n' + ",\n".join(blocks) + "]}\n"
