"""Connect Four as data: an excerpt says what the rules say."""

import itertools

import pytest

import lab
from api import AbstractGameState, ConnectFourBoard
from boards.built import board_of
from boards.excerpts import read_excerpt
from grader.bank.cases import Bank


def all_states(state: AbstractGameState) -> list[AbstractGameState]:
    """A state and all states below it."""
    below = map(all_states, state.generate_next_states())
    return [state, *itertools.chain.from_iterable(below)]


@pytest.fixture(scope="module")
def states(bank: Bank) -> list[AbstractGameState]:
    """All states of all excerpts of cases."""
    positions = {
        call.excerpt: board_of(call.inputs["state"])
        for case in bank.cases
        for call in case.calls
        if call.excerpt and "state" in call.inputs
    }
    assert len(positions) >= 2
    starts = [
        read_excerpt(board, excerpt).state(board)
        for excerpt, board in positions.items()
    ]
    return [state for start in starts for state in all_states(start)]


def test_an_excerpt_ends_where_the_model_says(states: list[AbstractGameState]) -> None:
    for state in states:
        assert state.is_game_over() == lab.is_game_over_connectfour(state.snapshot)


def test_an_excerpt_has_the_moves_of_the_model(states: list[AbstractGameState]) -> None:
    for state in states:
        after = [child.snapshot for child in state.generate_next_states()]
        assert after == lab.next_boards_connectfour(state.snapshot)


@pytest.mark.parametrize("flag", [True, False])
def test_an_excerpt_has_the_scores_of_the_model(
    flag: bool, states: list[AbstractGameState]
) -> None:
    for state in states:
        if state.is_game_over():
            score = lab.endgame_score_connectfour(state.snapshot, flag)
            assert state.get_endgame_score(flag) == score


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("05 x", "'x' is neither columns nor scores"),
        ("-1000/1000 3", "'3' is one word too many"),
        ("08", "neither"),
    ],
)
def test_what_is_no_excerpt(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_excerpt(ConnectFourBoard(), text)
