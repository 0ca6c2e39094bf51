"""The api against slow and simple versions of itself, and every promise of the lab text
that it makes.
"""

import copy
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import api
from api import (
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    TicTacToe,
    as_game_state,
    move_sequence,
)
from boards import BOARD_REDFISH_WON_LESS_FAST, NEARLY_OVER

Square = tuple[int, int]


def random_boards(number: int, seed: int = 7) -> Iterator[ConnectFourBoard]:
    chooser = random.Random(seed)
    for _ in range(number):
        board = ConnectFourBoard(players=("Ada", "Bob"))
        for _ in range(chooser.randrange(43)):
            board = board.add_piece(
                chooser.choice(
                    [column for column in range(7) if not board.is_column_full(column)]
                )
            )
        yield board


def chains_by_looking(board: ConnectFourBoard) -> list[list[int]]:
    """The plain version of api/chains.py, which looks at one square after another."""
    by_row = [(row, col) for row in range(6) for col in range(7)]
    by_column = [(row, col) for col in range(7) for row in range(6)]
    pieces = {(row, col): board.get_piece(col, row) for row, col in by_row}
    chains = [[pieces[square]] for square in by_row if is_lone(square, pieces)]
    for down, right, squares in (
        (0, 1, by_row),
        (1, 0, by_column),
        (1, -1, by_row),
        (1, 1, by_row),
    ):
        for row, col in squares:
            length = length_of_run(row, col, down, right, pieces)
            if length > 1:
                chains.append([pieces[row, col]] * length)
    return chains


def is_lone(square: Square, pieces: dict[Square, int]) -> bool:
    """Whether a piece has no equal piece on the eight squares around it."""
    row, col = square
    around = [
        pieces.get((row + down, col + right))
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down, right) != (0, 0)
    ]
    return pieces[square] > 0 and pieces[square] not in around


def length_of_run(
    row: int, col: int, down: int, right: int, pieces: dict[Square, int]
) -> int:
    """The number of equal pieces in a direction; 0 if they do not begin here."""
    piece = pieces[row, col]
    if not piece or pieces.get((row - down, col - right)) == piece:
        return 0
    length = 1
    while pieces.get((row + length * down, col + length * right)) == piece:
        length += 1
    return length


def test_star_gives_just_the_documented_names() -> None:
    names: dict[str, object] = {}
    exec("from api import *", names)
    listed = re.findall(r"^((?:\w+, )*\w+)  +\S", api.__doc__ or "", re.MULTILINE)
    documented = {name for line in listed for name in line.split(", ")}
    assert names.keys() - {"__builtins__"} == documented == set(api.__all__)


@pytest.mark.parametrize("name", [name for name in api.__all__ if name != "INF"])
def test_every_public_name_has_an_example(name: str) -> None:
    assert ">>>" in (getattr(api, name).__doc__ or ""), name


def test_chains_on_random_boards() -> None:
    for board in random_boards(400):
        chains = chains_by_looking(board)
        assert board.get_all_chains() == chains
        mover = 1 + board.count_pieces() % 2
        assert board.get_all_chains(True) == [
            chain for chain in chains if chain[0] == mover
        ]
        assert board.get_all_chains(False) == [
            chain for chain in chains if chain[0] != mover
        ]


def test_the_example_of_the_lab_text() -> None:
    board = BOARD_REDFISH_WON_LESS_FAST
    assert board.get_all_chains() == [[1], [2, 2, 2], [1, 1, 1, 1], [2, 2], [2, 2]]
    assert board.get_all_chains(True) == [[2, 2, 2], [2, 2], [2, 2]]
    assert board.players == ["Blue Fish", "Red Fish"]


def test_a_board_is_its_array_again() -> None:
    for board in random_boards(60):
        again = ConnectFourBoard(board.board_array, players=("Ada", "Bob"))
        assert again == board
        assert hash(again) == hash(board)
        assert again.board_array == board.board_array
        assert again.players == board.players
        assert board.copy() == board == copy.deepcopy(board)
        assert again != ConnectFourBoard(board.board_array, players=("Eve", "Bob"))


def test_a_move_changes_one_square_and_the_turn() -> None:
    for board in random_boards(60):
        for column in range(7):
            if board.is_column_full(column):
                with pytest.raises(IndexError, match="full"):
                    board.add_piece(column)
                continue
            row, piece = (
                5 - board.get_column_height(column),
                1 + board.count_pieces() % 2,
            )
            after = board.add_piece(column)
            wanted = board.board_array
            wanted[row][column] = piece
            assert after.board_array == wanted
            assert after.players == board.players[::-1]
            assert (
                after.prev_move_string()
                == f"Put {board.get_current_player_name()}'s piece in column {column}."
            )


def test_who_is_who() -> None:
    array = ConnectFourBoard().add_piece(0).board_array
    assert ConnectFourBoard(array, ("Ada", "Bob")).players == ["Bob", "Ada"]
    assert (
        ConnectFourBoard(array, ("Ada", "Bob"), whose_turn="Ada").get_player_name(1)
        == "Bob"
    )
    assert (
        ConnectFourBoard(array, ("Ada", "Bob"), whose_turn="Bob").get_player_name(1)
        == "Ada"
    )
    with pytest.raises(ValueError, match="the players are 'Ada' and 'Bob'"):
        ConnectFourBoard(array, ("Ada", "Bob"), whose_turn="Eve")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda array: array.pop(), "6 rows, not 5"),
        (lambda array: array[2].pop(), "row 2 has 6 squares"),
        (lambda array: array[5].__setitem__(1, 3), "row 5, column 1 holds 3"),
        (lambda array: array[5].__setitem__(1, True), "row 5, column 1 holds True"),
        (lambda array: array[4].__setitem__(1, 1), "row 4, column 1 floats"),
        (lambda array: array[5].__setitem__(slice(2, 4), [1, 1]), "players alternate"),
        (lambda array: array[5].__setitem__(2, 2), "players alternate"),
    ],
)
def test_an_impossible_array(
    change: Callable[[list[list[Any]]], object], words: str
) -> None:
    array = [[0] * 7 for _ in range(6)]
    change(array)
    with pytest.raises(ValueError, match=words):
        ConnectFourBoard(array)


@pytest.mark.parametrize("wrong", [0, 1, "True", 2.0])
def test_current_player_is_a_bool_or_none(wrong: Any) -> None:
    for method in (NEARLY_OVER.count_pieces, NEARLY_OVER.get_all_chains):
        with pytest.raises(TypeError):
            method(wrong)


@pytest.mark.parametrize("column", [-1, 7])
def test_no_such_column(column: int) -> None:
    for method in (
        NEARLY_OVER.add_piece,
        NEARLY_OVER.is_column_full,
        NEARLY_OVER.get_column_height,
    ):
        with pytest.raises(IndexError):
            method(column)
    with pytest.raises(IndexError):
        NEARLY_OVER.get_piece(column, 0)
    with pytest.raises(IndexError):
        NEARLY_OVER.get_piece(0, column)


def broken_state(**functions: Callable[..., Any]) -> AbstractGameState:
    rules: dict[str, Callable[..., Any]] = {
        "is_game_over_fn": lambda n: n == 0,
        "generate_next_states_fn": lambda n: [n - 1],
        "endgame_score_fn": lambda n, is_current_player_maximizer: 5,
    }
    return AbstractGameState(
        3, *(functions.get(name, rule) for name, rule in rules.items())
    )


def test_a_state_that_is_not_over_has_no_endgame_score() -> None:
    with pytest.raises(ValueError, match="not over"):
        broken_state().get_endgame_score()
    end = move_sequence(broken_state(), [0, 0, 0])[-1]
    assert (
        end.get_endgame_score(False)
        == end.get_endgame_score(is_current_player_maximizer=True)
        == 5
    )
    assert end.generate_next_states() == []


def test_rules_that_contradict_each_other_are_named() -> None:
    def no_moves(n: int) -> list[int]:
        return []

    def never_over(n: int) -> bool:
        return False

    state = broken_state(is_game_over_fn=never_over, generate_next_states_fn=no_moves)
    with pytest.raises(ValueError, match=r"never_over .* no_moves"):
        state.generate_next_states()


def test_states_are_values() -> None:
    state = as_game_state(TicTacToe())
    path = move_sequence(state, [4, 0])
    assert path[0] == state == path[-1].restart() == state.copy()
    assert len({*path, *move_sequence(state, [4, 0])}) == 3
    assert path[-1].describe_previous_move() == "Put O in the top left corner."
    assert str(state) == ". . .\n. . .\n. . ."
    assert state.get_snapshot() is state.snapshot


@pytest.mark.parametrize("wrong", [None, 3, (1, 2), "abc", {1, 2, 3}])
def test_an_anytime_value_takes_three(wrong: object) -> None:
    with pytest.raises(TypeError):
        AnytimeValue().set_value(wrong)  # type: ignore[arg-type]
