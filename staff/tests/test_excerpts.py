"""Connect Four as data: an excerpt says what the rules say, and part 2 needs no part 1."""

from pathlib import Path

import pytest

import lab
from api import AbstractGameState, ConnectFourBoard
from boards.built import board_of
from boards.cases import Bank
from boards.excerpts import read_excerpt
from boards.reading import BadFile
from grader.grading.session import Session
from grader.sandbox.opening import open_sandbox
from staff.model import MODEL, Model
from staff.strict.cases import check_files
from staff.strict.named import read_boards
from staff.strict.reading import read_yaml
from staff.tests.support.filling import fill_in
from staff.wrong_labs import with_body

SEARCH = """\
part: 2
function: minimax_search
cases:
  - id: new
    says: An ending.
    state: {{board: {}}}
    arguments: {{maximize: true}}
"""


def all_states(state: AbstractGameState) -> list[AbstractGameState]:
    return [state, *(below for child in state.generate_next_states() for below in all_states(child))]


def test_an_ending_is_played_as_the_model_plays_it(bank: Bank) -> None:
    calls = [call for case in bank.cases for call in case.calls if call.excerpt and "state" in call.inputs]
    assert len(calls) >= 5
    for excerpt, data in {call.excerpt: call.inputs["state"] for call in calls}.items():
        board = board_of(data)
        for state in all_states(read_excerpt(board, excerpt).state(board)):
            here = state.snapshot
            assert state.is_game_over() == lab.is_game_over_connectfour(here)
            assert [child.snapshot for child in state.generate_next_states()] == lab.next_boards_connectfour(here)
            for flag in (True, False) if state.is_game_over() else ():
                assert state.get_endgame_score(flag) == lab.endgame_score_connectfour(here, flag)


@pytest.mark.parametrize("body", ["return None", "raise NotImplementedError"])
def test_part_2_needs_nothing_of_part_1(body: str, bank: Bank, model: str, tmp_path: Path) -> None:
    for function in ("is_game_over_connectfour", "next_boards_connectfour", "endgame_score_connectfour"):
        model = with_body(function, body, model)
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    on_a_board = [case for case in bank.cases if case.graded.kind == "search" and case.id.endswith("/connect-four")]
    assert len({case.function for case in on_a_board}) >= 5
    with Session(tmp_path / "lab.py", bank) as session:
        assert [case.id for case in on_a_board if not session.verdict(case).passed] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [("05 x", "'x' is neither columns nor scores"), ("-1000/1000 3", "'3' is one word too many"), ("08", "neither")],
)
def test_what_is_no_excerpt(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_excerpt(ConnectFourBoard(), text)


@pytest.mark.parametrize(
    ("excerpts", "words"),
    [
        ("", "there is no excerpt of the game from .2121.1/"),
        ("excerpts: {{{}: 05 9}}", "'9' is neither columns nor scores; take this line away"),
        ("excerpts: {{{}: 05 05}}", "it ends too soon; take this line away"),
        ("excerpts: {{{}: 5}}", "` is 5; YAML does not read that as text"),
    ],
)
def test_an_excerpt_that_is_missing_or_wrong(excerpts: str, words: str, tmp_path: Path) -> None:
    name = "/".join(read_boards()["NEARLY_OVER"]["board"])
    expect = "    expect: {path: [], score: 0, evaluations: 1}\n"
    file = tmp_path / "9z-new.yaml"
    file.write_text(SEARCH.format("NEARLY_OVER") + expect + excerpts.format(name), "utf-8")
    with pytest.raises(BadFile, match=r"9z-new\.yaml:\d+: .*") as caught:
        check_files([read_yaml(file)])
    assert words in str(caught.value)


def test_make_expectations_writes_an_excerpt_and_refuses_one_that_is_too_large(tmp_path: Path) -> None:
    sandbox = open_sandbox(MODEL)
    try:
        model, file = Model(sandbox), tmp_path / "9z-new.yaml"
        file.write_text(SEARCH.format("NEARLY_OVER"), "utf-8")
        assert fill_in(file, model, write=True)[0] == f"{file}: new: excerpts of Connect Four"
        assert fill_in(file, model, write=True) == []
        file.write_text(SEARCH.format("BOARD_UHOH"), "utf-8")
        with pytest.raises(BadFile, match=r"9z-new\.yaml:4: more than 2,000 boards lie below") as caught:
            fill_in(file, model, write=True)
        assert "take a board with fewer empty squares" in str(caught.value)
    finally:
        sandbox.close()
