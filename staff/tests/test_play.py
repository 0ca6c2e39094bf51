"""make play: what people type and read, with right labs, unwritten labs and labs that fail in the game."""

import itertools
import os
import pty
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from api import DRAW, ConnectFourBoard, Player
from boards.cases import read_points
from grader.tools import student
from grader.tools import table as tables
from grader.tools.play import play_match
from grader.tools.position import Position
from grader.tools.screen import WIDTH, Screen
from grader.tools.student import Lab, LabFailed
from grader.tools.table import lay_table, make_game
from staff.release.regions import without_solutions
from staff.tests.conftest import KIT
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

GAMES = ("connect_four", "tic_tac_toe", "nim:6", "very_dumb_nim", "zero_by:9:1:3:4")
PLAYERS = ("random:3", "minimax:2", "alphabeta:2", "deepening:0.05s", "deepening:2", "perfect")
PAIRINGS = [pair for pair in itertools.product(GAMES, PLAYERS) if pair != ("connect_four", "perfect")]
ROWS_AT_THE_START = ["    | .  .  .  .  .  .  . |"] * 6

Played = tuple[int, str, str]


def play(words: str, typed: str = "", lab: Path = KIT / "lab.py") -> Played:
    """`python -m grader play WORDS` with these lines typed: exit status, standard output and error.

    Whatever is played, every line fits 80 columns, is plain ASCII, and no traceback is seen.
    """
    done = subprocess.run(
        [sys.executable, "-m", "grader", "play", *words.split()],
        cwd=KIT, input=typed, capture_output=True, text=True, timeout=LONG, env={**os.environ, "LAB": str(lab)},
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stdout.isascii() and "\x1b" not in done.stdout
    assert max(map(len, ["", *done.stdout.splitlines()])) <= WIDTH
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def lab_of(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a lab.py with this text."""

    def lab_of(text: str) -> Path:
        (tmp_path / "lab.py").write_text(text, encoding="utf-8")
        return tmp_path / "lab.py"

    return lab_of


@pytest.fixture
def model_lab(monkeypatch: pytest.MonkeyPatch) -> Lab:
    """The model solution in this very process, which keeps its import path."""
    monkeypatch.setattr(student, "close_import_path", lambda: None)
    monkeypatch.setitem(sys.modules, "lab", sys.modules.get("lab"))
    return Lab(KIT / "lab.py")


# --- games that people play ------------------------------------------------------------------------


def test_human_against_minimax_of_depth_three_on_nim() -> None:
    """The last example of the slides: who plays perfectly wins from 15 pieces."""
    status, out, _ = play("nim --maxie human --minnie minimax:3", "2\n3\n3\n3\n")
    assert status == 0
    assert [int(n) for n in re.findall(r"(\d+) left", out)] == [15, 12, 8, 4]
    assert out.endswith("    nothing is left\n\nMaxie wins.\n")
    assert "Minnie plays 1: depth 3, score 1000 (Maxie wins), " in out


def test_a_careless_human_loses_against_it() -> None:
    status, out, _ = play("nim --minnie minimax:3", "1\n1\n1\n1\n1\n1\n1\n")
    assert (status, out.splitlines()[-1]) == (0, "Minnie wins.")


def test_connect_four_against_alphabeta_without_a_word() -> None:
    status, out, _ = play("", "0\n0\n0\n6\n6\n6\n")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "You are Maxie (X), against alphabeta:4 as Minnie (O)."
    assert lines[4:11] == ["      0  1  2  3  4  5  6", *ROWS_AT_THE_START]
    assert re.search(r"^Minnie plays \d: depth 4, score -?[\d.]+, \d+ evaluations\.$", out, re.MULTILINE)
    assert out.count("[O]") == 4
    assert lines[-1] == "Minnie wins."


def test_the_program_may_begin() -> None:
    status, out, _ = play("tic_tac_toe --maxie alphabeta:9", "q\n")
    assert status == 0
    assert out.startswith("You are Minnie (O), against alphabeta:9 as Maxie (X).")
    assert "Maxie plays 0: depth 9, score 0, " in out
    assert out.splitlines()[-1] == "Minnie, your move (1, 2, 3, 4, 5, 6, 7, 8): q"


def test_two_humans() -> None:
    status, out, _ = play("tic_tac_toe --maxie human --minnie human", "0\n3\n1\n4\n2\n")
    assert status == 0
    assert "    [X]|[X]|[X]\n    ---+---+---\n     O | O | 5 \n" in out
    assert out.endswith("Maxie (X) wins.\n")


def test_the_numbers_of_a_game_may_stand_apart() -> None:
    assert "     o o o o   4 left" in play("nim 4")[1].replace("\n    o", "\n     o")
    assert play("zero_by 5 1 3 4 --minnie perfect", "3\n")[1].endswith(
        "Minnie plays 2.\n\n    nothing is left\n\nMinnie wins.\n"
    )


@pytest.mark.parametrize("typed", ["", "3\n", "3\nh\n"])
def test_the_end_of_the_input_ends_the_game(typed: str) -> None:
    status, out, err = play("--minnie alphabeta:2", typed)
    assert (status, err) == (0, "")
    assert out.endswith("Maxie, your move (0, 1, 2, 3, 4, 5, 6): \n")


def test_undo_goes_back_to_the_last_turn_of_the_human() -> None:
    _, out, _ = play("nim --minnie random:1", "u\n1\n1\nu\nu\nu\nq\n")
    left = [int(n) for n in re.findall(r"(\d+) left", out)]
    assert left[0] == left[-1] == 15
    assert left == [*left[:3], *left[1::-1]]
    assert out.count("There is no move of yours to take back.") == 2


def test_undo_when_the_program_began() -> None:
    _, out, _ = play("nim --maxie perfect", "u\n1\nu\nq\n")
    left = [int(n) for n in re.findall(r"(\d+) left", out)]
    assert left == [15, 13, 9, 13]
    assert out.count("There is no move of yours to take back.") == 1


def test_a_hint_is_what_the_program_would_do() -> None:
    _, out, _ = play("nim --minnie minimax:3", "h\nq\n")
    assert "Hint: minimax:3 would play 2: depth 3, score 1000 (Maxie wins), 27 evaluations." in out
    _, out, _ = play("nim --minnie perfect", "h\nq\n")
    assert "Hint: perfect would play 2.\n" in out
    _, out, _ = play("--minnie random", "h\nq\n")
    assert re.search(r"Hint: alphabeta:4 would play \d: depth 4, score ", out)


def test_what_is_no_move_is_asked_again() -> None:
    status, out, _ = play("nim", "four\n4\n\x1b[31m\n" + "9" * 500 + "\n1\n")
    assert status == 0
    assert "'four' is no move here. Possible: 1, 2, 3; or u, h, q." in out
    assert out.count("is no move here") == 4
    assert "\nMinnie plays " in out


@pytest.mark.parametrize(
    "command", ["printf '\\377\\n'|", "exec <&-;"], ids=["bytes that are no text", "no input at all"]
)
def test_an_odd_input_is_no_traceback(command: str) -> None:
    done = subprocess.run(
        f'{command} "{sys.executable}" -m grader play nim', shell=True, cwd=KIT, capture_output=True, text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "Maxie, your move (1, 2, 3): " in done.stdout


# --- every pairing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "player"), PAIRINGS)
def test_every_player_plays_every_game_on_both_sides(
    game: str, player: str, model_lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    for sides in ((player, "random:1"), ("random:1", player)):
        table = lay_table(model_lab, game, *sides)
        assert table.notes == []
        play_match(table, Screen.of_terminal(), games=1)
        assert re.search(r"^ +1  (Maxie|Minnie|Maxie \(X\)|Minnie \(O\)) wins|a draw", capsys.readouterr().out, re.M)


def test_a_match_of_a_hundred_games() -> None:
    words = "nim:21 --maxie perfect --minnie random:7 --games 100"
    status, out, _ = play(words)
    assert status == 0
    assert out.startswith("100 games, Maxie perfect against Minnie random:7\n")
    counts = [int(n) for n in re.findall(r"^ +(\d+)  (?:Maxie|Minnie) wins\.$", out, re.MULTILINE)]
    assert sum(counts) == 100 and counts[0] > 90
    assert re.search(r"^Moves a game: \d+ to \d+, [\d.]+ on average\.$", out, re.MULTILINE)


def test_a_match_can_be_repeated_with_the_seed_that_it_names() -> None:
    first = play("tic_tac_toe --maxie random --minnie random --games 50")[1]
    maxie, minnie = re.findall(r"random:\d+", first)
    assert play(f"tic_tac_toe --maxie {maxie} --minnie {minnie} --games 50")[1] == first
    assert "draw" in play("tic_tac_toe --maxie random:1 --minnie random:2 --games 50")[1]


# --- labs that are not there yet, or fail ------------------------------------------------------------


def test_no_other_game_is_named_where_lab_py_cannot_be_imported(lab_of: Callable[[str], Path]) -> None:
    status, out, _ = play("", "", lab_of("exit()\n"))
    assert status == 1 and out.startswith("lab.py cannot be imported.") and "Meanwhile" not in out


def test_before_a_line_is_written(model: str, lab_of: Callable[[str], Path]) -> None:
    """Connect Four waits for the student's rules; a player that is not written is one at random."""
    stub = lab_of(without_solutions(model, Path("lab.py")))
    status, out, err = play("", "3\n", stub)
    assert (status, err) == (1, "")
    assert " ".join(out.split()) == (
        "Connect Four is played by your part 1, and waits for it: is_game_over_connectfour is not written yet. "
        "Meanwhile there are other games, such as nim."
    )
    status, out, err = play("tic_tac_toe", "4\nh\n" + "0\n1\n2\n3\n5\n6\n7\n8\n" * 6, stub)
    assert (status, err) == (0, "")
    assert out.startswith(
        "minimax_search_alphabeta is not written yet: a random player plays in place of\nalphabeta:4.\n"
        "You are Maxie (X), against random:"
    )
    assert "No hint: minimax_search_alphabeta is not written yet.\n" in out
    assert re.search(r"(wins|draw)\.\n$", out)
    for word in ("minimax:3", "deepening:1s", "perfect"):
        status, out, _ = play(f"nim --minnie {word}", "1\n", stub)
        assert status == 0 and "is not written yet" in out and "Minnie plays" in out
    assert play("zero_by:9:1:2", "", stub) == (1, "ZeroBy is not written yet.\n", "")


def test_a_lab_that_cannot_be_imported(lab_of: Callable[[str], Path]) -> None:
    broken = lab_of("def solve(:\n")
    sentence = "lab.py cannot be imported. SyntaxError: invalid syntax: `def solve(:` (lab.py:1)"
    for words in ("", "nim"):
        status, out, _ = play(words, "", broken)
        assert status == 1
        assert f"{sentence}." in " ".join(out.split())
    assert "Minnie plays" in play("nim --minnie random", "1\n", broken)[1]


def test_no_lab_at_all() -> None:
    status, out, err = play("nim", lab=Path("missing.py"))
    assert (status, out) == (2, "")
    assert err == "missing.py is not there, or is no ordinary file\n"


LATE = "if state.get_snapshot().state.count_pieces() > 6:\n        "
FAILURES = {
    "return 1 / 0": "ZeroDivisionError: division by zero (lab.py:",
    "exit()": "It ended the program, as exit and sys.exit do, instead of going on (lab.py:",
    "return missing(state)": "NameError: name 'missing' is not defined (lab.py:",
    "return minimax_search_alphabeta(state)": "Endless recursion, or one deeper than",
}


@pytest.mark.parametrize("mistake", FAILURES)
def test_a_lab_that_fails_in_the_game(mistake: str, model: str, lab_of: Callable[[str], Path]) -> None:
    """The board stands there, with the human's last move, and the function is named below it."""
    marker = "    if state.is_game_over():\n"
    start = model.index(marker, model.index("def minimax_search_alphabeta"))
    lab = lab_of(f"{model[:start]}    {LATE}{mistake}\n{model[start:]}")
    status, out, _ = play("", "3\n3\n3\n3\n3\n", lab)
    assert status == 1
    *_, board, last = out.split("\n\n")
    assert board.startswith("      0  1  2  3  4  5  6\n    | ") and "(X)" in board
    assert " ".join(last.split()).startswith(f"minimax_search_alphabeta failed: {FAILURES[mistake]}")


LATE_RULES = {
    "next_boards_connectfour": "return []",
    "heuristic_connectfour": "return None",
    "is_game_over_connectfour": "return board.count_pieces() // 0",
    "endgame_score_connectfour": "return 'high'",
}
LATE_SENTENCES = {
    "next_boards_connectfour": "next_boards_connectfour returned [], and is_game_over_connectfour says that the game "
    "goes on.",
    "heuristic_connectfour": "heuristic_connectfour returned None, which is no number.",
    "is_game_over_connectfour": "is_game_over_connectfour failed: ZeroDivisionError: integer division or modulo by "
    "zero (lab.py:",
    "endgame_score_connectfour": "endgame_score_connectfour returned 'high', which is no number.",
}


@pytest.mark.parametrize("rival", ["alphabeta:4", "deepening:4", "minimax:3"])
@pytest.mark.parametrize("function", LATE_RULES)
def test_a_rule_that_fails_in_the_game_is_named(
    function: str, rival: str, model: str, lab_of: Callable[[str], Path]
) -> None:
    """Not the search that was under way."""
    text = f"{model}\nsound = {function}\n\ndef {function}(board, *flag):\n    if board.count_pieces() > 7:\n"
    text += f"        {LATE_RULES[function]}\n    return sound(board, *flag)\n"
    status, out, _ = play(f"--minnie {rival}", "0\n0\n0\n0\n1\n1\n1\n", lab_of(text))
    assert status == 1
    assert " ".join(out.split("\n\n")[-1].split()).startswith(LATE_SENTENCES[function])


def test_a_zero_by_that_contradicts_itself_is_named(model: str, lab_of: Callable[[str], Path]) -> None:
    text = f"{model}\nclass ZeroBy(ZeroBy):\n    def get_moves(self, position): return [] if position == 3 else [1]\n"
    status, out, _ = play("zero_by:5:1 --minnie alphabeta:2", "1\n1\n", lab_of(text))
    assert status == 1
    last = " ".join(out.split("\n\n")[-1].split())
    assert last == "ZeroBy.get_moves gives no move at 3, where ZeroBy.terminal_value says that the game goes on."


def test_a_loss_that_is_seen_is_said() -> None:
    status, out, _ = play("very_dumb_nim:5 --maxie alphabeta:9", "q\n")
    assert status == 0
    said = r" Maxie plays \d: depth 3 sees a loss \(score -1000, \d+ evaluations\); it plays on by depth 2\. "
    assert re.search(said, " ".join(out.split()))


WRONG_RESULTS = {
    "return None": "returned nothing (None)",
    "return [state], 0, 1": "; a path with a move, a score and a count are wanted",
    "return [state, None], 0, 1": "; a path with a move, a score and a count are wanted",
    "return [state, state.generate_next_states()[0]], 'high', 1": "; a path with a move, a score and a count",
}


@pytest.mark.parametrize("body", WRONG_RESULTS)
def test_a_search_that_returns_something_else(body: str, model: str, lab_of: Callable[[str], Path]) -> None:
    status, out, _ = play("", "3\n", lab_of(with_body("minimax_search_alphabeta", body, model)))
    assert status == 1
    last = " ".join(out.split("\n\n")[-1].split())
    assert last.startswith("minimax_search_alphabeta returned ") and WRONG_RESULTS[body] in last


def test_a_player_without_a_move(model: str, lab_of: Callable[[str], Path]) -> None:
    text = model.replace("return choose(edges", "return edges and None and choose(edges")
    status, out, _ = play("--minnie minimax:2", "3\n", lab_of(text))
    assert status == 1
    assert "MinimaxPlayer failed: TypeError: cannot unpack non-iterable NoneType" in " ".join(out.split())


def test_a_getattr_of_the_labs_own_that_fails_is_its_fault(model: str, lab_of: Callable[[str], Path]) -> None:
    odd = "\ndel next_boards_connectfour\ndef __getattr__(name): return {}[name]\n"
    status, shown, said = play("connect_four --minnie random:1", lab=lab_of(model + odd))
    assert status == 1 and "__getattr__ failed: KeyError: 'next_boards_connectfour'" in " ".join((shown + said).split())


def test_a_heuristic_that_fails_is_named_before_the_game(model: str, lab_of: Callable[[str], Path]) -> None:
    lab = lab_of(with_body("heuristic_connectfour", "return len(board)", model))
    status, out, _ = play("", "3\n", lab)
    assert status == 0
    assert "heuristic_connectfour failed: TypeError" in out
    assert "every board that is not over counts 0." in " ".join(out.split())


def test_wrong_rules_are_named_and_not_played(model: str, lab_of: Callable[[str], Path]) -> None:
    lab = lab_of(with_body("is_game_over_connectfour", "return None", model))
    status, out, _ = play("--minnie random:1", "3\n", lab)
    assert status == 1
    assert (
        "is_game_over_connectfour is wrong on an empty board or on a won one (python grader test says more)."
        in " ".join(out.split())
    )


def test_without_part_1_there_is_no_connect_four(model_lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "read_points", lambda: [part for part in read_points() if part.number != 1])
    with pytest.raises(LabFailed, match="by part 1, which this course leaves out"):
        lay_table(model_lab, "connect_four", "human", "random")


def test_what_the_lab_prints_is_no_part_of_the_game(model: str, lab_of: Callable[[str], Path]) -> None:
    text = model.replace("    if not any(len(chain)", "    print('noise')\n    if not any(len(chain)")
    assert text != model
    status, out, err = play("", "0\n0\n0\n0\n", lab_of(f"print('hello')\n{text}"))
    assert status == 0
    assert "noise" not in out and "hello" not in out
    assert "noise" in err and "hello" in err


def test_interrupted_while_the_program_thinks() -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "grader", "play", "--minnie", "deepening:60s"],
        cwd=KIT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write("3\n")
    process.stdin.flush()
    for line in process.stdout:
        if "your move" in line:
            break
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert rest.count("(X)") == 1
    assert re.search(r"\nStopped( at lab\.py:\d+)?\.\n$", rest)
    assert err == ""


# --- words, colours, rules ---------------------------------------------------------------------------

BAD_WORDS = {
    "chess": "there is no game 'chess'; choose from connect_four, tic_tac_toe, nim",
    "nim:x": "positive whole numbers",
    "nim:99999999": "positive whole numbers of at most seven digits",
    "nim:0": "positive whole numbers",
    "nim:3:4": "there is no game 'nim:3:4'",
    "zero_by:5": "there is no game 'zero_by:5'",
    "tic_tac_toe:3": "there is no game",
    "nim --minnie hal": "there is no player 'hal'; choose from human, random",
    "nim --minnie minimax:0": "'minimax:0' is no player: minimax goes like this: minimax:3",
    "nim --minnie human:1": "human goes like this: human",
    "nim --minnie deepening:s": "deepening goes like this: deepening:2s",
    "nim --minnie deepening:0s": "deepening goes like this: deepening:2s",
    "nim --minnie deepening:00.0s": "deepening goes like this: deepening:2s",
    "--minnie perfect": "connect_four is too large; try alphabeta:4",
    "nim --winner me": "play takes a game, of connect_four",
    "nim --games 3": "a match is --games 1 or more between programs",
    "nim --maxie random --minnie random --games 0": "a match is --games 1 or more",
    "nim --maxie random --minnie random --games many": "a match is --games 1 or more",
}


@pytest.mark.parametrize("words", BAD_WORDS)
def test_a_bad_word_is_one_line(words: str) -> None:
    status, out, err = play(words, "1\n")
    assert (status, out) == (2, "")
    assert BAD_WORDS[words] in err
    assert err.count("\n") == 1


def at_a_terminal(typed: str, **environment: str) -> str:
    """What a terminal of Unix shows of a game against alphabeta:4."""
    screen, end = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "grader", "play"], cwd=KIT, stdin=end, stdout=end, stderr=end,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm", **environment},
    )  # fmt: skip
    os.close(end)
    os.write(screen, typed.encode())
    shown = b""
    try:
        while data := os.read(screen, 1 << 16):
            shown += data
    except OSError:  # what Linux says at the end
        pass
    os.close(screen)
    assert done.wait(60) == 0
    return shown.decode()


def test_colours_at_a_terminal_and_the_winning_four_lit() -> None:
    shown = at_a_terminal("0\n0\n0\n6\n6\n6\n")
    assert shown.count("\x1b[1;33;7m[O]\x1b[0m") == 4
    assert "\x1b[1;31mX\x1b[0m" in shown
    assert "Minnie thinks ..." in shown
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        without = at_a_terminal("0\n0\n0\n6\n6\n6\n", **plain)
        assert "\x1b" not in without and without.count("[O]") == 4


def test_the_squares_that_have_won(model_lab: Lab) -> None:
    game, notes = make_game(model_lab, "connect_four")
    assert notes == []
    chooser = random.Random(4)
    for _ in range(20):
        position = Position(game, game.start())
        while not position.over:
            position = position.after(chooser.choice(game.moves(position.state)))
        if position.over.outcome is not DRAW:
            assert position.look.longest_lines() == cells_by_looking(position.state)


def cells_by_looking(board: ConnectFourBoard) -> set[int]:
    pieces = {(column, row): board.get_piece(column, row) for column in range(7) for row in range(6)}
    found: set[int] = set()
    for (column, row), piece in pieces.items():
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [(column + step * right, row + step * down) for step in range(4)]
            if piece and all(pieces.get(square) == piece for square in line):
                found.update(7 * row + column for column, row in line)
    return found


def test_the_sides_of_a_table(model_lab: Lab) -> None:
    table = lay_table(model_lab, "nim:25", "human", "alphabeta")
    assert [seat.word for seat in table.seats.values()] == ["human", "alphabeta:4"]
    assert table.seats[Player.MAXIE].is_human and not table.seats[Player.MINNIE].is_human
