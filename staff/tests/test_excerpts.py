"""Connect Four as data: an excerpt says what the rules say."""

import pytest

import lab
from api import AbstractGameState, ConnectFourBoard
from boards.built import board_of
from boards.excerpts import read_excerpt
from grader.bank.cases import Bank


def all_states(state: AbstractGameState) -> list[AbstractGameState]:
    return [
        state,
        *(
            below
            for child in state.generate_next_states()
            for below in all_states(child)
        ),
    ]


def test_an_ending_is_played_as_the_model_plays_it(bank: Bank) -> None:
    calls = [
        call
        for case in bank.cases
        for call in case.calls
        if call.excerpt and "state" in call.inputs
    ]
    assert len(calls) >= 5
    for excerpt, data in {call.excerpt: call.inputs["state"] for call in calls}.items():
        board = board_of(data)
        for state in all_states(read_excerpt(board, excerpt).state(board)):
            here = state.snapshot
            assert state.is_game_over() == lab.is_game_over_connectfour(here)
            assert [
                child.snapshot for child in state.generate_next_states()
            ] == lab.next_boards_connectfour(here)
            for flag in (True, False) if state.is_game_over() else ():
                assert state.get_endgame_score(flag) == lab.endgame_score_connectfour(
                    here, flag
                )


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
