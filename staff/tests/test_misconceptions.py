"""Misconceptions: their words, what is stored of them, and what the build refuses.  No
process is started here.
"""

import dataclasses
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from boards.reading import BadFile
from grader.bank.cases import Bank, Case
from grader.bank.points import read_points
from grader.grading.diagnosis import MISCONCEPTIONS
from staff.course import read_course
from staff.misconceptions import (
    Answers,
    check_told_apart,
    code_of_kind,
    failed_by,
    keys_of,
    load_misconceptions,
    public_cases,
    read_answers,
    write_answers,
)
from staff.release.tree import KIT, release_tree
from staff.strict import schema
from staff.tests.support.masters import COURSE
from staff.wrong_labs import load_wrong_labs

WRONG_LABS = load_wrong_labs()
NAMES = load_misconceptions(WRONG_LABS)
ONE, OTHER, *_ = WRONG_LABS
SEARCHES = {
    function
    for part in read_points()
    for function in part.functions
    if part.number == 2
}


@pytest.mark.parametrize("id", NAMES)
def test_every_wrong_lab_has_words_that_help(id: str) -> None:
    words = NAMES[id]
    assert words.name
    assert words.name[0].islower()
    assert not words.name.endswith(".")
    assert 8 <= len(words.hint.split()) <= 80
    assert words.hint.endswith((".", "?"))
    assert words.question.endswith("?")


def code_of_wrong_labs() -> set[str]:
    """The long lines of code of all wrong labs."""
    code: set[str] = set()
    for wrong_lab in WRONG_LABS:
        for pair in wrong_lab.replace:
            code.update(pair)
        code.update(line.strip() for line in wrong_lab.body.splitlines())
    return {line for line in code if len(line) > 24}


STORED = sorted(MISCONCEPTIONS.glob("*.json"))


def test_what_is_stored_holds_no_code_of_a_wrong_lab() -> None:
    code = code_of_wrong_labs()
    assert code
    assert STORED
    for file in STORED:
        text = json.dumps(json.loads(file.read_text("utf-8")), ensure_ascii=False)
        assert [line for line in code if line in text] == [], file.name


def test_what_ships_is_what_is_kept() -> None:
    shipped: dict[str, dict[str, str]] = {}
    for file in STORED:
        for each in json.loads(file.read_text("utf-8"))["misconceptions"]:
            shipped |= {id: wrong["cases"] for id, wrong in each["wrong"].items()}
    assert shipped.keys() == NAMES.keys()
    assert shipped == {id: failed_by(answers) for id, answers in read_answers().items()}


# --- what the build refuses ----------------------------------------------------------

# Answers to the cases a and b, with the key that they were found with.
RIGHT: Answers = {"a": ("key", "")}
WRONG: Answers = {"a": ("key", "1")}
WORSE: Answers = {"a": ("key", "1"), "b": ("key", "2")}


def check(one: Answers, other: Answers, by_chance: bool = False) -> None:
    """Check two wrong labs with these answers."""
    wrong_labs = [
        dataclasses.replace(wrong_lab, by_chance=by_chance)
        for wrong_lab in (ONE, OTHER)
    ]
    check_told_apart(wrong_labs, {ONE.id: one, OTHER.id: other}, NAMES)


def test_wrong_labs_that_answer_in_different_ways_can_be_named() -> None:
    check(WRONG, WORSE)


CANNOT_BE_NAMED = pytest.mark.parametrize(
    ("one", "other", "says"),
    [
        (RIGHT, WRONG, f"{ONE.id}: no public case of {ONE.function} catches it; add one"),
        (WRONG, WRONG, f"{OTHER.id}: no case tells it from {ONE.id}; add one, or give both"),
    ],
)  # fmt: skip


@CANNOT_BE_NAMED
def test_a_wrong_lab_that_cannot_be_named_is_refused(
    one: Answers, other: Answers, says: str
) -> None:
    place = r"staff/submissions/wrong_labs.yaml:\d+"
    with pytest.raises(BadFile, match=f"^{place}: {re.escape(says)}"):
        check(one, other)


@CANNOT_BE_NAMED
def test_a_wrong_lab_that_fails_by_chance_need_not_be_named(
    one: Answers, other: Answers, says: str
) -> None:
    check(one, other, by_chance=True)


# --- what an answer depends on -------------------------------------------------------

Keys = Callable[..., dict[str, str]]


@pytest.fixture
def cases(bank: Bank) -> list[Case]:
    """The public cases of the function of a wrong lab."""
    return public_cases(bank, ONE.function)


@pytest.fixture
def keys(cases: list[Case], model: str) -> Keys:
    """The keys of the wrong lab's answers, with more code or another first case."""

    def keys(more: str = "", **changes: Any) -> dict[str, str]:
        first, *others = cases
        changed = [dataclasses.replace(first, **changes), *others]
        return keys_of(ONE, model + more, changed)

    return keys


def test_each_case_has_a_key_of_its_own(keys: Keys) -> None:
    assert len(set(keys().values())) == len(keys())


UNUSED = "\n# a comment\n\n\ndef one_more(board):\n    return board\n"


def test_what_an_answer_does_not_depend_on_leaves_its_key(keys: Keys) -> None:
    assert keys(more=UNUSED) == keys()
    assert keys(says="Said otherwise.") == keys()


def test_another_case_changes_its_own_key_alone(keys: Keys, cases: list[Case]) -> None:
    before = keys()
    after = keys(seconds=1)
    assert [id for id in before if after[id] != before[id]] == [cases[0].id]


def test_another_import_changes_all_keys(keys: Keys) -> None:
    assert not {*keys(more="\nimport math\n").values()} & {*keys().values()}


@pytest.fixture
def kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The code of the kinds, as files that a test may change."""
    copy = Path(shutil.copytree(schema.KINDS, tmp_path / "kinds"))
    monkeypatch.setattr(schema, "KINDS", copy)
    code_of_kind.cache_clear()
    yield copy
    code_of_kind.cache_clear()


@pytest.mark.parametrize(
    ("code", "is_anew"),
    [("# a comment\nimport json\n", False), ("ONE_MORE = 1\n", True)],
)
def test_an_answer_is_found_anew_if_the_code_of_its_kind_has_changed(
    code: str, is_anew: bool, kinds: Path, keys: Keys, cases: list[Case]
) -> None:
    before = keys()
    file = kinds / cases[0].graded.kind / "kind.py"
    file.write_text(file.read_text("utf-8") + code, "utf-8")
    code_of_kind.cache_clear()
    after = keys()
    changed = [id for id in before if after[id] != before[id]]
    assert changed == (list(before) if is_anew else [])


# --- files ---------------------------------------------------------------------------


def test_answers_are_kept(tmp_path: Path) -> None:
    answers = {ONE.id: WORSE, OTHER.id: RIGHT}
    write_answers(answers, tmp_path / "answers.json")
    assert read_answers(tmp_path / "answers.json") == answers


def test_a_wrong_lab_without_words_is_named_by_its_own_sentence(tmp_path: Path) -> None:
    file = tmp_path / "misconceptions.yaml"
    block = {
        "name": "adds",
        "hint": "Look.",
        "question": "Why?",
        "wrong_labs": [ONE.id],
    }
    file.write_text(json.dumps({"misconceptions": [block]}, indent=1), "utf-8")
    names = load_misconceptions(WRONG_LABS, file)
    assert names[ONE.id].name == "adds"
    assert f"It {names[OTHER.id].name}." == OTHER.mistake
    assert names[OTHER.id].hint == ""


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        ({"parts": (2,)}, SEARCHES),
        ({"parts": (3,), "show_answers": True}, {"ANSWER_2"}),
        ({"parts": (3,), "show_answers": False}, set()),
        ({"feedback": "place"}, set()),
    ],
)
def test_a_release_has_only_those_of_its_own_functions(
    choice: dict[str, Any], shown: set[str]
) -> None:
    names = release_tree(dataclasses.replace(read_course(COURSE), **choice))
    shipped = {
        Path(name).stem for name in names if name.startswith("boards/misconceptions/")
    }
    assert shipped == shown


def test_the_docs_count_them() -> None:
    text = (KIT / "docs" / "grading.md").read_text("utf-8")
    (said,) = map(int, re.findall(r"knows more than (\d+) mistakes", text))
    names = {words.name for words in NAMES.values()}
    assert said < len(names) < said + 40
