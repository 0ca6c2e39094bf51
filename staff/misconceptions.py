"""Misconceptions: what known mistakes answer to every public case of their functions,
for boards/misconceptions/.

staff/misconceptions.yaml names some mistakes for students, each with a hint and a
question; a wrong lab that stands in none of its lists is named by its own sentence.

staff/answers.json keeps what each wrong lab answered to each case, with a key of all
that the answer depends on: the code that its function can reach, the case, and the code
of the kind.  Only an answer with another key is found anew.
"""

import ast
import functools
import hashlib
import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from boards.reading import BadFile
from grader.bank.cases import Bank, Case
from grader.bank.points import read_points
from grader.bank.reading import make_bank
from grader.diagnosing.diagnosis import MISCONCEPTIONS, Misconception
from grader.grading.session import Session
from grader.judging.verdict import SLOW, Status
from grader.protocol.words import plural
from staff.call_graph import definitions, reached
from staff.generated import write_folder
from staff.meanwhile import progress
from staff.model import MODEL
from staff.strict import schema
from staff.strict.bank import case_files
from staff.strict.reading import read_yaml
from staff.wrong_labs import WRONG_LABS, WrongLab, build, load_wrong_labs

HERE = Path(__file__).parent
TEXTS, SCHEMA, ANSWERS = (
    HERE / "misconceptions.yaml",
    HERE / "misconceptions.schema.json",
    HERE / "answers.json",
)

IMPORTS = (ast.Import, ast.ImportFrom)  # a module that moves changes no answer
Tree = TypeVar("Tree", bound=ast.AST)
Answers = dict[str, tuple[str, str]]
"""For each case of its function, the key and the fingerprint of what a wrong lab
answers; empty if that is right.
"""


def load_misconceptions(
    wrong_labs: tuple[WrongLab, ...], file: Path = TEXTS
) -> dict[str, Misconception]:
    """The misconception of each wrong lab, by its id.  Raises BadFile."""
    schema.check(root := read_yaml(file), SCHEMA)
    found = {
        wrong_lab.id: Misconception(name_of(wrong_lab)) for wrong_lab in wrong_labs
    }
    names, named = set[str](), set[str]()
    for block in root["misconceptions"]:
        words = Misconception(
            *(block[key].strip() for key in ("name", "hint", "question"))
        )
        if words.name in names:
            block.fail(
                "this name stands above already; put the wrong labs into one list",
                "name",
            )
        names.add(words.name)
        for wrong_lab in block["wrong_labs"]:
            if wrong_lab not in found or wrong_lab in named:
                problem = (
                    "in two lists"
                    if wrong_lab in named
                    else "no wrong lab of wrong_labs.yaml"
                )
                block.fail(f"`{wrong_lab}` is {problem}; correct it", "wrong_labs")
            named.add(wrong_lab)
            found[wrong_lab] = words
    return found


def name_of(wrong_lab: WrongLab) -> str:
    """A wrong lab's own sentence as a name.

    >>> name_of(WrongLab("one", "dfs", "It adds 2.", 1))
    'adds 2'
    """
    return wrong_lab.mistake.removeprefix("It ").removesuffix(".")


def check_texts() -> None:
    """Raise BadFile for a mistake in the two files, and ValueError for a wrong lab that
    does not fit the model.
    """
    wrong_labs, model = load_wrong_labs(), MODEL.read_text("utf-8")
    load_misconceptions(wrong_labs)
    for wrong_lab in wrong_labs:
        build(wrong_lab, model)


def bring_up_to_date(check: bool) -> list[str]:
    """Write what has changed in boards/misconceptions/, unless it is only to be
    checked; a line for each file.

    A check runs no wrong lab: it compares the keys.  Raises BadFile, also for a wrong
    lab that no case of its function catches or tells from others, and ValueError for
    one that does not fit the model.
    """
    bank, model = make_bank(case_files(), read_points()), MODEL.read_text("utf-8")
    wrong_labs = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
    keys = {
        id: keys_of(wrong_lab, model, public_cases(bank, wrong_lab.function))
        for id, wrong_lab in wrong_labs.items()
    }
    stored = {id: answers for id, answers in read_answers().items() if id in wrong_labs}
    stale = [
        id
        for id in wrong_labs
        if keys[id] != {case: key for case, (key, _) in stored.get(id, {}).items()}
    ]
    if check and stale:
        return [
            f"staff/answers.json: {plural(len(stale), 'wrong lab')} would answer anew, `{stale[0]}` among them"
        ]
    for number, id in enumerate(stale, start=1):
        progress(f"running the wrong lab {id}", number, len(stale))
        stored[id] = answers_of(
            wrong_labs[id], keys[id], stored.get(id, {}), model, bank
        )
        write_answers({id: stored[id] for id in wrong_labs if id in stored})
    words = load_misconceptions(tuple(wrong_labs.values()))
    check_told_apart(wrong_labs.values(), stored, words)
    texts = {}
    for function in dict.fromkeys(
        wrong_lab.function for wrong_lab in wrong_labs.values()
    ):
        ids = [
            id for id, wrong_lab in wrong_labs.items() if wrong_lab.function == function
        ]
        texts[f"{function}.json"] = _text(ids, stored, words)
    return write_folder(MISCONCEPTIONS, texts, check)


def public_cases(bank: Bank, function: str) -> list[Case]:
    """The graded cases of a function that every student has."""
    return [case for case in bank.of(function) if not (case.hidden or case.advice)]


def keys_of(wrong_lab: WrongLab, model: str, cases: list[Case]) -> dict[str, str]:
    """For each case, a digest of all that the wrong lab's answer to it depends on."""
    code = code_behind(build(wrong_lab, model).encode(), wrong_lab.function)
    keys = {}
    for case in cases:
        calls = [
            [call.name, call.inputs, call.expect, call.excerpt, call.again]
            for call in case.calls
        ]
        given = [
            case.seconds,
            case.process,
            case.order,
            case.opposite,
            vars(case.graded),
            calls,
        ]
        text = json.dumps([code, code_of_kind(case.graded.kind), given], sort_keys=True)
        keys[case.id] = hashlib.sha256(text.encode()).hexdigest()[:12]
    return keys


def code_behind(source: bytes, name: str) -> str:
    """What a name of lab.py leads to, and what stands at the top, as text without
    comments and docstrings.

    >>> code_behind(b"def one(): two()\\ndef other(): pass\\ndef two():\\n  'says'\\n  pass  # nothing", "one")
    'def one():\\n    two()\\ndef two():\\n    pass'
    """
    names = reached(source, name)
    statements = [
        statement for defined, statement in definitions(source) if defined & names
    ]
    return "\n".join(
        ast.unparse(without_docstrings(statement)) for statement in statements
    )


def without_docstrings(tree: Tree) -> Tree:
    """The tree of some code, from which its docstrings are taken away."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return tree


@functools.cache
def code_of_kind(kind: str) -> str:
    """What the code of a kind does, as far as it ships: words in comments and
    docstrings decide nothing.
    """
    trees = [
        without_docstrings(ast.parse(file.read_bytes()))
        for file in sorted((schema.KINDS / kind).glob("*.py"))
    ]
    return repr(
        [
            outline(statement)
            for tree in trees
            for statement in tree.body
            if not isinstance(statement, IMPORTS)
        ]
    )


def outline(node: object) -> object:
    """A tree as nested lists, which are the same in every version of Python.

    >>> outline(ast.parse("x = 1").body[0])
    ['Assign', [['Name', 'x', ['Store']]], ['Constant', 1]]
    """
    if isinstance(node, list):
        return [outline(inner) for inner in node]
    if not isinstance(node, ast.AST):
        return node
    fields = (field for _, field in ast.iter_fields(node))
    return [
        type(node).__name__,
        *(outline(field) for field in fields if field not in (None, [])),
    ]


def answers_of(
    wrong_lab: WrongLab, keys: dict[str, str], known: Answers, model: str, bank: Bank
) -> Answers:
    """What a wrong lab answers to the cases of its function; only those with another
    key are run.

    What takes half the time that there is may be a time-out on another machine.
    """
    cases = public_cases(bank, wrong_lab.function)
    answers = {id: answer for id, answer in known.items() if answer[0] == keys.get(id)}
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(build(wrong_lab, model), "utf-8")
        with Session(lab, Bank(bank.parts, tuple(cases))) as session:
            unknown = [case for case in cases if case.id not in answers]
            session.begin(unknown)
            for case in unknown:
                verdict = session.verdict(case)
                if verdict.status is Status.UNGRADED:
                    raise ValueError(
                        f"{wrong_lab.id} was not graded on {case.id}; try again: {verdict.message}"
                    )
                found = (
                    verdict.fingerprint if verdict.seconds < case.seconds / 2 else SLOW
                )
                answers[case.id] = keys[case.id], "" if verdict.passed else found
    return {case.id: answers[case.id] for case in cases}


def check_told_apart(
    wrong_labs: Iterable[WrongLab],
    stored: Mapping[str, Answers],
    words: Mapping[str, Misconception],
) -> None:
    """Raise BadFile if a wrong lab passes all cases of its function, or answers all as
    one with another name does.
    """
    alike: dict[tuple[str, str], WrongLab] = {}
    for wrong_lab in wrong_labs:
        if wrong_lab.by_chance:
            continue
        failed = failed_by(stored[wrong_lab.id])
        if not failed:
            problem = f"no public case of {wrong_lab.function} catches it; add one to boards/cases/, or take it out"
            raise BadFile(WRONG_LABS, wrong_lab.line, f"{wrong_lab.id}: {problem}")
        other = alike.setdefault((wrong_lab.function, json.dumps(failed)), wrong_lab)
        if words[other.id] != words[wrong_lab.id]:
            problem = f"no case tells it from {other.id}; add one, or give both one name in {TEXTS.name}"
            raise BadFile(WRONG_LABS, wrong_lab.line, f"{wrong_lab.id}: {problem}")


def failed_by(answers: Answers) -> dict[str, str]:
    """The fingerprints of wrong answers, by case."""
    return {case: answer for case, (_, answer) in answers.items() if answer}


def read_answers(file: Path = ANSWERS) -> dict[str, Answers]:
    """What is kept of each wrong lab, by its id."""
    kept: dict[str, dict[str, list[str]]] = (
        json.loads(file.read_text("utf-8")) if file.exists() else {}
    )
    return {
        id: {case: (key, answer) for case, (key, answer) in answers.items()}
        for id, answers in kept.items()
    }


def write_answers(stored: Mapping[str, Answers], file: Path = ANSWERS) -> None:
    """Keep what wrong labs answer: a line each."""
    lines = ",\n".join(
        f"{json.dumps(id)}: {json.dumps(answers)}" for id, answers in stored.items()
    )
    file.write_text(f"{{\n{lines}\n}}\n", "utf-8", newline="\n")


def _text(
    ids: list[str], stored: dict[str, Answers], words: dict[str, Misconception]
) -> str:
    """The file of a function: a line a wrong lab."""
    together: dict[Misconception, list[str]] = {}
    for id in ids:
        wrong = {"cases": failed_by(stored[id])}
        together.setdefault(words[id], []).append(
            f"  {json.dumps(id)}: {json.dumps(wrong)}"
        )
    blocks = []
    for named, lines in together.items():
        said = ",\n ".join(
            f"{json.dumps(key)}: {json.dumps(text)}"
            for key, text in vars(named).items()
        )
        blocks.append(f'{{{said},\n "wrong": {{\n' + ",\n".join(lines) + "}}")
    return '{"misconceptions": [\n' + ",\n".join(blocks) + "]}\n"
