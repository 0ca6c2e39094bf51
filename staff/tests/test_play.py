"""make play: what people type and read, with right labs, unwritten labs and labs that
fail in the game.
"""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from staff.release.regions import without_solutions
from staff.tests.conftest import KIT
from staff.tests.support.releases import SAFE
from staff.tests.support.typed import run

SEARCH = "minimax_search_alphabeta"
GAMES = ("connect_four", "tic_tac_toe", "nim:6", "very_dumb_nim", "zero_by:9:1:3:4")
PLAYERS = (
    "random:3",
    "minimax:2",
    "alphabeta:2",
    "deepening:0.05s",
    "deepening:2",
    "perfect",
)


def play(
    words: str, typed: str = "", lab: Path = KIT / "lab.py"
) -> "subprocess.CompletedProcess[str]":
    """`python -m grader play WORDS` with these lines typed."""
    return run(f'"{sys.executable}" -m grader play {words}', typed=typed, LAB=str(lab))


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_player_plays_every_game(game: str, player: str) -> None:
    """The same every time, by the seed that the game names."""
    played = play(f"{game} --maxie {player} --minnie random")
    if (game, player) == ("connect_four", "perfect"):
        assert (
            played.returncode == 2
            and "connect_four is too large; try alphabeta:4" in played.stderr
        )
        return
    seed = re.search(r"Minnie(?:\s\([^)]*\))?\s+is\s+(random:\d+)\.", played.stdout)
    assert (
        played.returncode == 0
        and seed
        and played.stdout.splitlines()[-1].endswith((" wins.", "It is a draw."))
    )
    if player.startswith("random"):
        assert (
            play(f"{game} --maxie {player} --minnie {seed[1]}").stdout == played.stdout
        )


# --- labs that are not there yet, or fail ------------------------------------------------------------


def test_before_a_line_is_written(model: str, tmp_path: Path) -> None:
    """What is missing is named, and what can be played meanwhile."""
    stub = tmp_path / "lab.py"
    stub.write_text(without_solutions(model, Path("lab.py")), encoding="utf-8")
    for words, function in (
        ("", "is_game_over_connectfour"), ("zero_by:9:1:2", "ZeroBy"), ("nim --maxie alphabeta:4", SEARCH),
        ("nim --maxie minimax:3", "MinimaxPlayer"), ("nim --maxie deepening:1s", "progressive_deepening"),
        ("nim --maxie perfect", "solve"),
    ):  # fmt: skip
        game = play(words, "", stub)
        assert (game.returncode, game.stderr) == (1, "")
        until = "until it is, choose another game or player, such as"
        assert f"{function} is not written yet; {until}" in " ".join(
            game.stdout.split()
        )
    assert play("nim --minnie random:1", "1\nq\n", stub).returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such terminal there")
def test_a_terminal_breaks_no_word_of_a_refusal() -> None:
    """Elsewhere a refusal is one line, as the table of what is typed has it."""
    master, terminal = os.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "grader", "play", "chess"],
        cwd=KIT,
        env=SAFE,
        stderr=terminal,
    )
    os.close(terminal)
    written = b""
    with contextlib.suppress(OSError):  # Linux reports the end as an error.
        while chunk := os.read(master, 1_000):
            written += chunk
    os.close(master)
    assert done.returncode == 2
    lines = [
        line for line in written.decode().splitlines() if line.strip()
    ]  # without the line that shows the progress
    assert max(map(len, lines)) < 80 and lines[0].startswith(
        "there is no game 'chess'; choose from connect_four, "
    )
    assert " ".join(lines).endswith("zero_by:25:1:3:4")
