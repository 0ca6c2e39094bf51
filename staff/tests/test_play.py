"""make play: what people type and read, with right labs, unwritten labs and labs that fail in the game."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from staff.release.regions import without_solutions
from staff.tests.conftest import KIT
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

SEARCH = "minimax_search_alphabeta"
GAMES = ("connect_four", "tic_tac_toe", "nim:6", "very_dumb_nim", "zero_by:9:1:3:4")
PLAYERS = ("random:3", "minimax:2", "alphabeta:2", "deepening:0.05s", "deepening:2", "perfect")


class Played(NamedTuple):
    """A game: its exit status, what the player reads, with and without the breaks of lines, and standard error."""

    status: int
    out: str
    words: str
    err: str


def play(words: str, typed: str = "", lab: Path = KIT / "lab.py") -> Played:
    """`python -m grader play WORDS` with these lines typed.

    Whatever is played, every line fits 80 columns, is plain ASCII, and no traceback is seen.
    """
    done = subprocess.run(
        [sys.executable, "-m", "grader", "play", *words.split()],
        cwd=KIT, input=typed, capture_output=True, text=True, timeout=LONG, env={**os.environ, "LAB": str(lab)},
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stdout.isascii() and "\x1b" not in done.stdout
    assert max(map(len, ["", *done.stdout.splitlines()])) < 80
    return Played(done.returncode, done.stdout, " ".join(done.stdout.split()), done.stderr)


def lab_with(folder: Path, text: str) -> Path:
    (folder / "lab.py").write_text(text, encoding="utf-8")
    return folder / "lab.py"


def left(game: Played) -> list[int]:
    """How many pieces of nim are left, from board to board."""
    return [int(number) for number in re.findall(r"(\d+) left", game.out)]


# --- games that people play ------------------------------------------------------------------------


def test_human_against_minimax_of_depth_three_on_nim() -> None:
    """The last example of the slides: who plays perfectly wins from 15 pieces."""
    game = play("nim --maxie human --minnie minimax:3", "2\n3\n3\n3\n")
    assert game.status == 0
    assert left(game) == [15, 12, 8, 4]
    assert "Minnie plays 1: depth 3, score 1000 (Maxie wins), " in game.out
    assert game.out.endswith("    nothing is left\n\nMaxie wins.\n")


@pytest.mark.parametrize(
    ("words", "typed", "told"),
    [
        ("tic_tac_toe --maxie alphabeta:9", "q\n", "Maxie plays 0: depth 9, score 0, "),
        ("tic_tac_toe --maxie human --minnie human", "0\n3\n1\n4\n2\n", "[X]|[X]|[X] ---+---+--- O | O | 5 "),
        ("zero_by 5 1 3 4 --minnie perfect", "3\n", "Minnie plays 2. nothing is left Minnie wins."),
        ("nim --minnie minimax:3", "h\nq\n", "Hint: minimax:3 would play 2: depth 3, score 1000 (Maxie wins), 27 "),
        ("--minnie random", "h\nq\n", "Hint: alphabeta:4 would play "),
        ("", "0\n0\n0\n6\n6\n6\n", "Maxie (X) is human, Minnie (O) is alphabeta:4. Type a move; or u to take one back"),
        ("", "0\n0\n0\n6\n6\n6\n", " [O] "),
        ("", "0\n0\n0\n6\n6\n6\n", "| Minnie wins."),
        ("nim", "four\nq\n", "'four' is no move here. Possible: 1, 2, 3; or u, h, q."),
        ("nim:3 --maxie perfect --minnie minimax:3", "", "Maxie plays 2. o 1 left Minnie plays 1: "),
    ],
)
def test_what_a_game_tells(words: str, typed: str, told: str) -> None:
    game = play(words, typed)
    assert game.status == 0 and game.err == ""
    assert told in game.words


@pytest.mark.parametrize("typed", ["", "3\n", "3\nh\n"])
def test_the_end_of_the_input_ends_the_game(typed: str) -> None:
    game = play("--minnie alphabeta:2", typed)
    assert (game.status, game.err) == (0, "")
    assert game.out.endswith("Maxie, your move (0, 1, 2, 3, 4, 5, 6): \n")


def test_undo_goes_back_to_the_last_turn_of_the_human() -> None:
    game = play("nim --minnie random:1", "u\n1\n1\nu\nu\nu\nq\n")
    first, second, third, *back = left(game)
    assert back == [second, first] and third < second < first == 15
    assert game.out.count("There is no move of yours to take back.") == 2


# --- matches ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_player_plays_every_game(game: str, player: str) -> None:
    match = play(f"{game} --maxie {player} --minnie random:1 --games 2")
    if (game, player) == ("connect_four", "perfect"):
        assert match.status == 2 and "connect_four is too large; try alphabeta:4" in match.err
        return
    assert match.status == 0
    assert match.out.startswith(f"2 games, Maxie {player} against Minnie random:1\n")
    assert sum(int(number) for number in re.findall(r"^ +(\d+)  .+\.$", match.out, re.MULTILINE)) == 2
    assert re.search(r"^Moves a game: \d+ to \d+, [\d.]+ on average\.$", match.out, re.MULTILINE)


def test_a_match_can_be_repeated_with_the_seed_that_it_names() -> None:
    first = play("tic_tac_toe --maxie random --minnie random --games 50").out
    maxie, minnie = re.findall(r"random:\d+", first)
    assert play(f"tic_tac_toe --maxie {maxie} --minnie {minnie} --games 50").out == first


# --- labs that are not there yet, or fail ------------------------------------------------------------


def test_before_a_line_is_written(model: str, tmp_path: Path) -> None:
    """Connect Four waits for the student's rules; a player that is not written is one at random."""
    stub = lab_with(tmp_path, without_solutions(model, Path("lab.py")))
    game = play("", "3\n", stub)
    assert (game.status, game.err) == (1, "")
    assert game.words == (
        "Connect Four is played by your part 1, and waits for it: is_game_over_connectfour is not written yet. "
        "Meanwhile there are other games, such as nim."
    )
    for word in ("alphabeta:4", "minimax:3", "deepening:1s", "perfect"):
        game = play(f"nim --minnie {word}", "h\n1\n", stub)
        assert game.status == 0 and "Minnie plays" in game.out
        assert (
            f" is not written yet: a random player plays in place of {word}. Maxie is human, Minnie is r" in game.words
        )
    assert "No hint: minimax_search_alphabeta is not written yet" in game.words
    assert play("zero_by:9:1:2", "", stub)[:2] == (1, "ZeroBy is not written yet.\n")


@pytest.mark.parametrize("words", ["", "nim"])
def test_a_lab_that_cannot_be_imported(words: str, tmp_path: Path) -> None:
    game = play(words, "", lab_with(tmp_path, "def solve(:\n"))
    assert game.status == 1
    assert game.words == "lab.py cannot be imported. SyntaxError: invalid syntax: `def solve(:` (lab.py:1)."


FAILURES = {
    "return 1 / 0": "minimax_search_alphabeta failed: ZeroDivisionError: division by zero (lab.py:",
    "exit()": "minimax_search_alphabeta failed: It ended the program, as exit and sys.exit do, instead of going on",
    "input()": "minimax_search_alphabeta failed: It asks for input",
    "return minimax_search_alphabeta(state)": "minimax_search_alphabeta failed: Endless recursion, or one deeper than",
    "return None": "minimax_search_alphabeta failed: TypeError: cannot unpack non-iterable NoneType object",
    "return [state], 0, 1": "minimax_search_alphabeta failed: ValueError: the search returned a path without a first",
}


@pytest.mark.parametrize("body", FAILURES)
def test_a_search_that_fails_in_the_game(body: str, model: str, tmp_path: Path) -> None:
    """The board stands there, with the human's last move, and the function is named below it."""
    game = play("", "3\n", lab_with(tmp_path, with_body(SEARCH, body, model)))
    assert game.status == 1
    *_, board, last = game.out.split("\n\n")
    assert board.startswith("      0  1  2  3  4  5  6\n    | ") and "(X)" in board
    assert " ".join(last.split()).startswith(FAILURES[body])


RULES = {
    "next_boards_connectfour": ("[]", "next_boards_connectfour returned [], but is_game_over_connectfour says that "),
    "heuristic_connectfour": ("None", "heuristic_connectfour returned None, which is no number."),
    "is_game_over_connectfour": ("1 // 0", "is_game_over_connectfour failed: ZeroDivisionError: integer division or "),
}


@pytest.mark.parametrize("function", RULES)
def test_a_rule_that_fails_in_the_game_is_named(function: str, model: str, tmp_path: Path) -> None:
    """Not the search that was under way."""
    value, sentence = RULES[function]
    text = f"\n{model}\nsound = {function}\n\ndef {function}(board, *flag):\n    if board.count_pieces() > 7:\n"
    lab = lab_with(tmp_path, f"print('hello'){text}        return {value}\n    return sound(board, *flag)\n")
    game = play("", "0\n0\n0\n0\n1\n1\n1\n", lab)
    assert game.status == 1 and "hello" not in game.out  # what a lab prints is no part of the game
    assert sentence in " ".join(game.out.split("\n\n")[-1].split())


# --- words -----------------------------------------------------------------------------------------

BAD_WORDS = {
    "chess": "there is no game 'chess'; choose from connect_four, tic_tac_toe, nim",
    "nim:0": "what follows 'nim' are positive whole numbers of at most seven digits",
    "nim:3:4": "there is no game 'nim:3:4'",
    "zero_by:5": "there is no game 'zero_by:5'",
    "nim --minnie hal": "there is no player 'hal'; choose from human, random",
    "nim --minnie minimax:0": "there is no player 'minimax:0'",
    "nim --minnie human:1": "there is no player 'human:1'",
    "nim --minnie deepening:0.0s": "there is no player 'deepening:0.0s'",
    "nim --winner me": "play takes a game, of connect_four",
    "nim --games 3": "a match is --games 1 or more between programs",
    "nim --maxie random --minnie random --games 0": "a match is --games 1 or more",
}


@pytest.mark.parametrize("words", BAD_WORDS)
def test_a_bad_word_is_one_line(words: str) -> None:
    game = play(words, "1\n")
    assert (game.status, game.out, game.err.count("\n")) == (2, "", 1)
    assert BAD_WORDS[words] in game.err
