"""Right in a way that nobody expects: each gets everything in its own function."""

import textwrap
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session

STRANGE = {
    "moves-that-move": (
        "ZeroBy",
        """
        class ZeroBy(Game):
            def __init__(self, n, removals):
                self.n, self.removals = n, removals
            def start(self):
                return self.n
            def get_moves(self, position):
                return (lambda removal=removal: max(0, position - removal) for removal in self.removals)
            def do_move(self, position, move):
                return move()
            def terminal_value(self, position):
                return None if position else Value.LOSE
        """,
    ),
    "moves-that-come-twice": (
        "ZeroBy",
        """
        class ZeroBy(ZeroBy):
            def get_moves(self, position):
                yield from [max(position - removal, 0) for removal in self.removals * 2]
            def do_move(self, position, move):
                return move
        """,
    ),
    "solve-from-the-leaves-up": (
        "solve",
        """
        def solve(game):
            after, waiting, before = {}, [game.start()], {game.start(): []}
            for position in waiting:
                over = game.terminal_value(position) is not None
                after[position] = set() if over else {game.do_move(position, m) for m in game.get_moves(position)}
                for successor in after[position]:
                    if successor not in before:
                        before[successor] = []
                        waiting.append(successor)
                    before[successor].append(position)
            remaining = {position: len(successors) for position, successors in after.items()}
            ready, values = [position for position in waiting if not after[position]], {}
            for position in ready:
                found = [values[successor] for successor in after[position]]
                values[position] = game.terminal_value(position) or _best_for_mover(found)
                for earlier in before[position]:
                    remaining[earlier] -= 1
                    if not remaining[earlier]:
                        ready.append(earlier)
            return values
        """,
    ),
    "solve-by-generators": (
        "solve",
        """
        import collections
        def solve(game):
            values = collections.OrderedDict()
            def settle(position):
                value = game.terminal_value(position)
                if value is None:
                    found = []
                    for move in game.get_moves(position):
                        after = game.do_move(position, move)
                        if after not in values:
                            yield after
                        found.append(values[after])
                    value = _best_for_mover(found)
                values[position] = value
            stack = [settle(game.start())]
            while stack:
                for needed in stack[-1]:
                    stack.append(settle(needed))
                    break
                else:
                    stack.pop()
            return values
        """,
    ),
    "powers-of-two-for-a-fast-win": (
        "endgame_score_connectfour_faster",
        """
        def endgame_score_connectfour_faster(board, flag):
            return endgame_score_connectfour(board, flag) * 2 ** (42 - board.count_pieces())
        """,
    ),
    "a-quotient-for-a-fast-win": (
        "endgame_score_connectfour_faster",
        """
        def endgame_score_connectfour_faster(board, flag):
            return endgame_score_connectfour(board, flag) * 43.0 / board.count_pieces()
        """,
    ),
    "a-heuristic-that-searches": (
        "heuristic_connectfour",
        """
        import math
        def heuristic_connectfour(board, is_current_player_maximizer):
            def look(board, depth):
                if is_game_over_connectfour(board):
                    return endgame_score_connectfour(board, True)
                if not depth:
                    return sum(2 ** len(chain) * (1 if mine else -1)
                               for mine in (True, False) for chain in board.get_all_chains(mine))
                return max(-look(after, depth - 1) for after in next_boards_connectfour(board))
            estimate = 999 * math.tanh(look(board, 2) / 500)
            return estimate if is_current_player_maximizer else -estimate
        """,
    ),
    "a-heuristic-of-three-answers": (
        "heuristic_connectfour",
        """
        def heuristic_connectfour(board, is_current_player_maximizer):
            longest = [max(map(len, board.get_all_chains(mine)), default=0) for mine in (True, False)]
            estimate = (longest[0] > longest[1]) - (longest[0] < longest[1])
            return estimate if is_current_player_maximizer else -estimate
        """,
    ),
    "a-player-that-cuts-off": (
        "MinimaxPlayer",
        """
        LOST, WON = Definitely(Winner(Player.MINNIE)), Definitely(Winner(Player.MAXIE))
        class MinimaxPlayer(MinimaxPlayer):
            def search(self, depth, state, low=LOST, high=WON):
                best, climbs = None, self.game.player(state) is Player.MAXIE
                for move in self.game.moves(state):
                    child = self.game.make_move(state, move)
                    inner = depth > 1 and self.game.status(child) is IN_PLAY
                    found = self.search(depth - 1, child, low, high)[1] if inner else self.evaluate(depth - 1, child)
                    if best is None or (found > best[1] if climbs else found < best[1]):
                        best = move, found
                    low, high = (max(low, found), high) if climbs else (low, min(high, found))
                    if low >= high:
                        break
                return best
        """,
    ),
    "a-player-from-the-last-move-on": (
        "MinimaxPlayer",
        """
        class MinimaxPlayer(MinimaxPlayer):
            def search(self, depth, state):
                best, climbs = None, self.game.player(state) is Player.MAXIE
                for move in list(self.game.moves(state))[::-1]:
                    found = self.evaluate(depth - 1, self.game.make_move(state, move))
                    if best is None or (found >= best[1] if climbs else found <= best[1]):
                        best = move, found
                return best
        """,
    ),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_and_right_function_gets_everything(name: str, model: str, tmp_path: Path, bank: Bank) -> None:
    function, code = STRANGE[name]
    lab = tmp_path / "lab.py"
    lab.write_text(f"{model}\n{textwrap.dedent(code)}", encoding="utf-8")
    with Session(lab, bank) as session:
        verdicts = {case.id: session.verdict(case) for case in bank.of(function) if not case.advice}
    assert {name: verdict.message for name, verdict in verdicts.items() if not verdict.passed} == {}
