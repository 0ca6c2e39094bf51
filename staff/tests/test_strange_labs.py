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
    "a-search-that-awaits-itself": (
        "minimax_search",
        """
        import asyncio
        async def _look(state, heuristic_fn, depth, flag):
            await asyncio.sleep(0)
            if state.is_game_over() or depth <= 0:
                over = state.is_game_over()
                return [state], state.get_endgame_score(flag) if over else heuristic_fn(state.snapshot, flag), 1
            looks = [_look(child, heuristic_fn, depth - 1, not flag) for child in state.generate_next_states()]
            found = await asyncio.gather(*looks)
            path, score, _ = (max if flag else min)(found, key=lambda one: one[1])
            return [state, *path], score, sum(one[2] for one in found)
        def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
            return asyncio.run(_look(state, heuristic_fn, depth_limit, maximize))
        """,
    ),
    "a-search-in-levels": (
        "minimax_endgame_search",
        """
        def minimax_endgame_search(state, maximize=True):
            nodes = [[state, maximize, None, []]]
            for here, flag, _, below in nodes:
                for child in here.generate_next_states():
                    below.append(len(nodes))
                    nodes.append([child, not flag, None, []])
            for node in reversed(nodes):
                here, flag, _, below = node
                found = [nodes[at][2] for at in below]
                best = (max if flag else min)(found, key=lambda one: one[1]) if found else None
                node[2] = (
                    ([here, *best[0]], best[1], sum(one[2] for one in found))
                    if best else ([here], here.get_endgame_score(flag), 1)
                )
            return nodes[0][2]
        """,
    ),
    "a-search-of-generators": (
        "minimax_search_alphabeta",
        """
        def _look(state, alpha, beta, heuristic_fn, depth, flag):
            if state.is_game_over():
                return [state], state.get_endgame_score(flag), 1
            if depth <= 0:
                return [state], heuristic_fn(state.snapshot, flag), 1
            best, total = None, 0
            for child in state.generate_next_states():
                path, score, count = yield child, alpha, beta, heuristic_fn, depth - 1, not flag
                total += count
                if best is None or (score > best[1] if flag else score < best[1]):
                    best = [state, *path], score
                alpha, beta = (max(alpha, score), beta) if flag else (alpha, min(beta, score))
                if alpha >= beta:
                    break
            return *best, total
        def minimax_search_alphabeta(
            state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True
        ):
            stack, found = [_look(state, alpha, beta, heuristic_fn, depth_limit, maximize)], None
            while stack:
                try:
                    stack.append(_look(*stack[-1].send(found)))
                    found = None
                except StopIteration as done:
                    found = done.value
                    stack.pop()
            return found
        """,
    ),
    "a-search-that-computes-with-floats": (
        "minimax_search",
        """
        _whole = minimax_search
        def minimax_search(*words, **named):
            path, score, evaluations = _whole(*words, **named)
            return path, -1.0 * -score, evaluations
        """,
    ),
    "a-history-from-the-deepest-on": (
        "progressive_deepening",
        """
        class Later(AnytimeValue):
            pass
        def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
            depths = range(9 if depth_limit == INF else depth_limit, 0, -1)
            found = [minimax_search_alphabeta(state, -INF, INF, heuristic_fn, depth, maximize) for depth in depths]
            later = Later()
            while found:
                later.set_value(list(found.pop()))
            return later
        """,
    ),
    "wins-by-shifted-bits": (
        "is_game_over_connectfour",
        """
        def is_game_over_connectfour(board, /):
            for piece in (1, 2):
                bits = sum(1 << 7 * c + r for c in range(7) for r in range(6) if board.get_piece(c, r) == piece)
                if any((pairs := bits & bits >> step) & pairs >> 2 * step for step in (1, 6, 7, 8)):
                    return True
            return all(map(board.is_column_full, range(7)))
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
