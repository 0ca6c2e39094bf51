"""Misconceptions: their words, what is stored of them, and what the build refuses.  No process is started here."""

import dataclasses
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank, read_points
from boards.reading import BadFile
from grader.diagnosing.diagnosis import MISCONCEPTIONS
from staff.course import read_course
from staff.misconceptions import (
    MOST_WORDS,
    Stored,
    bring_up_to_date,
    check_told_apart,
    key_of,
    load_misconceptions,
    public_cases,
    stored_answers,
)
from staff.release.tree import KIT, release_tree
from staff.tests.support.masters import COURSE
from staff.wrong_labs import WrongLab, load_wrong_labs

WRONG_LABS = load_wrong_labs()
NAMES = load_misconceptions(WRONG_LABS)
ONE, OTHER, _ = WRONG_LABS[:3]
SEARCHES = {function for part in read_points() for function in part.functions if part.number == 2}


def test_every_wrong_lab_has_words_that_help() -> None:
    for words in NAMES.values():
        assert words.name and words.name[0].islower() and not words.name.endswith(".")
        assert 8 <= len(words.hint.split()) <= MOST_WORDS and words.hint.endswith((".", "?"))
        assert words.question.endswith("?")


def test_what_is_stored_holds_no_code_of_a_chaff() -> None:
    code = {text for wrong_lab in WRONG_LABS for pair in wrong_lab.replace for text in pair if len(text) > 24}
    code |= {line.strip() for wrong_lab in WRONG_LABS for line in wrong_lab.body.splitlines() if len(line.strip()) > 24}
    for file in MISCONCEPTIONS.glob("*.json"):
        text = json.dumps(json.loads(file.read_text("utf-8")), ensure_ascii=False)
        assert not [line for line in code if line in text]


def test_all_wrong_lab_are_stored_and_told_apart() -> None:
    stored = stored_answers()
    assert stored.keys() == NAMES.keys()
    check_told_apart({wrong_lab: stored[wrong_lab.id] for wrong_lab in WRONG_LABS}, NAMES)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({ONE: {}, OTHER: {"a": "1"}}, f"{ONE.id}: no public case of {ONE.function} catches it; add one"),
        ({ONE: {"a": "1"}, OTHER: {"a": "1"}}, f"{OTHER.id}: no case tells it from {ONE.id}; add one, or give both"),
        ({ONE: {"a": "1"}, OTHER: {"a": "1", "b": "2"}}, ""),
        ({dataclasses.replace(ONE, by_chance=True): {}, OTHER: {"a": "1"}}, ""),
    ],
)
def test_a_wrong_lab_that_cannot_be_named_is_refused(answers: dict[WrongLab, dict[str, str]], said: str) -> None:
    found = {wrong_lab: Stored("", own) for wrong_lab, own in answers.items()}
    if not said:
        check_told_apart(found, NAMES)
        return
    with pytest.raises(BadFile) as refused:
        check_told_apart(found, NAMES)
    assert f"{said}" in str(refused.value) and str(refused.value).startswith("staff/wrong_labs.yaml:")
    check_told_apart(found if "catches" not in said else {}, dict.fromkeys(NAMES, NAMES[ONE.id]))


def test_a_key_changes_with_the_code_and_the_cases_and_nothing_else(bank: Bank, model: str) -> None:
    wrong_lab = next(wrong_lab for wrong_lab in WRONG_LABS if wrong_lab.function == "minimax_search")
    cases = public_cases(bank, wrong_lab.function)
    key = key_of(wrong_lab, model, cases)
    assert key == key_of(wrong_lab, model.replace("Minimax down to", "Minimax  down to") + "\n# a comment\n", cases)
    assert key == key_of(wrong_lab, model, [dataclasses.replace(cases[0], says="Said otherwise."), *cases[1:]])
    assert key != key_of(wrong_lab, model + "\nanother = 1\n", cases)
    assert key != key_of(wrong_lab, model, cases[1:])


def write(folder: Path, text: str) -> Path:
    (folder / "misconceptions.yaml").write_text(text, "utf-8")
    return folder / "misconceptions.yaml"


BLOCK = f"""misconceptions:
- name: adds two
  hint: Look at the sum.
  question: What is 1 + 1?
  wrong_labs: [{ONE.id}]
"""


def test_a_function_without_public_cases_has_a_key_too(bank: Bank, model: str) -> None:
    """So that its wrong_labs are refused in a line, as caught by none."""
    assert key_of(ONE, model, []) != key_of(ONE, model, public_cases(bank, ONE.function))


def test_who_waits_is_told_what_is_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    there = stored_answers()
    old = "minimax-one-ply-short"
    monkeypatch.setattr("staff.misconceptions.stored_answers", lambda: there | {old: Stored("", {})})
    monkeypatch.setattr("staff.misconceptions.run", lambda wrong_lab, *_: there[wrong_lab.id])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert bring_up_to_date(check=False) == []
    assert capsys.readouterr().err == "... running 1 wrong lab of minimax_search\n"


def test_a_wrong_lab_without_words_is_named_by_its_own_sentence(tmp_path: Path) -> None:
    found = load_misconceptions(WRONG_LABS, write(tmp_path, BLOCK))
    assert found[ONE.id].name == "adds two"
    assert f"It {found[OTHER.id].name}." == OTHER.mistake and found[OTHER.id].hint == ""


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("  hint: Look at the sum.\n", "", 2, "`hint` is missing"),
        ("Look at the sum.", "word " * 81, 3, "the hint has 81 words; 80 are the most that somebody reads"),
        (ONE.id, "no-such-wrong_lab", 5, "`no-such-wrong_lab` is no wrong_lab of wrong_labs.yaml"),
        ("question:", "ask:", 4, "ask"),
        (BLOCK[16:], BLOCK[16:] * 2, 6, "this name stands in line 2 already"),
        (BLOCK[16:], BLOCK[16:] + BLOCK[16:].replace("adds two", "adds"), 9, f"`{ONE.id}` is in two lists"),
    ],
)
def test_a_mistake_in_the_words_is_named(old: str, new: str, line: int, said: str, tmp_path: Path) -> None:
    assert old in BLOCK
    with pytest.raises(BadFile) as refused:
        load_misconceptions(WRONG_LABS, write(tmp_path, BLOCK.replace(old, new)))
    assert f"misconceptions.yaml:{line}: " in str(refused.value) and said in str(refused.value)


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        ({"parts": (2,)}, SEARCHES),
        ({"parts": (3,), "show_answers": True}, {"ANSWER_2"}),
        ({"parts": (3,), "show_answers": False}, set()),
        ({"feedback": "place"}, set()),
        ({"feedback": "verdict"}, set()),
    ],
)
def test_a_release_has_only_those_of_its_own_functions(choice: dict[str, Any], shown: set[str]) -> None:
    names = release_tree(dataclasses.replace(read_course(COURSE), **choice))
    shipped = {Path(name).stem for name in names if name.startswith("boards/misconceptions/")}
    assert shipped == shown


def test_the_readme_counts_them() -> None:
    said = re.search(r"one of more than (\d+)\s+known ones", (KIT / "README.md").read_text("utf-8"))
    files = (json.loads(file.read_text("utf-8")) for file in MISCONCEPTIONS.glob("*.json"))
    names = {known["name"] for file in files for known in file["misconceptions"]}
    assert said and int(said[1]) < len(names) < int(said[1]) + 40
