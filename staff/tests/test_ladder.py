"""The ladder: rungs, openings, and submissions that try something in a game."""

import contextlib
import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api import ConnectFourBoard
from grader.ladder.contestant import Limits
from grader.ladder.game import Game, Move
from grader.ladder.openings import OPENINGS, opening_board
from grader.ladder.referee import play
from grader.ladder.rungs import RUNGS, Rung
from grader.ladder.submission import Submission
from grader.protocol.plain import Garbled
from grader.sandbox.child import AROUND
from staff.farm.isolation import bubblewrap, complaint_of_bubblewrap
from staff.league.games import as_data, of_data
from staff.league.table import is_repeatable
from staff.tests.conftest import KIT
from staff.tests.support.tables import table_of

# The digits of e behind 2: nobody has chosen them, and no constant was tuned to them.
SEEDS = (7182818284, 5904523536)
BUDGET = 50
HONEST = """

honest = progressive_deepening
honest_heuristic = heuristic_connectfour

"""
SLOW_MACHINE = Limits(cpu=60, after_spent=60, idle=60)  # no honest game comes close


@contextlib.contextmanager
def submission(
    lab: Path, fork: bool = True, limits: Limits = SLOW_MACHINE
) -> Iterator[Submission]:
    with contextlib.closing(Submission(lab, fork=fork, limits=limits)) as player:
        yield player


# --- what ships --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rung", RUNGS[1:4])
def test_a_rung_beats_the_one_below(rung: int, seed: int) -> None:
    """`make bench` has the other rungs."""
    higher, lower = Rung(rung, seed), Rung(rung - 1, seed)
    points = 0.0
    for opening in range(1, 21):
        points += play(higher, lower, opening).points(0)
        points += play(lower, higher, opening).points(1)
    assert 100 * points / 40 >= 65


def test_a_rung_plays_the_same_game_again() -> None:
    games = [play(Rung(4, 7), Rung(3, 8), 5) for _ in range(2)]
    others = [play(Rung(4, 9), Rung(3, 8), 5), play(Rung(4, 7), Rung(3, 8), 6)]
    assert games[0] == games[1] and games[0] not in others


def has_won(board: ConnectFourBoard) -> bool:
    """Whether the player who moved last has four in a row."""
    chains = board.get_all_chains(current_player=False)
    return any(len(chain) >= 4 for chain in chains)


def test_the_openings_are_short_and_fair() -> None:
    """All 40 are legal and different, and piece 1 neither has won nor wins at once."""
    mirrored = set()
    for number in range(1, OPENINGS + 1):
        board = opening_board(number)
        assert board.count_pieces() in (4, 6, 8) and not has_won(board)
        nexts = [
            board.add_piece(column)
            for column in range(7)
            if not board.is_column_full(column)
        ]
        assert not any(map(has_won, nexts))
        rows = board.board_array
        assert str(rows) not in mirrored
        mirrored |= {str(rows), str([row[::-1] for row in rows])}


def test_a_solver_finds_the_openings_equal() -> None:
    """Nobody can force a win from them."""
    bitbully = pytest.importorskip("bitbully")
    solver = bitbully.BitBully()
    for number in range(1, OPENINGS + 1):
        rows = opening_board(number).board_array
        board = bitbully.Board(rows)
        assert max(solver.score_all_moves(board).values()) == 0


def test_a_game_as_data() -> None:
    """It comes back as it was, and what is no game is refused."""
    game = play(Rung(3), Rung(2), 1)
    data = json.loads(json.dumps(as_data(game)))
    assert of_data(data) == game
    assert len(list(game.boards())) == len(game.moves) + 1
    wrong: Any
    for wrong in (None, [], {}, {**data, "how": "luck"}, {**data, "moves": 3}):
        with pytest.raises(Garbled):
            of_data(wrong)


# --- submissions -------------------------------------------------------------------------------


UNFORKED = pytest.param("without fork", marks=pytest.mark.long)
BOXED = pytest.param("in bubblewrap", marks=pytest.mark.long)


@pytest.fixture(params=["fork", "without fork", BOXED])
def fork(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a player forks, in each of the surroundings in which it may play."""
    if request.param == "in bubblewrap":
        if complaint := complaint_of_bubblewrap():
            pytest.skip(complaint)
        monkeypatch.setenv(AROUND, shlex.join(bubblewrap()))
    return bool(request.param != "without fork")


@pytest.fixture(scope="module")
def of_the_model() -> Game:
    """The game of the model solution, which others must not improve on."""
    with submission(KIT / "lab.py") as player:
        return play(player, Rung(1), 1, BUDGET)


def test_the_model_plays_by_its_budget(of_the_model: Game) -> None:
    ours = of_the_model.moves[::2]
    assert (of_the_model.how, of_the_model.winner) == ("four in a line", 0)
    assert all(0 < move.evaluations <= BUDGET for move in ours)
    assert {move.evaluations for move in ours} & {BUDGET}
    assert all(move.depth and not move.off_the_books for move in ours)
    assert ours[-1].worth is not None and ours[-1].worth >= 1000


def test_the_model_plays_the_same_game_everywhere(
    fork: bool, of_the_model: Game
) -> None:
    with submission(KIT / "lab.py", fork) as player:
        assert play(player, Rung(1), 1, BUDGET) == of_the_model


@pytest.mark.parametrize("fork", ["fork", UNFORKED, BOXED], indirect=True)
@pytest.mark.parametrize("row", table_of("ladder"))
def test_tricks(
    row: dict[str, Any],
    fork: bool,
    of_the_model: Game,
    model: str,
    tmp_path: Path,
) -> None:
    """A trick loses the game, with the reason, or gains nothing."""
    lab = tmp_path / "lab.py"
    lab.write_text(f"{model}{HONEST}{row['code']}", "utf-8")
    limits = SLOW_MACHINE
    if row.get("loses") in ("CPU", "stall"):
        # Whoever does not return has no CPU left after two turns.
        limits = Limits(cpu=0.5, after_spent=0.3, idle=0.5)
    with submission(lab, fork, limits) as player:
        game = play(player, Rung(1), 1, BUDGET)
        after = play(Rung(1), Rung(2), 1)
    if "loses" not in row:
        assert game == of_the_model
        return
    assert (game.how, game.winner) == (row["loses"], 1)
    assert row["says"] in game.detail
    assert is_repeatable(game) == (row["loses"] not in ("CPU", "stall"))
    assert after.how in ("four in a line", "full board")


def write(folder: Path, model: str, code: str) -> Path:
    """The model solution with some code below it."""
    lab = folder / "lab.py"
    lab.write_text(f"{model}{HONEST}{code}", "utf-8")
    return lab


COUNTS_TURNS = """
turns = []
def progressive_deepening(state, heuristic_fn, depth_limit, maximize):
    turns.append(state)
    if len(turns) == 3:
        raise ValueError("the third turn")
    return honest(state, heuristic_fn, depth_limit, maximize)
"""


def test_a_game_has_one_process(fork: bool, model: str, tmp_path: Path) -> None:
    """What a player remembers lasts for a game, and no longer."""
    with submission(write(tmp_path, model, COUNTS_TURNS), fork) as player:
        for opening in (1, 2):
            game = play(player, Rung(1), opening, BUDGET)
            assert (game.how, len(game.moves)) == ("exception", 4)
            assert "the third turn" in game.detail


HANGS_ONCE = """
turns = []
def progressive_deepening(state, heuristic_fn, depth_limit, maximize):
    turns.append(state)
    try:
        return honest(state, heuristic_fn, depth_limit, maximize)
    except BaseException:
        while state.get_snapshot().count_pieces() < 8:
            pass
        if len(turns) > 1:
            raise ValueError("it remembers")
"""


def test_a_fresh_process_plays_on(
    fork: bool, of_the_model: Game, model: str, tmp_path: Path
) -> None:
    """The move of a search that does not return stands; its tables are gone."""
    limits = Limits(cpu=60, after_spent=0.2, idle=60)
    with submission(write(tmp_path, model, HANGS_ONCE), fork, limits) as player:
        assert play(player, Rung(1), 1, BUDGET) == of_the_model


class Slow(Rung):
    """A rung that waits before its first two moves."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.waits = 2

    def move(self, board: ConnectFourBoard, budget: int) -> Move:
        if self.waits:
            self.waits -= 1
            time.sleep(0.8)
        return super().move(board, budget)


PONDERS = """
import threading
ended = []
def ponder():
    while True:
        pass
def progressive_deepening(state, heuristic_fn, depth_limit, maximize):
    if not ended:
        threading.Thread(target=ponder, daemon=True).start()
    elif time.process_time() - ended[-1] > 0.4:
        raise ValueError("it has pondered")
    try:
        return honest(state, heuristic_fn, depth_limit, maximize)
    finally:
        ended.append(time.process_time())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGSTOP")
def test_nobody_ponders(
    fork: bool, of_the_model: Game, model: str, tmp_path: Path
) -> None:
    """A player has no CPU while the other one moves."""
    with submission(write(tmp_path, model, PONDERS), fork) as player:
        game = play(player, Slow(1), 1, BUDGET)
    assert game == of_the_model


CHANCE = """
import random
first = random.random()
def heuristic_connectfour(board, maximize):
    score = first + random.random()
    return score if maximize else -score
"""


def test_chance_is_the_same_in_every_run(model: str, tmp_path: Path) -> None:
    lab = write(tmp_path, model, CHANCE)
    games = []
    for fork in (True, True, False):
        with submission(lab, fork) as player:
            play(player, Rung(2), 3, BUDGET)
            games.append(play(player, Rung(2), 4, BUDGET))
    assert games[0] == games[1] == games[2]


OFF_THE_BOOKS = """
def progressive_deepening(state, heuristic_fn, depth_limit, maximize):
    anytime_value = AnytimeValue()
    anytime_value.set_value(([state, state.generate_next_states()[-1]], 123.25, 1))
    return anytime_value
"""


def test_a_move_off_the_books_is_marked(model: str, tmp_path: Path) -> None:
    """Its score comes from no evaluation that was counted."""
    with submission(write(tmp_path, model, OFF_THE_BOOKS)) as player:
        game = play(player, Rung(1), 1, BUDGET)
    ours = game.moves[::2]
    assert all(move.off_the_books and move.worth == 123.25 for move in ours)


ODD_SCORES = ("float('inf')", "-10 ** 400", "float('nan')", "'great'", "True", "-0.0")


@pytest.mark.parametrize("score", ODD_SCORES)
def test_odd_scores(score: str, model: str, tmp_path: Path) -> None:
    """What a move is worth is a number of a usual size, or unknown."""
    code = OFF_THE_BOOKS.replace("123.25", score)
    with submission(write(tmp_path, model, code)) as player:
        game = play(player, Rung(1), 1, BUDGET)
    worth = {move.worth for move in game.moves[::2]}
    assert str(worth) in ("{1000000.0}", "{-1000000.0}", "{None}", "{0.0}")
    assert of_data(json.loads(json.dumps(as_data(game), allow_nan=False))) == game
