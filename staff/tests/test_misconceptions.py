"""Misconceptions: their words, what is stored of them, and what the build refuses.  No
process is started here.
"""

import dataclasses
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from boards.reading import BadFile
from grader.bank.cases import Bank
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


def test_every_wrong_lab_has_words_that_help() -> None:
    for words in NAMES.values():
        assert words.name and words.name[0].islower() and not words.name.endswith(".")
        assert 8 <= len(words.hint.split()) <= 80 and words.hint.endswith((".", "?"))
        assert words.question.endswith("?")


def test_what_is_stored_holds_no_code_of_a_wrong_lab() -> None:
    code: set[str] = set()
    for wrong_lab in WRONG_LABS:
        for pair in wrong_lab.replace:
            code.update(pair)
        code.update(line.strip() for line in wrong_lab.body.splitlines())
    for file in MISCONCEPTIONS.glob("*.json"):
        text = json.dumps(json.loads(file.read_text("utf-8")), ensure_ascii=False)
        assert not [line for line in code if len(line) > 24 and line in text]


def test_what_ships_is_what_is_kept() -> None:
    shipped = dict[str, dict[str, str]]()
    for file in MISCONCEPTIONS.glob("*.json"):
        for each in json.loads(file.read_text("utf-8"))["misconceptions"]:
            shipped |= {id: wrong["cases"] for id, wrong in each["wrong"].items()}
    assert shipped == {id: failed_by(answers) for id, answers in read_answers().items()}
    assert shipped.keys() == NAMES.keys()


WRONG, WORSE, RIGHT = (
    {"a": ("key", "1")},
    {"a": ("key", "1"), "b": ("key", "2")},
    {"a": ("key", "")},
)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (
            RIGHT,
            WRONG,
            f"{ONE.id}: no public case of {ONE.function} catches it; add one",
        ),
        (
            WRONG,
            WRONG,
            f"{OTHER.id}: no case tells it from {ONE.id}; add one, or give both",
        ),
        (WRONG, WORSE, ""),
    ],
)
def test_a_wrong_lab_that_cannot_be_named_is_refused(
    one: Answers, other: Answers, said: str
) -> None:
    stored = {ONE.id: one, OTHER.id: other}
    if said:
        with pytest.raises(
            BadFile, match=rf"^staff/submissions/wrong_labs.yaml:\d+: {re.escape(said)}"
        ):
            check_told_apart((ONE, OTHER), stored, NAMES)
        by_chance = [
            dataclasses.replace(wrong_lab, by_chance=True) for wrong_lab in (ONE, OTHER)
        ]
        check_told_apart(by_chance, stored, NAMES)
    else:
        check_told_apart((ONE, OTHER), stored, NAMES)


def test_a_key_changes_with_what_the_answer_depends_on_and_with_nothing_else(
    bank: Bank, model: str
) -> None:
    wrong_lab = next(
        wrong_lab for wrong_lab in WRONG_LABS if wrong_lab.function == "minimax_search"
    )
    first, second, *_ = cases = public_cases(bank, wrong_lab.function)
    keys = keys_of(wrong_lab, model, cases)
    assert len(set(keys.values())) == len(cases)
    elsewhere = model + "\n# a comment\n\n\ndef one_more(board):\n    return board\n"
    assert keys_of(wrong_lab, elsewhere, cases) == keys
    assert (
        keys_of(
            wrong_lab,
            model,
            [dataclasses.replace(first, says="Said otherwise."), second],
        ).items()
        <= keys.items()
    )
    other = keys_of(wrong_lab, model, [dataclasses.replace(first, seconds=1), second])
    assert other[first.id] != keys[first.id] and other[second.id] == keys[second.id]
    assert not set(keys_of(wrong_lab, model + "\nimport math\n", cases).values()) & set(
        keys.values()
    )


def test_answers_are_kept(tmp_path: Path) -> None:
    answers = {ONE.id: WORSE, OTHER.id: RIGHT}
    write_answers(answers, tmp_path / "answers.json")
    assert read_answers(tmp_path / "answers.json") == answers


def test_an_answer_is_found_anew_if_the_code_of_its_kind_has_changed(
    bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = public_cases(bank, ONE.function)
    before = keys_of(ONE, model, cases)
    kind = cases[0].graded.kind
    shutil.copytree(schema.KINDS, tmp_path / "kinds")
    monkeypatch.setattr(schema, "KINDS", tmp_path / "kinds")
    for text, is_anew in (
        ("# a comment\nimport json\n", False),
        ("ONE_MORE = 1\n", True),
    ):
        with (tmp_path / "kinds" / kind / "kind.py").open(
            "a", encoding="utf-8"
        ) as file:
            file.write(text)
        code_of_kind.cache_clear()
        now = keys_of(ONE, model, cases)
        assert [now[case] != before[case] for case in before] == [is_anew] * len(
            cases
        ), text
    monkeypatch.undo()
    code_of_kind.cache_clear()


def test_a_wrong_lab_without_words_is_named_by_its_own_sentence(tmp_path: Path) -> None:
    file = tmp_path / "misconceptions.yaml"
    block = {
        "name": "adds",
        "hint": "Look.",
        "question": "Why?",
        "wrong_labs": [ONE.id],
    }
    file.write_text(json.dumps({"misconceptions": [block]}, indent=1), "utf-8")
    found = load_misconceptions(WRONG_LABS, file)
    assert found[ONE.id].name == "adds"
    assert f"It {found[OTHER.id].name}." == OTHER.mistake and found[OTHER.id].hint == ""


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
    said = re.search(
        r"knows more than (\d+) mistakes",
        (KIT / "docs" / "grading.md").read_text("utf-8"),
    )
    names = {words.name for words in NAMES.values()}
    assert said and int(said[1]) < len(names) < int(said[1]) + 40
