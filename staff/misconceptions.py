"""Misconceptions: what known mistakes answer to every public case of their functions, for boards/misconceptions/.

    misconception   a name, a hint and a question for students, and the chaffs that have this mistake

staff/misconceptions.yaml has those with words of their own; a chaff that stands in none of them is named by
its own sentence.  `make expectations` stores what the chaffs answer, as digests; it runs those again
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
from grader.pipe.digests import fingerprint
from grader.pipe.words import plural
from staff.chaffs import CHAFFS, Chaff, build, load_chaffs
from staff.meanwhile import meanwhile
from staff.model import MODEL
from staff.strict.bank import case_files
from staff.strict.reading import Block, read_yaml

TEXTS = Path(__file__).with_name("misconceptions.yaml")
MOST_WORDS = 80

Answers = dict[str, str]
"""The digest of what a chaff answers to each case that it fails, by the ids of the cases."""


@dataclass(frozen=True)
class Stored:
    """What is stored of a chaff: the key of its code and cases, its answers, and a digest of what is located in it."""

    key: str
    answers: Answers
    place: str = ""


def load_misconceptions(chaffs: tuple[Chaff, ...], file: Path = TEXTS) -> dict[str, Misconception]:
    """The misconception of each chaff, by its id.  Raises BadFile."""
    root, known = read_yaml(file), {chaff.id for chaff in chaffs}
    root.allow({"misconceptions"})
    found: dict[str, Misconception] = {}
    names: dict[str, int] = {}
    for block in root.blocks("misconceptions"):
        words = _read(block)
        if words.name in names:
            block.fail(f"this name stands in line {names[words.name]} already", "name")
        names[words.name] = block.line
        for chaff in block.texts("chaffs"):
            if chaff not in known or chaff in found:
                block.fail(f"`{chaff}` is {'in two lists' if chaff in found else 'no chaff of chaffs.yaml'}", "chaffs")
            found[chaff] = words
    return {chaff.id: found.get(chaff.id) or Misconception(name_of(chaff)) for chaff in chaffs}


def name_of(chaff: Chaff) -> str:
    """A chaff's own sentence as a name.

    >>> name_of(Chaff("one", "dfs", "It adds 2.", 1))
    'adds 2'
    """
    return chaff.mistake.removeprefix("It ").removesuffix(".")


def _read(block: Block) -> Misconception:
    block.allow({"name", "hint", "question", "chaffs"})
    words = Misconception(*(block.take(key, str).strip() for key in ("name", "hint", "question")))
    if (many := len(words.hint.split())) > MOST_WORDS:
        block.fail(f"the hint has {many} words; {MOST_WORDS} are the most that somebody reads", "hint")
    return words


def check_texts() -> None:
    """Raise BadFile for a mistake in the two files, and ValueError for a chaff that does not fit the model."""
    chaffs, model = load_chaffs(), MODEL.read_text("utf-8")
    load_misconceptions(chaffs)
    for chaff in chaffs:
        build(chaff, model)


def bring_up_to_date(check: bool) -> list[str]:
    """Write what has changed in boards/misconceptions/, unless it is only to be checked; a line for each file.

    A check runs no chaff: it compares the keys.  Raises BadFile, also for a chaff that no case of its
    function catches or tells from others, and ValueError for one that does not fit the model.
    """
    bank, chaffs = make_bank(case_files(), read_points()), load_chaffs()
    words, model = load_misconceptions(chaffs), MODEL.read_text("utf-8")
    stored = stored_answers()
    lines, wanted, everything = [], set(), dict[Chaff, Stored]()
    for function in dict.fromkeys(chaff.function for chaff in chaffs):
        file, cases = MISCONCEPTIONS / f"{function}.json", public_cases(bank, function)
        wanted.add(file)
        own = {chaff: stored.get(chaff.id, Stored("", {})) for chaff in chaffs if chaff.function == function}
        keys = {chaff: key_of(chaff, model, cases) for chaff in own}
        stale = [chaff for chaff in own if own[chaff].key != keys[chaff]]
        if stale and not check:
            meanwhile(f"running {plural(len(stale), 'wrong lab')} of {function}")
        for chaff in stale:
            own[chaff] = replace(own[chaff], key=keys[chaff]) if check else run(chaff, keys[chaff], model, bank)
        everything |= own
        text = _written(own, words)
        before = file.read_text("utf-8") if file.exists() else ""
        if text != before:
            lines.append(f"boards/misconceptions/{file.name}: {'changed' if before else 'new'}")
            if not check:
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, "utf-8", newline="\n")
    for file in set(MISCONCEPTIONS.glob("*")) - wanted:
        lines.append(f"boards/misconceptions/{file.name}: of no function with chaffs")
        if not check:
            file.unlink()
    if not lines or not check:
        check_told_apart(everything, words)
    return lines


def check_told_apart(found: dict[Chaff, Stored], words: dict[str, Misconception]) -> None:
    """Raise BadFile where a chaff passes all cases of its function, or answers all as one with another name does."""
    alike: dict[tuple[str, str], Chaff] = {}
    for chaff, stored in found.items():
        if chaff.by_chance:
            continue
        if not stored.answers:
            reason = f"no public case of {chaff.function} catches it; add one to boards/cases/, or take it out"
            raise BadFile(CHAFFS, chaff.line, f"{chaff.id}: {reason}")
        other = alike.setdefault((chaff.function, json.dumps(stored.answers, sort_keys=True)), chaff)
        if words[other.id] != words[chaff.id]:
            reason = f"no case tells it from {other.id}; add one, or give both one name in {TEXTS.name}"
            raise BadFile(CHAFFS, chaff.line, f"{chaff.id}: {reason}")


def public_cases(bank: Bank, function: str) -> list[Case]:
    """The graded cases of a function that every student has."""
    return [case for case in bank.of(function) if not (case.hidden or case.advice)]


def run(chaff: Chaff, key: str, model: str, bank: Bank) -> Stored:
    """What a chaff answers to the public cases of its function that it fails, and what is located in it.

    What takes half the time that there is may be a time-out on another machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(build(chaff, model), "utf-8")
        with Session(lab, bank) as session:
            sheet = session.sheet_of(public_cases(bank, chaff.function))
    limits = {case.id: case.seconds for case in bank.cases}
    answers = {
        verdict.case: verdict.gist if verdict.seconds < limits[verdict.case] / 2 else SLOW
        for verdict in sheet.verdicts.values()
        if not verdict.passed
    }
    diagnosis = sheet.diagnoses.get(chaff.function)
    return Stored(key, answers, fingerprint(diagnosis.sentence if diagnosis else ""))


def key_of(chaff: Chaff, model: str, cases: list[Case]) -> str:
    """A digest of what a chaff's answers hang on: its code, docstrings and comments apart, and the cases."""
    text = build(chaff, model)
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


@functools.cache  # all chaffs share the model's
def bare(text: str) -> str:
    """A statement at the top of a lab.py without docstrings and comments, in the one layout that ast gives it."""
    (top,) = ast.parse(text).body
    for node in ast.walk(top):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ("\n\n" if isinstance(top, (ast.FunctionDef, ast.ClassDef)) else "\n") + ast.unparse(top)


def stored_answers() -> dict[str, Stored]:
    """What is stored of each chaff, by its id."""
    found = {}
    for file in MISCONCEPTIONS.glob("*.json"):
        for each in json.loads(file.read_text("utf-8"))["misconceptions"]:
            for chaff, wrong in each["wrong"].items():
                found[chaff] = Stored(wrong["key"], wrong["cases"], wrong["place"])
    return found


def _written(own: dict[Chaff, Stored], words: dict[str, Misconception]) -> str:
    """The file of a function: a line a chaff."""
    together: dict[Misconception, dict[str, Any]] = {}
    for chaff, stored in own.items():
        wrong = {"key": stored.key, "place": stored.place, "cases": stored.answers}
        together.setdefault(words[chaff.id], {})[chaff.id] = wrong
    blocks = []
    for name, chaffs in together.items():
        lines = ",\n".join(f"  {json.dumps(chaff)}: {json.dumps(wrong)}" for chaff, wrong in chaffs.items())
        said = ",\n ".join(f"{json.dumps(key)}: {json.dumps(text)}" for key, text in vars(name).items())
        blocks.append(f'{{{said},\n "wrong": {{\n{lines}}}}}')
    return '{"misconceptions": [\n' + ",\n".join(blocks) + "]}\n"
