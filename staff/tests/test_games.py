"""Games, players and the referee: perfect play, every search on every game, time
limits, broken games.
"""

import functools
import itertools
from collections.abc import Callable
from typing import Any

import pytest

import lab
from api import (
    DRAW,
    GAMES,
    INF,
    AnytimeValue,
    ConnectFourBoard,
    Definitely,
    Guess,
    HumanPlayer,
    Nim,
    Over,
    PerfectPlayer,
    Player,
    Referee,
    SearchPlayer,
    TicTacToe,
    TwoPlayerConnectFour,
    TwoPlayerGame,
    TwoPlayerTicTacToe,
    Value,
    Winner,
    as_two_player_game,
    game_estimate,
    two_player_state,
)
from api.nim import NimState
from api.outcomes import Estimate
from api.referee import IllegalMove
from api.two_player import BrokenRules
from boards import NEARLY_OVER, NIM_4
from boards.tree_game import TreeGame

SEARCHES = (lab.minimax_search, lab.minimax_search_alphabeta, lab.progressive_deepening)
SIDES = (Player.MAXIE, Player.MINNIE)


def connect_four(*board: ConnectFourBoard) -> TwoPlayerConnectFour:
    return TwoPlayerConnectFour(
        lab.is_game_over_connectfour,
        lab.next_boards_connectfour,
        lab.endgame_score_connectfour,
        lab.heuristic_connectfour,
        *board,
    )


# --- estimates ------------------------------------------------------------------------------------


def test_the_order_of_estimates() -> None:
    order: list[list[Estimate]] = [
        [Definitely(Winner(Player.MINNIE))],
        [Guess(-INF)],
        [Guess(-0.5)],
        [Guess(0), Definitely(DRAW), Guess(0.0)],
        [Guess(2)],
        [Guess(INF)],
        [Definitely(Winner(Player.MAXIE))],
    ]
    for (low, lower), (high, higher) in itertools.product(enumerate(order), repeat=2):
        for one, other in itertools.product(lower, higher):
            assert (one < other, one <= other, one > other, one >= other) == (
                low < high,
                low <= high,
                low > high,
                low >= high,
            )
    guess, draw, _ = order[3]
    assert draw != guess
    assert guess == Guess(0.0)


@pytest.mark.parametrize(
    ("make", "of", "error"),
    [
        (Winner, "Maxie", TypeError),
        (Definitely, Player.MAXIE, TypeError),
        (Definitely, Over(DRAW), TypeError),
        (Over, Player.MAXIE, TypeError),
        (Guess, "3", TypeError),
        (Guess, True, TypeError),
        (Guess, float("nan"), ValueError),
        (lambda number: Guess(3) < number, 4, TypeError),
        (Nim, 0, ValueError),
        (Nim, 2.5, TypeError),
        (Nim, True, TypeError),
    ],
)
def test_what_is_no_estimate(
    make: Callable[[Any], object], of: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        make(of)


# --- Nim, played out -------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", range(1, 31))
def test_the_referee_agrees_with_the_strong_solution(n: int, side: Any) -> None:
    """Who wins between players who play their best is who wins by the table; by two
    kinds of player.
    """
    for game, start in (
        (Nim(n), NimState(n, side)),
        (
            zero_by := as_two_player_game(lab.ZeroBy(n, (1, 3, 4)), side),
            zero_by.start(),
        ),
    ):
        perfect = PerfectPlayer(game, lab.solve)
        outcome = Referee(perfect, perfect).go(start)
        if isinstance(game, Nim):
            wins = n % 4 != 1
            dumb = lab.MinimaxPlayer(game, 1)
            assert Referee(dumb, dumb).go(start) == outcome
        else:
            wins = lab.solve(lab.ZeroBy(n, (1, 3, 4)))[n] is Value.WIN
        assert outcome == Winner(side if wins else side.other)


# --- games and states as values ----------------------------------------------------------------------


class UnequalZeroBy(lab.ZeroBy):
    """A game as students write it, whose instances are equal to themselves alone."""

    __eq__, __hash__ = object.__eq__, object.__hash__


def test_adapted_games_are_equal_when_they_were_made_alike() -> None:
    def zero_by(n: int, first: Any = Player.MAXIE) -> TwoPlayerGame:
        return as_two_player_game(UnequalZeroBy(n, (1, 3)), first)  # type: ignore[no-untyped-call]

    assert as_two_player_game(TicTacToe()) == as_two_player_game(TicTacToe())
    assert zero_by(9) == zero_by(9) and hash(zero_by(9)) == hash(zero_by(9))
    for other in (
        zero_by(8),
        zero_by(9, Player.MINNIE),
        as_two_player_game(TicTacToe()),
        Nim(),
    ):
        assert zero_by(9) != other
    maxie, minnie = (PerfectPlayer(zero_by(9), lab.solve) for _ in range(2))
    assert Referee(maxie, minnie).go(maxie.game.start()) == Winner(Player.MAXIE)


def test_what_a_student_s_function_breaks_is_said_by_its_name() -> None:
    def three(*given: Any) -> Any:
        return 3

    def nothing(*given: Any) -> Any:
        return None

    def same(board: ConnectFourBoard) -> list[ConnectFourBoard]:
        return [board]

    right = connect_four()
    start = right.start()

    def game(**functions: Any) -> TwoPlayerConnectFour:
        return TwoPlayerConnectFour(**{**vars(right), **functions})

    for broken, words in (
        (
            lambda: game(next_boards=three).moves(start),
            r"^three returned 3, but is_game_over_connectfour says",
        ),
        (
            lambda: game(next_boards=lambda board: []).moves(start),
            r"returned \[\], but is_game_over_connectfour says",
        ),
        (
            lambda: game(next_boards=same).moves(start),
            r"^same returned <.*>, which is not a board with one new piece",
        ),
        (
            lambda: game(next_boards=lambda board: [7]).moves(start),
            r"returned 7, which is not a board with one new piece",
        ),
        (
            lambda: game(heuristic=nothing).estimate(start),
            r"^nothing returned None, which is not a number$",
        ),
        (
            lambda: game(heuristic=lambda *_: True).estimate(start),
            r"returned True, which is not a number$",
        ),
        (
            lambda: game(heuristic=lambda *_: float("nan")).estimate(start),
            r"returned nan, which is not a number$",
        ),
        (
            lambda: game(is_game_over=lambda board: True, endgame_score=nothing).status(
                start
            ),
            r"^nothing returned None, which is not a number$",
        ),
    ):
        with pytest.raises(BrokenRules, match=words):
            broken()


# --- every search on every game ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "start"),
    [
        (Nim(), NimState(7, Player.MINNIE)),
        (GAMES["very_dumb_nim"](), NimState(8, Player.MAXIE)),
        (TwoPlayerTicTacToe(), "XO.XO...."),
        (connect_four(), NEARLY_OVER),
        (zero_by := as_two_player_game(lab.ZeroBy(9, (1, 3, 4))), zero_by.start()),
        (tree := TreeGame(NIM_4), tree.start()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_five_searches_play_it(game: TwoPlayerGame, start: Any) -> None:
    state, maximize = two_player_state(game, start), game.player(start) is Player.MAXIE
    minimax = lab.minimax_search(state, maximize=maximize)
    assert lab.minimax_endgame_search(state, maximize) == minimax
    alphabeta = lab.minimax_search_alphabeta(state, maximize=maximize)
    assert alphabeta[:2] == minimax[:2] and alphabeta[2] <= minimax[2]
    deepened = lab.progressive_deepening(state, game_estimate, maximize=maximize)
    assert isinstance(deepened, AnytimeValue)
    assert deepened.get_value() == alphabeta
    _, best, evaluations = lab.dfs_maximizing(state)
    assert best >= minimax[1] and evaluations == minimax[2]
    move, estimate = lab.MinimaxPlayer(game, INF).search(INF, start)
    assert {
        1000: Definitely(Winner(Player.MAXIE)),
        0: Definitely(DRAW),
        -1000: Definitely(Winner(Player.MINNIE)),
    }[minimax[1]] == estimate
    assert minimax[0][1].get_snapshot().move == move


class RememberingTicTacToe(TwoPlayerTicTacToe):
    """The same game, with what it was asked before in a table."""

    def __init__(self) -> None:
        for name in ("moves", "make_move", "status", "player"):
            setattr(self, name, functools.cache(getattr(self, name)))


# --- players ---------------------------------------------------------------------------------------


class Clock:
    """A clock that stands still but for what is done; it notes when nodes were
    expanded.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.expanded: list[float] = []

    def __call__(self) -> float:
        return self.now

    def slow(self, game: TwoPlayerGame) -> TwoPlayerGame:
        """The game, with every list of moves and every estimate taking a second."""
        moves, estimate = game.moves, game.estimate

        def slow_moves(state: Any) -> Any:
            self.expanded.append(self.now)
            self.now += 1
            return moves(state)

        def slow_estimate(state: Any) -> Any:
            self.now += 1
            return estimate(state)

        game.moves, game.estimate = slow_moves, slow_estimate  # type: ignore[method-assign]
        return game


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.__name__)
@pytest.mark.parametrize("seconds", [0, 0.5, 1, 5, 23, 24, 100, 350, 1000])
def test_no_node_is_expanded_after_the_limit(
    search: Callable[..., Any], seconds: float
) -> None:
    clock = Clock()
    game = clock.slow(TwoPlayerTicTacToe())
    player = SearchPlayer(game, search, seconds=seconds, clock=clock)
    move = player.next_move(game.start())
    assert player.thought is not None
    assert player.thought.moves[0] == move
    depth_1 = 1 + 9
    assert [time for time in clock.expanded if time >= max(seconds, depth_1)] == []
    assert (player.thought.depth > 1) == (seconds >= 100)
    assert clock.now <= max(seconds + 1, depth_1)


def test_a_deepening_player_stops_when_the_game_is_seen_through() -> None:
    clock = Clock()
    full = TwoPlayerTicTacToe().start()
    player = SearchPlayer(
        RememberingTicTacToe(), lab.minimax_search_alphabeta, seconds=10, clock=clock
    )
    assert player.next_move(full) == 0
    assert player.thought is not None and (
        player.thought.depth,
        player.thought.score,
    ) == (9, 0)
    limited = SearchPlayer(
        TwoPlayerTicTacToe(),
        lab.minimax_search_alphabeta,
        depth=2,
        seconds=10,
        clock=clock,
    )
    assert limited.next_move(full) == 4
    assert limited.thought is not None and limited.thought.depth == 2


def test_a_player_who_searches_wins_at_once_and_holds_out() -> None:
    game = TwoPlayerTicTacToe()
    player = SearchPlayer(game, lab.minimax_search_alphabeta)
    assert player.next_move("XX.OO....") == 2
    assert player.thought is not None and player.thought.depth == 1
    lost_either_way = "XO..X...."
    assert player.next_move(lost_either_way) == 8
    path, score, _ = lab.minimax_search_alphabeta(
        two_player_state(game, lost_either_way), maximize=False
    )
    assert (path[1].get_snapshot().move, score) == (2, 1000)
    assert (
        player.thought is not None
        and player.thought.moves[0] == 8
        and player.thought.score < 1000
    )


def test_a_human_plays_against_the_player_of_part_4(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last example of the slides: a human against depth 3, over standard input."""
    answers = iter(["2", "", "5", "take 3", " 3 ", "1", "3", "3", "1", "1"])

    def answer(question: str) -> str:
        assert question == "Maxie, your move: "
        return next(answers)

    monkeypatch.setattr("builtins.input", answer)
    human = HumanPlayer(Nim(), read=lambda question: input(question))
    outcome = Referee(maxie=human, minnie=lab.MinimaxPlayer(Nim(), 3)).go()
    shown = capsys.readouterr().out
    assert shown.count("is not a legal move here; the legal moves are: 1, 2, 3") == 3
    assert shown.splitlines()[-1] == "Minnie wins."
    assert outcome == Winner(Player.MINNIE)


class Stubborn(Player):
    """Plays one move, possible or not."""

    def __init__(self, game: TwoPlayerGame, move: Any) -> None:
        super().__init__(game)
        self.move = move

    def next_move(self, state: Any) -> Any:
        return self.move


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(
        IllegalMove,
        match=r"^Minnie \(Stubborn\) made the illegal move 7; the legal moves are: 1, 2, 3$",
    ):
        Referee(Stubborn(Nim(), 1), Stubborn(Nim(), 7)).go()
    with pytest.raises(
        IllegalMove, match=r"^Maxie \(Stubborn\) made the illegal move None"
    ):
        Referee(Stubborn(Nim(), None), Stubborn(Nim(), 7)).go()
    for equal in (True, 1.0):
        with pytest.raises(
            IllegalMove,
            match=rf"^Maxie \(Stubborn\) made the illegal move {equal};",
        ):
            Referee(Stubborn(Nim(), equal), Stubborn(Nim(), 1)).go()


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (Nim(), GAMES["very_dumb_nim"](), "Maxie Nim, Minnie VeryDumbNim"),
        (Nim(15), Nim(14), "Maxie Nim, Minnie Nim, with different settings"),
        (
            connect_four(),
            TwoPlayerTicTacToe(),
            "Maxie TwoPlayerConnectFour, Minnie TwoPlayerTicTacToe",
        ),
    ],
)
def test_players_of_different_games_are_refused(
    one: TwoPlayerGame, other: TwoPlayerGame, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        Referee(Stubborn(one, 1), Stubborn(other, 1))
    Referee(Stubborn(one, 1), Stubborn(one, 1))
