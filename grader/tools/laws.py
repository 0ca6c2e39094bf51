"""What must hold of the searches of part 2 on any tree.  No answer is known here, and none is worked out.

A law compares what the student's own functions return with each other, or with the tree.  It holds
of every right lab: fail-soft or fail-hard, with a table or without, whatever it does in between.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from api import INF, TreeNode, tree_estimate, tree_state
from boards.heuristics import HEURISTICS
from grader.protocol.words import plural, show

DFS, ENDGAME, MINIMAX = "dfs_maximizing", "minimax_endgame_search", "minimax_search"
ALPHABETA, DEEPENING = "minimax_search_alphabeta", "progressive_deepening"
SEARCHES = (DFS, ENDGAME, MINIMAX, ALPHABETA, DEEPENING)

FORM = "A search returns (path, score, evaluations), and a path begins with the given state and goes from child to \
child."
_AGREE = "Alpha-beta leaves out only what cannot change the result, so all of these find the same path and score."
_TIES = "All scores are equal, and of equally good branches the earlier one wins, for both players."
_END = "A path ends in the state that was scored: the game is over there, or it lies at the depth limit."
_UNIFORM = "All scores are equal, all leaves equally deep, all inner nodes equally wide: Knuth and Moore (1975) proved \
that alpha-beta then makes b^ceil(d/2) + b^floor(d/2) - 1 evaluations. Here that is "
_HISTORY = "Progressive deepening returns an AnytimeValue. Entry d of its history is what alpha-beta finds with depth \
limit d, and the last one has the limit that was given."


@dataclass(frozen=True)
class Call:
    """A call of a search on a tree, with the arguments besides the state."""

    function: str
    arguments: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        words = [f"{name}={getattr(value, '__name__', value)}" for name, value in self.arguments]
        return f"{self.function}({', '.join(['state', *words])})"


@dataclass(frozen=True)
class Found:
    """A result of a call, its path as nodes of the tree; progressive deepening has one for each depth."""

    call: Call
    path: tuple[TreeNode, ...] = ()
    score: float = 0
    evaluations: float = 0
    odd: str = ""  # what it is instead, where it is no result

    def __str__(self) -> str:
        if self.odd:
            return self.odd
        names = ", ".join(node.name for node in self.path)
        return f"path {names}; score {show(self.score)}; evaluations {show(self.evaluations)}"


class Contradiction(Exception):
    """What must hold and does not, in sentences, and the calls that show it."""

    def __init__(self, law: str, *calls: Call) -> None:
        super().__init__(law)
        self.calls = tuple(dict.fromkeys(calls))


Ask = Callable[[Call], list[Found]]  # all results of a call; none where the function is not written


def check(root: TreeNode, ask: Ask) -> None:
    """Have a lab search a tree to its end, or one with estimates to every depth.  Raises Contradiction."""
    height = max(depth for _, depth in _scored(root, INF))
    for maximize in (True, False):
        if not root.estimate:
            _check_alike(root, ask, INF, maximize)
            continue
        by_depth = [_check_alike(root, ask, limit, maximize) for limit in range(height + 1)]
        history = ask(Call(DEEPENING, _to_a_limit(height, maximize)))
        if len(history) > height:
            raise Contradiction(_HISTORY, history[0].call)
        pairs = [*zip(history, by_depth[1:], strict=False), *zip(history[-1:], by_depth[-1:], strict=False)]
        for entry, alike in pairs:
            _check_agreement(_HISTORY, [*alike, entry])
            for found in alike:
                if found.call.function == ALPHABETA and found.evaluations != entry.evaluations:
                    raise Contradiction(_HISTORY, found.call, entry.call)


def _to_a_limit(limit: int, maximize: bool) -> tuple[tuple[str, Any], ...]:
    return (("heuristic_fn", HEURISTICS["tree_estimate"]), ("depth_limit", limit), ("maximize", maximize))


def _check_alike(root: TreeNode, ask: Ask, limit: float, maximize: bool) -> list[Found]:
    """The results of the searches that find the same, to a limit or to the end."""
    names = (ENDGAME, MINIMAX, ALPHABETA) if limit == INF else (MINIMAX, ALPHABETA)
    given = (("maximize", maximize),) if limit == INF else _to_a_limit(int(limit), maximize)
    alike = [found for name in names for found in ask(Call(name, given))]
    for found in (*(ask(Call(DFS)) if limit == INF else ()), *alike):
        _check_alone(root, found, limit, maximize)
    _check_agreement(_AGREE, alike)
    return alike


def _check_agreement(law: str, results: list[Found]) -> None:
    """Path and score of all are the same; else the call that differs from most comes last."""
    votes = Counter((found.path, found.score) for found in results)
    if len(votes) > 1:
        results = sorted(results, key=lambda found: -votes[found.path, found.score])
        raise Contradiction(law, *(found.call for found in results))


def _check_alone(root: TreeNode, found: Found, limit: float, maximize: bool) -> None:
    """What holds of one result: where its path ends, its score, its count, and ties where all scores are equal."""
    end, plies, call = found.path[-1], len(found.path) - 1, found.call
    scored = list(_scored(root, limit))
    if (end, plies) not in scored:
        raise Contradiction(_END, call)
    flag = call.function == DFS or maximize == (plies % 2 == 0)
    worth = tree_estimate(end, flag) if end.children else tree_state(end).get_endgame_score(flag)
    if found.score != worth:
        told = "with its default flag" if call.function == DFS else f"with the flag {flag} of who would move there"
        raise Contradiction(f"A score is that of the path's last state: {end.name} is worth {worth}, {told}.", call)
    least = 1 if call.function == ALPHABETA else len(scored)
    if not least <= found.evaluations <= len(scored):
        law = f"{plural(len(scored), 'state is', 'states are')} there to be scored, and nothing else counts."
        raise Contradiction(f"{law} Only alpha-beta leaves some out.", call)
    if limit == INF and not root.negates and len({leaf.score for leaf, _ in scored}) == 1:
        _check_equal(root, found, max(depth for _, depth in scored))


def _check_equal(root: TreeNode, found: Found, depth: int) -> None:
    """Where all scores are equal the earlier branch wins; on a uniform tree, of this depth, the count is known too."""
    if any(after != before.children[0] for before, after in pairwise(found.path)):
        raise Contradiction(_TIES, found.call)
    width = len(root.children)
    widths = {len(node.children) for above in range(depth) for node, _ in _scored(root, above)}
    least = width ** (depth // 2) + width ** ((depth + 1) // 2) - 1
    if found.call.function == ALPHABETA and len(widths) < 2 and found.evaluations != least:
        raise Contradiction(f"{_UNIFORM}{least}.", found.call)


def _scored(node: TreeNode, limit: float, depth: int = 0) -> Iterator[tuple[TreeNode, int]]:
    """The nodes that are leaves or lie at the limit, with their depths."""
    if not node.children or depth == limit:
        yield node, depth
    for child in node.children if depth < limit else ():
        yield from _scored(child, limit, depth + 1)
