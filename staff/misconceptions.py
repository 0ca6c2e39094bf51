"""Misconceptions: what known mistakes answer to the public cases of their functions.

`make expectations` writes these answers to boards/misconceptions/.  For each known
mistake there is a wrong lab, which is a submission with only this mistake.
staff/submissions/misconceptions.yaml gives some mistakes a name, a hint and a question.
The name of any other mistake is made from the sentence that describes it.

staff/answers.json keeps what each wrong lab answered to each case, with a key.  The key
is a digest of everything that the answer depends on: the code that the function can
reach, the case, and the code of the kind.  A wrong lab runs again only on cases whose
key has changed.
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
from grader.grading.diagnosis import MISCONCEPTIONS, Misconception
from grader.grading.session import Session
from grader.protocol.text import plural
from grader.refusal import Refusal
from grader.verdicts.verdict import SLOW, Status, Verdict
from staff.call_graph import definitions, reached
from staff.model import MODEL
from staff.progress import progress
from staff.stored import write_folder
from staff.strict import schema
from staff.strict.bank import case_files
from staff.strict.reading import read_block
from staff.wrong_labs import SUBMISSIONS, WRONG_LABS, WrongLab, build, load_wrong_labs

TEXTS = SUBMISSIONS / "misconceptions.yaml"
SCHEMA = SUBMISSIONS / "misconceptions.schema.json"
ANSWERS = Path(__file__).with_name("answers.json")

WORDS = ("name", "hint", "question")
# Imports are left out, because a module that moves to another place changes no answer.
IMPORTS = (ast.Import, ast.ImportFrom)
Tree = TypeVar("Tree", bound=ast.AST)
Answers = dict[str, tuple[str, str]]
"""What a wrong lab answers: the key and the fingerprint for each case.

The keys of the mapping are the ids of the cases.  The fingerprint is empty if the
answer is right.
"""


def load_misconceptions(
    wrong_labs: tuple[WrongLab, ...], file: Path = TEXTS
) -> dict[str, Misconception]:
    """Read the misconception of each wrong lab.  The key is the id of the wrong lab.

    A misconception is a name for the mistake, and may have a hint and a question.
    Raises BadFile.
    """
    root = read_block(file)
    schema.check(root, SCHEMA)
    by_id = {
        wrong_lab.id: Misconception(name_of(wrong_lab)) for wrong_lab in wrong_labs
    }
    names: set[str] = set()
    named_ids: set[str] = set()
    for block in root["misconceptions"]:
        name, hint, question = (block[key].strip() for key in WORDS)
        if name in names:
            block.fail(
                "this name is above already; put the wrong labs into one list",
                "name",
            )
        names.add(name)
        for id in block["wrong_labs"]:
            if id in named_ids:
                block.fail(f"`{id}` is in two lists; correct it", "wrong_labs")
            if id not in by_id:
                problem = "no wrong lab of wrong_labs.yaml"
                block.fail(f"`{id}` is {problem}; correct it", "wrong_labs")
            named_ids.add(id)
            by_id[id] = Misconception(name, hint, question)
    return by_id


def name_of(wrong_lab: WrongLab) -> str:
    """Return a name for the mistake in a wrong lab, made from the sentence about it.

    Mistakes that misconceptions.yaml does not name have this name.

    >>> name_of(WrongLab("one", "dfs", "It adds 2.", 1))
    'adds 2'
    """
    return wrong_lab.mistake.removeprefix("It ").removesuffix(".")


def check_texts() -> None:
    """Check wrong_labs.yaml and misconceptions.yaml.

    Raises BadFile unless both files are sound, and each wrong lab fits lab.py.
    """
    wrong_labs = load_wrong_labs()
    model = MODEL.read_text("utf-8")
    load_misconceptions(wrong_labs)
    for wrong_lab in wrong_labs:
        build(wrong_lab, model)


def bring_up_to_date(check: bool) -> list[str]:
    """Write the files in boards/misconceptions/ that have changed.

    First run each wrong lab on the cases whose key has changed, and store its answers.
    Return a line for each file that differs.

    With `check`, write nothing and run no wrong lab.  If a wrong lab would have to run,
    return only one line, which says how many would have to run.

    Raises BadFile if no case catches a wrong lab, or if no case tells apart two wrong
    labs with different names.  Raises Refusal if a wrong lab could not be graded.
    """
    bank = make_bank(case_files(), read_points())
    model = MODEL.read_text("utf-8")
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
        number_of_labs = plural(len(stale), "wrong lab")
        return [
            f"staff/answers.json: {number_of_labs} would answer again, `{stale[0]}` "
            "among them"
        ]
    for number, id in enumerate(stale, start=1):
        progress(f"running the wrong lab {id}", number, len(stale))
        stored[id] = answers_of(
            wrong_labs[id], keys[id], stored.get(id, {}), model, bank
        )
        write_answers({id: stored[id] for id in wrong_labs if id in stored})
    words = load_misconceptions(tuple(wrong_labs.values()))
    check_told_apart(wrong_labs.values(), stored, words)
    ids_of_functions: dict[str, list[str]] = {}
    for id, wrong_lab in wrong_labs.items():
        ids_of_functions.setdefault(wrong_lab.function, []).append(id)
    texts = {
        f"{function}.json": _text(ids, stored, words)
        for function, ids in ids_of_functions.items()
    }
    return write_folder(MISCONCEPTIONS, texts, check)


def public_cases(bank: Bank, function: str) -> list[Case]:
    """Return the cases of a function that count for points and that students have."""
    return [case for case in bank.of(function) if not (case.hidden or case.advice)]


def keys_of(wrong_lab: WrongLab, model: str, cases: list[Case]) -> dict[str, str]:
    """Return for each case a digest of everything on which the wrong lab's answer
    depends.
    """
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
    """Return the code that a name of lab.py can reach, without comments and docstrings.

    Statements at the top level that define nothing are part of this code.  The
    docstring of lab.py is not.

    >>> source = b"'This file.'\\ndef one(): two()\\ndef six(): pass"
    >>> source += b"\\ndef two():\\n  'says'\\n  pass"
    >>> code_behind(source, "one")
    'def one():\\n    two()\\ndef two():\\n    pass'
    """
    names = reached(source, name)
    statements = [
        statement
        for defined, statement in definitions(source)
        if defined & names and not _is_text(statement)
    ]
    return "\n".join(
        ast.unparse(without_docstrings(statement)) for statement in statements
    )


def _is_text(statement: ast.stmt) -> bool:
    """Whether a statement is only a constant, such as the docstring of a file."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def without_docstrings(tree: Tree) -> Tree:
    """Remove docstrings from a syntax tree, and return the tree.

    These are the docstrings of the module, and of each `class` and `def` in it.
    """
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return tree


@functools.cache
def code_of_kind(kind: str) -> str:
    """Return a text that stands for the code of a kind in grader/kinds/.

    The text has no comments, no docstrings and no imports at the top of a file.
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
    """Return a syntax tree as nested lists.

    A newer Python may add fields to the tree.  Empty fields are left out, so that the
    lists stay the same.

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
    """Return what a wrong lab answers to the public cases of its function.

    `known` holds the stored answers.  The wrong lab runs only on cases that are not
    stored there with the same key.  If a wrong answer takes at least half the time
    limit, it counts as slow, because it may be a time-out on another machine.

    Raises Refusal if the wrong lab could not be graded.
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
                    raise Refusal(
                        f"{wrong_lab.id} was not graded on {case.id}; try again: "
                        f"{verdict.message}"
                    )
                answers[case.id] = (keys[case.id], _fingerprint(case, verdict))
    return {case.id: answers[case.id] for case in cases}


def _fingerprint(case: Case, verdict: Verdict) -> str:
    """Return the text that stands for a wrong answer in the stored answers.

    The text is empty if the answer is right.  It is SLOW if the wrong answer took at
    least half the time limit.
    """
    if verdict.passed:
        return ""
    if verdict.seconds < case.seconds / 2:
        return verdict.fingerprint
    return SLOW


def check_told_apart(
    wrong_labs: Iterable[WrongLab],
    stored: Mapping[str, Answers],
    words: Mapping[str, Misconception],
) -> None:
    """Check that each wrong lab fails at least one public case.

    Also check that two wrong labs for one function answer differently if their mistakes
    have different names.  The answers of a wrong lab that is `by_chance` may differ
    from run to run, so it is not checked.  Raises BadFile.
    """
    alike: dict[tuple[str, str], WrongLab] = {}
    for wrong_lab in wrong_labs:
        if wrong_lab.by_chance:
            continue
        failed = failed_by(stored[wrong_lab.id])
        if not failed:
            problem = (
                f"no public case of {wrong_lab.function} catches it; "
                "add one to boards/cases/, or take it out"
            )
            raise BadFile(WRONG_LABS, wrong_lab.line, f"{wrong_lab.id}: {problem}")
        other = alike.setdefault((wrong_lab.function, json.dumps(failed)), wrong_lab)
        if words[other.id] != words[wrong_lab.id]:
            problem = (
                f"no case tells it from {other.id}; "
                f"add one, or give both one name in {TEXTS.name}"
            )
            raise BadFile(WRONG_LABS, wrong_lab.line, f"{wrong_lab.id}: {problem}")


def failed_by(answers: Answers) -> dict[str, str]:
    """Return the fingerprints of the wrong answers.  The key is the id of the case."""
    return {case: answer for case, (_, answer) in answers.items() if answer}


def read_answers(file: Path = ANSWERS) -> dict[str, Answers]:
    """Read the stored answers of each wrong lab.  The key is the id of the wrong
    lab.
    """
    kept: dict[str, dict[str, list[str]]] = {}
    if file.exists():
        kept = json.loads(file.read_text("utf-8"))
    return {
        id: {case: (key, answer) for case, (key, answer) in answers.items()}
        for id, answers in kept.items()
    }


def write_answers(stored: Mapping[str, Answers], file: Path = ANSWERS) -> None:
    """Store the answers of wrong labs, with a line for each wrong lab."""
    lines = ",\n".join(
        f"{json.dumps(id)}: {json.dumps(answers)}" for id, answers in stored.items()
    )
    file.write_text(f"{{\n{lines}\n}}\n", "utf-8", newline="\n")


def _text(
    ids: list[str], stored: dict[str, Answers], words: dict[str, Misconception]
) -> str:
    """Return the text of a function's file in boards/misconceptions/.

    Each wrong lab has a line.  Wrong labs whose mistakes have the same name come one
    after the other.
    """
    lines_by_name: dict[Misconception, list[str]] = {}
    for id in ids:
        wrong = {"cases": failed_by(stored[id])}
        line = f"  {json.dumps(id)}: {json.dumps(wrong)}"
        lines_by_name.setdefault(words[id], []).append(line)
    blocks = []
    for misconception, lines in lines_by_name.items():
        fields = [
            f"{json.dumps(key)}: {json.dumps(text)}"
            for key, text in vars(misconception).items()
        ]
        head = ",\n ".join(fields)
        blocks.append(f'{{{head},\n "wrong": {{\n' + ",\n".join(lines) + "}}")
    return '{"misconceptions": [\n' + ",\n".join(blocks) + "]}\n"
