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

Square = tuple[int, int]  # row and column
ROWS = range(6)
COLUMNS = range(7)


def open_columns(board: ConnectFourBoard) -> list[int]:
    """The columns that are not full."""
    return [column for column in COLUMNS if not board.is_column_full(column)]


def mover_on(board: ConnectFourBoard) -> int:
    """The piece of the player to move."""
    return 1 + board.count_pieces() % 2


def random_boards(number: int, seed: int = 7) -> Iterator[ConnectFourBoard]:
    """Boards after a random number of random moves."""
    chooser = random.Random(seed)
    for _ in range(number):
        board = ConnectFourBoard(players=("Ada", "Bob"))
        for _ in range(chooser.randrange(43)):
            board = board.add_piece(chooser.choice(open_columns(board)))
        yield board


# --- chains --------------------------------------------------------------------------


def chains_by_looking(board: ConnectFourBoard) -> list[list[int]]:
    """The plain version of api/chains.py, which looks at one square after another."""
    by_row = [(row, col) for row in ROWS for col in COLUMNS]
    by_column = [(row, col) for col in COLUMNS for row in ROWS]
    pieces = {(row, col): board.get_piece(col, row) for row, col in by_row}
    chains = [[pieces[square]] for square in by_row if is_lone(square, pieces)]
    across, upright, falling, rising = (0, 1), (1, 0), (1, 1), (1, -1)
    directions = {across: by_row, upright: by_column, rising: by_row, falling: by_row}
    for (down, right), squares in directions.items():
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


def test_chains_on_random_boards() -> None:
    for board in random_boards(400):
        chains = chains_by_looking(board)
        mine = [chain for chain in chains if chain[0] == mover_on(board)]
        others = [chain for chain in chains if chain[0] != mover_on(board)]
        assert board.get_all_chains() == chains
        assert board.get_all_chains(True) == mine
        assert board.get_all_chains(False) == others


def test_the_example_of_the_lab_text() -> None:
    board = BOARD_REDFISH_WON_LESS_FAST
    assert board.get_all_chains() == [[1], [2, 2, 2], [1, 1, 1, 1], [2, 2], [2, 2]]
    assert board.get_all_chains(True) == [[2, 2, 2], [2, 2], [2, 2]]
    assert board.players == ["Blue Fish", "Red Fish"]


# --- names ---------------------------------------------------------------------------


def test_star_gives_just_the_documented_names() -> None:
    names: dict[str, object] = {}
    exec("from api import *", names)
    listed = re.findall(r"^((?:\w+, )*\w+)  +\S", api.__doc__ or "", re.MULTILINE)
    documented = {name for line in listed for name in line.split(", ")}
    assert names.keys() - {"__builtins__"} == documented
    assert set(api.__all__) == documented


@pytest.mark.parametrize("name", [name for name in api.__all__ if name != "INF"])
def test_every_public_name_has_an_example(name: str) -> None:
    assert ">>>" in (getattr(api, name).__doc__ or "")


# --- boards --------------------------------------------------------------------------


def test_a_board_is_its_array_again() -> None:
    for board in random_boards(60):
        again = ConnectFourBoard(board.board_array, players=("Ada", "Bob"))
        assert again == board
        assert hash(again) == hash(board)
        assert again.board_array == board.board_array
        assert again.players == board.players


def test_a_copy_of_a_board_is_equal_to_it() -> None:
    for board in random_boards(60):
        assert board.copy() == board
        assert copy.deepcopy(board) == board


def test_a_board_of_other_players_is_another_board() -> None:
    for board in random_boards(60):
        assert board != ConnectFourBoard(board.board_array, players=("Eve", "Bob"))


def test_a_move_changes_one_square_and_the_turn() -> None:
    for board in random_boards(60):
        for column in open_columns(board):
            after = board.add_piece(column)
            expected = board.board_array
            row = 5 - board.get_column_height(column)
            expected[row][column] = mover_on(board)
            assert after.board_array == expected
            assert after.players == board.players[::-1]
            name = board.get_current_player_name()
            said = f"Put {name}'s piece in column {column}."
            assert after.prev_move_string() == said


def test_a_full_column_takes_no_piece() -> None:
    full = [
        (board, column)
        for board in random_boards(60)
        for column in COLUMNS
        if board.is_column_full(column)
    ]
    assert full
    for board, column in full:
        with pytest.raises(IndexError, match="full"):
            board.add_piece(column)


ONE_MOVE = ConnectFourBoard().add_piece(0).board_array


def test_the_players_are_given_in_the_order_of_their_first_moves() -> None:
    board = ConnectFourBoard(ONE_MOVE, ("Ada", "Bob"))
    assert board.players == ["Bob", "Ada"]


@pytest.mark.parametrize(("whose_turn", "first"), [("Ada", "Bob"), ("Bob", "Ada")])
def test_whose_turn_it_is_decides_whose_the_pieces_are(
    whose_turn: str, first: str
) -> None:
    board = ConnectFourBoard(ONE_MOVE, ("Ada", "Bob"), whose_turn=whose_turn)
    assert board.get_player_name(1) == first


def test_it_is_nobody_elses_turn() -> None:
    with pytest.raises(ValueError, match="the players are 'Ada' and 'Bob'"):
        ConnectFourBoard(ONE_MOVE, ("Ada", "Bob"), whose_turn="Eve")


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
@pytest.mark.parametrize("method", ["count_pieces", "get_all_chains"])
def test_current_player_is_a_bool_or_none(method: str, wrong: Any) -> None:
    with pytest.raises(TypeError):
        getattr(NEARLY_OVER, method)(wrong)


@pytest.mark.parametrize("number", [-1, 7])
@pytest.mark.parametrize(
    "ask",
    [
        NEARLY_OVER.add_piece,
        NEARLY_OVER.is_column_full,
        NEARLY_OVER.get_column_height,
        lambda column: NEARLY_OVER.get_piece(column, 0),
        lambda row: NEARLY_OVER.get_piece(0, row),
    ],
)
def test_no_such_column_or_row(ask: Callable[[int], object], number: int) -> None:
    with pytest.raises(IndexError):
        ask(number)


# --- states --------------------------------------------------------------------------


def countdown(**functions: Callable[..., Any]) -> AbstractGameState:
    """A game that counts from 3 down to 0, with other functions for some rules."""
    rules: dict[str, Callable[..., Any]] = {
        "is_game_over_fn": lambda n: n == 0,
        "generate_next_states_fn": lambda n: [n - 1],
        "endgame_score_fn": lambda n, is_current_player_maximizer: 5,
    }
    return AbstractGameState(3, *(rules | functions).values())


def test_a_state_that_is_not_over_has_no_endgame_score() -> None:
    with pytest.raises(ValueError, match="not over"):
        countdown().get_endgame_score()


def test_a_state_that_is_over_has_a_score_and_no_next_states() -> None:
    *_, end = move_sequence(countdown(), [0, 0, 0])
    assert end.get_endgame_score(False) == 5
    assert end.get_endgame_score(is_current_player_maximizer=True) == 5
    assert end.generate_next_states() == []


def test_rules_that_contradict_each_other_are_named() -> None:
    def no_moves(n: int) -> list[int]:
        return []

    def never_over(n: int) -> bool:
        return False

    state = countdown(is_game_over_fn=never_over, generate_next_states_fn=no_moves)
    with pytest.raises(ValueError, match=r"never_over .* no_moves"):
        state.generate_next_states()


def test_states_are_values() -> None:
    start = as_game_state(TicTacToe())
    first, middle, last = move_sequence(start, [4, 0])
    assert first == start
    assert start.copy() == start
    assert last.restart() == start
    assert len({first, middle, last, *move_sequence(start, [4, 0])}) == 3
    assert start.get_snapshot() is start.snapshot


def test_a_state_is_shown_with_its_last_move() -> None:
    start = as_game_state(TicTacToe())
    *_, last = move_sequence(start, [4, 0])
    assert last.describe_previous_move() == "Put O in the top left corner."
    assert str(start) == ". . .\n. . .\n. . ."


@pytest.mark.parametrize("wrong", [None, 3, (1, 2), "abc", {1, 2, 3}])
def test_an_anytime_value_takes_three(wrong: object) -> None:
    with pytest.raises(TypeError):
        AnytimeValue().set_value(wrong)  # type: ignore[arg-type]
