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
    assert left(game) == [15, 12, 8, 4, 0]
    assert "Minnie plays 1.\n" in game.out
    assert game.out.endswith("\n(0 left)\n\nMaxie wins.\n")


@pytest.mark.parametrize(
    ("words", "typed", "told"),
    [
        ("tic_tac_toe --maxie alphabeta:9", "q\n", "Maxie plays 0: depth 9, score 0, "),
        ("tic_tac_toe --maxie human --minnie human", "0\n3\n1\n4\n2\n", "X X X O O . . . . Maxie (X) wins."),
        ("zero_by 5 1 3 4 --minnie perfect", "3\n", "Minnie plays 2. 0 Minnie wins."),
        ("", "q\n", "Maxie is human and moves first; Minnie is alphabeta:4. Type a move, or q to quit."),
        ("", "0\n0\n0\n6\n6\n6\n", "0 1 2 3 4 5 6 Minnie wins."),
        ("nim", "four\nq\n", "'four' is not a possible move here; these are: 1, 2, 3"),
        ("nim:3 --maxie perfect --minnie minimax:3", "", "Maxie plays 2. Minnie plays 1. (0 left) Maxie wins."),
    ],
)
def test_what_a_game_tells(words: str, typed: str, told: str) -> None:
    game = play(words, typed)
    assert game.status == 0 and game.err == ""
    assert told in game.words


@pytest.mark.parametrize("typed", ["", "3\n", "3\nq\n"])
def test_the_end_of_the_input_ends_the_game(typed: str) -> None:
    game = play("--minnie alphabeta:2", typed)
    assert (game.status, game.err) == (0, "")
    assert game.out.splitlines()[-1].startswith("Maxie, your move: ")


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_player_plays_every_game(game: str, player: str) -> None:
    """The same every time, by the seed that the game names."""
    played = play(f"{game} --maxie {player} --minnie random")
    if (game, player) == ("connect_four", "perfect"):
        assert played.status == 2 and "connect_four is too large; try alphabeta:4" in played.err
        return
    seed = re.search(r"Minnie is (random:\d+)\.", played.out)
    assert played.status == 0 and seed and played.out.splitlines()[-1].endswith((" wins.", "It is a draw."))
    if player.startswith("random"):
        assert play(f"{game} --maxie {player} --minnie {seed[1]}").out == played.out


# --- labs that are not there yet, or fail ------------------------------------------------------------


def test_before_a_line_is_written(model: str, tmp_path: Path) -> None:
    """What is missing is named, and what can be played meanwhile."""
    stub = lab_with(tmp_path, without_solutions(model, Path("lab.py")))
    for words, function in (
        ("", "is_game_over_connectfour"), ("zero_by:9:1:2", "ZeroBy"), ("nim --maxie alphabeta:4", SEARCH),
        ("nim --maxie minimax:3", "MinimaxPlayer"), ("nim --maxie deepening:1s", "progressive_deepening"),
        ("nim --maxie perfect", "solve"),
    ):  # fmt: skip
        game = play(words, "", stub)
        assert (game.status, game.err) == (1, "")
        until = "until it is, choose another game or another player, such as nim or random."
        assert game.words.endswith(f"{function} is not written yet; {until}")
    assert play("nim --minnie random:1", "1\nq\n", stub).status == 0
    gone = lab_with(tmp_path, "def solve(game): pass\n")
    assert "minimax_search_alphabeta is not in lab.py; until" in play("nim", "", gone).words


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
    game = play("", "3\n", lab_with(tmp_path, with_body(SEARCH, body, model)))
    assert game.status == 1
    assert " ".join(game.out.partition("your move: 3\n")[2].split()).startswith(FAILURES[body])


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
    assert sentence in game.words


# --- words -----------------------------------------------------------------------------------------

BAD_WORDS = {
    "chess": "there is no game 'chess'; choose from connect_four, tic_tac_toe, nim",
    "nim:0": "the numbers after 'nim' must be positive whole numbers of at most seven digits",
    "nim:3:4": "there is no game 'nim:3:4'",
    "zero_by:5": "there is no game 'zero_by:5'",
    "nim --minnie hal": "there is no player 'hal'; choose from human, random",
    "nim --minnie minimax:0": "there is no player 'minimax:0'",
    "nim --minnie human:1": "there is no player 'human:1'",
    "nim --minnie deepening:0.0s": "there is no player 'deepening:0.0s'",
    "nim --winner me": "play takes a game (connect_four",
    "nim --games 3": "play takes a game (connect_four",
}


@pytest.mark.parametrize("words", BAD_WORDS)
def test_a_bad_word_is_one_line(words: str) -> None:
    game = play(words, "1\n")
    assert (game.status, game.out, game.err.count("\n")) == (2, "", 1)
    assert BAD_WORDS[words] in game.err
