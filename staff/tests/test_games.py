"""Games, players and the referee: perfect play, every search on every game, time
limits, broken games.
"""

import functools
import itertools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import lab
from api import (
    DRAW,
    GAMES,
    INF,
    AbstractGameState,
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
from api.players import Thought
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


# --- estimates ------------------------------------------------------------------------

# From the worst for Maxie to the best; those in one row are equally good.
ORDER: list[list[Estimate]] = [
    [Definitely(Winner(Player.MINNIE))],
    [Guess(-INF)],
    [Guess(-0.5)],
    [Guess(0), Definitely(DRAW), Guess(0.0)],
    [Guess(2)],
    [Guess(INF)],
    [Definitely(Winner(Player.MAXIE))],
]
RANKED = [(rank, each) for rank, row in enumerate(ORDER) for each in row]


@pytest.mark.parametrize(
    "compare", [operator.lt, operator.le, operator.gt, operator.ge]
)
def test_the_order_of_estimates(compare: Callable[[Any, Any], bool]) -> None:
    for (rank, estimate), (other_rank, other) in itertools.product(RANKED, repeat=2):
        holds = compare(estimate, other)
        assert holds == compare(rank, other_rank), (estimate, other)


def test_a_guess_is_not_equal_to_what_is_sure() -> None:
    guess, draw, same_guess = ORDER[3]
    assert guess != draw
    assert guess == same_guess


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
def test_whoever_plays_nim_best_wins_as_the_theory_says(n: int, side: Any) -> None:
    """Two kinds of player play their best."""
    expected = Winner(side if n % 4 != 1 else side.other)
    for player in (PerfectPlayer(Nim(n), lab.solve), lab.MinimaxPlayer(Nim(n), 1)):
        assert Referee(player, player).go(NimState(n, side)) == expected


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", range(1, 31))
def test_whoever_plays_zero_by_best_wins_as_the_table_says(n: int, side: Any) -> None:
    zero_by = lab.ZeroBy(n, (1, 3, 4))
    wins = lab.solve(zero_by)[n] is Value.WIN
    player = PerfectPlayer(as_two_player_game(zero_by, side), lab.solve)
    outcome = Referee(player, player).go(player.game.start())
    assert outcome == Winner(side if wins else side.other)


# --- games and states as values ----------------------------------------------------------------------


class UnequalZeroBy(lab.ZeroBy):
    """A game as students write it, whose instances are equal to themselves alone."""

    __eq__, __hash__ = object.__eq__, object.__hash__


def adapted(n: int, first: Any = Player.MAXIE) -> TwoPlayerGame:
    """A student's zero-by as a game for two players."""
    return as_two_player_game(UnequalZeroBy(n, (1, 3)), first)  # type: ignore[no-untyped-call]


def test_adapted_games_are_equal_when_they_were_made_alike() -> None:
    assert adapted(9) == adapted(9)
    assert hash(adapted(9)) == hash(adapted(9))
    assert as_two_player_game(TicTacToe()) == as_two_player_game(TicTacToe())


@pytest.mark.parametrize(
    "other",
    [adapted(8), adapted(9, Player.MINNIE), as_two_player_game(TicTacToe()), Nim()],
    ids=["another number", "another first player", "another game", "not adapted"],
)
def test_adapted_games_that_were_made_in_other_ways_are_not_equal(
    other: TwoPlayerGame,
) -> None:
    assert adapted(9) != other


def test_players_of_equal_adapted_games_may_play() -> None:
    maxie, minnie = (PerfectPlayer(adapted(9), lab.solve) for _ in SIDES)
    assert Referee(maxie, minnie).go(maxie.game.start()) == Winner(Player.MAXIE)


def three(*given: Any) -> Any:
    return 3


def nothing(*given: Any) -> Any:
    return None


def same(board: ConnectFourBoard) -> list[ConnectFourBoard]:
    return [board]


RIGHT = connect_four()
IS_OVER = {"is_game_over": lambda board: True}
NO_NUMBER = "which is not a number$"
NO_MOVE = "which is not a board with one new piece"


@pytest.mark.parametrize(
    ("functions", "method", "says"),
    [
        ({"next_boards": three}, "moves", "^three returned 3, but is_game_over_connectfour says"),
        ({"next_boards": lambda board: []}, "moves", r"returned \[\], but is_game_over_connectfour says"),
        ({"next_boards": same}, "moves", f"^same returned <.*>, {NO_MOVE}"),
        ({"next_boards": lambda board: [7]}, "moves", f"returned 7, {NO_MOVE}"),
        ({"heuristic": nothing}, "estimate", f"^nothing returned None, {NO_NUMBER}"),
        ({"heuristic": lambda *_: True}, "estimate", f"returned True, {NO_NUMBER}"),
        ({"heuristic": lambda *_: float("nan")}, "estimate", f"returned nan, {NO_NUMBER}"),
        (IS_OVER | {"endgame_score": nothing}, "status", f"^nothing returned None, {NO_NUMBER}"),
    ],
)  # fmt: skip
def test_what_a_student_s_function_breaks_is_said_by_its_name(
    functions: dict[str, Any], method: str, says: str
) -> None:
    broken = TwoPlayerConnectFour(**{**vars(RIGHT), **functions})
    with pytest.raises(BrokenRules, match=says):
        getattr(broken, method)(RIGHT.start())


# --- every search on every game ---------------------------------------------------------------------


ESTIMATES: dict[float, Estimate] = {
    1000: Definitely(Winner(Player.MAXIE)),
    0: Definitely(DRAW),
    -1000: Definitely(Winner(Player.MINNIE)),
}
ZERO_BY = as_two_player_game(lab.ZeroBy(9, (1, 3, 4)))
TREE = TreeGame(NIM_4)
POSITIONS: list[tuple[TwoPlayerGame, Any]] = [
    (Nim(), NimState(7, Player.MINNIE)),
    (GAMES["very_dumb_nim"](), NimState(8, Player.MAXIE)),
    (TwoPlayerTicTacToe(), "XO.XO...."),
    (connect_four(), NEARLY_OVER),
    (ZERO_BY, ZERO_BY.start()),
    (TREE, TREE.start()),
]


@dataclass(frozen=True)
class Position:
    """A position of a game, and what minimax finds there."""

    game: TwoPlayerGame
    start: Any
    state: AbstractGameState
    maximize: bool
    path: list[AbstractGameState]
    score: float
    evaluations: int


@pytest.fixture(params=POSITIONS, ids=lambda pair: type(pair[0]).__name__)
def position(request: pytest.FixtureRequest) -> Position:
    """A position of each game."""
    game, start = request.param
    state = two_player_state(game, start)
    maximize = game.player(start) is Player.MAXIE
    minimax = lab.minimax_search(state, maximize=maximize)
    return Position(game, start, state, maximize, *minimax)


def test_a_search_to_the_end_finds_the_same(position: Position) -> None:
    path, score, evaluations = lab.minimax_endgame_search(
        position.state, position.maximize
    )
    assert (path, score) == (position.path, position.score)
    assert evaluations == position.evaluations


def test_alpha_beta_finds_the_same_with_no_more_evaluations(position: Position) -> None:
    path, score, evaluations = lab.minimax_search_alphabeta(
        position.state, maximize=position.maximize
    )
    assert (path, score) == (position.path, position.score)
    assert evaluations <= position.evaluations


def test_progressive_deepening_ends_with_what_alpha_beta_finds(
    position: Position,
) -> None:
    deepened = lab.progressive_deepening(
        position.state, game_estimate, maximize=position.maximize
    )
    assert isinstance(deepened, AnytimeValue)
    assert deepened.get_value() == lab.minimax_search_alphabeta(
        position.state, maximize=position.maximize
    )


def test_a_search_that_maximizes_finds_no_less(position: Position) -> None:
    _, best, evaluations = lab.dfs_maximizing(position.state)
    assert best >= position.score
    assert evaluations == position.evaluations


def test_a_player_makes_the_move_that_minimax_finds(position: Position) -> None:
    player = lab.MinimaxPlayer(position.game, INF)
    move, estimate = player.search(INF, position.start)
    assert move == position.path[1].get_snapshot().move
    assert estimate == ESTIMATES[position.score]


class RememberingTicTacToe(TwoPlayerTicTacToe):
    """The same game, with what it was asked before in a table."""

    def __init__(self) -> None:
        for name in ("moves", "make_move", "status", "player"):
            setattr(self, name, functools.cache(getattr(self, name)))


# --- players ---------------------------------------------------------------------------------------


SEARCH: Callable[..., Any] = lab.minimax_search_alphabeta


def thought_of(player: SearchPlayer) -> Thought:
    """What a player who has moved thought last."""
    assert player.thought is not None
    return player.thought


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


NODES_OF_DEPTH_1 = 1 + 9
SECONDS_TO_DEPTH_2 = 100  # surely enough, and 24 are not


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.__name__)
@pytest.mark.parametrize("seconds", [0, 0.5, 1, 5, 23, 24, 100, 350, 1000])
def test_no_node_is_expanded_after_the_limit(
    search: Callable[..., Any], seconds: float
) -> None:
    clock = Clock()
    game = clock.slow(TwoPlayerTicTacToe())
    player = SearchPlayer(game, search, seconds=seconds, clock=clock)
    move = player.next_move(game.start())
    thought = thought_of(player)
    assert thought.moves[0] == move
    assert (thought.depth > 1) == (seconds >= SECONDS_TO_DEPTH_2)
    limit = max(seconds, NODES_OF_DEPTH_1)
    assert [time for time in clock.expanded if time >= limit] == []
    assert clock.now <= max(seconds + 1, NODES_OF_DEPTH_1)


def test_a_deepening_player_stops_when_the_game_is_seen_through() -> None:
    game = RememberingTicTacToe()
    player = SearchPlayer(game, SEARCH, seconds=10, clock=Clock())
    assert player.next_move(game.start()) == 0
    assert thought_of(player).depth == 9
    assert thought_of(player).score == 0


def test_a_deepening_player_stops_at_a_limit_of_depth() -> None:
    game = TwoPlayerTicTacToe()
    player = SearchPlayer(game, SEARCH, depth=2, seconds=10, clock=Clock())
    assert player.next_move(game.start()) == 4
    assert thought_of(player).depth == 2


def test_a_player_who_searches_wins_at_once() -> None:
    player = SearchPlayer(TwoPlayerTicTacToe(), SEARCH)
    assert player.next_move("XX.OO....") == 2
    assert thought_of(player).depth == 1


def test_a_player_who_searches_and_has_lost_holds_out() -> None:
    """A search to the end would lose at once."""
    game = TwoPlayerTicTacToe()
    lost_either_way = "XO..X...."
    state = two_player_state(game, lost_either_way)
    path, score, _ = SEARCH(state, maximize=False)
    assert (path[1].get_snapshot().move, score) == (2, 1000)
    player = SearchPlayer(game, SEARCH)
    assert player.next_move(lost_either_way) == 8
    assert thought_of(player).moves[0] == 8
    assert thought_of(player).score < 1000


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


@pytest.mark.parametrize(
    ("maxie", "minnie", "says"),
    [
        (1, 7, r"Minnie \(Stubborn\) made the illegal move 7; the legal moves are: 1, 2, 3$"),
        (None, 7, r"Maxie \(Stubborn\) made the illegal move None;"),
        (True, 1, r"Maxie \(Stubborn\) made the illegal move True;"),
        (1.0, 1, r"Maxie \(Stubborn\) made the illegal move 1.0;"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_refused(maxie: Any, minnie: Any, says: str) -> None:
    """Also one that is equal to a legal move, but of another type."""
    referee = Referee(Stubborn(Nim(), maxie), Stubborn(Nim(), minnie))
    with pytest.raises(IllegalMove, match=f"^{says}"):
        referee.go()


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
