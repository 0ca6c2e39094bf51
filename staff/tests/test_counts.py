"""Counts of evaluations: who prunes nothing earns nothing, whatever is reported and however the
recorder is blinded; who prunes in an odd way earns everything, though it blinds the recorder too."""

import textwrap
from pathlib import Path

import pytest

from boards.cases import Bank, Call, Case
from grader.grading.session import Session
from grader.judging.verdict import Verdict

ALPHABETA = "minimax_search_alphabeta"


def verdicts_on(text: str, tmp_path: Path, bank: Bank) -> list[tuple[Case, Verdict]]:
    """The verdicts on the cases of alpha-beta."""
    lab = tmp_path / "lab.py"
    lab.write_text(text, encoding="utf-8")
    with Session(lab, bank) as session:
        return [(case, session.verdict(case)) for case in bank.of(ALPHABETA)]


MINIMAX = """
def _plain(state, heuristic_fn, depth_limit, maximize):
    if state.is_game_over():
        return [state], state.get_endgame_score(maximize), 1
    if depth_limit <= 0:
        return [state], heuristic_fn(state.get_snapshot(), maximize), 1
    results = [_plain(child, heuristic_fn, depth_limit - 1, not maximize) for child in state.generate_next_states()]
    path, score, _ = (max if maximize else min)(results, key=lambda result: result[1])
    return [state, *path], score, sum(result[2] for result in results)

def _behind(function, wanted):
    return next(c.cell_contents for c in function.__closure__ if wanted(c.cell_contents))

def _unwatched(state, heuristic_fn):
    rules = state._rules
    unwatched = [_behind(function, callable) for function in (rules.next_snapshots, rules.endgame_score)]
    state = AbstractGameState(state.snapshot, rules.is_game_over, *unwatched)
    if heuristic_fn is not always_zero:
        heuristic_fn = _behind(heuristic_fn, callable)
    return state, heuristic_fn

def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
"""

LIARS = {
    "evaluates-nothing-once": """
        try:
            state._rules.endgame_score(object(), True)
        except Exception:
            pass
        path, score, count = _plain(state, heuristic_fn, depth_limit, maximize)
        return path, score, count - 1
    """,
    "asks-the-rules-behind-the-watch": """
        path, score, count = _plain(*_unwatched(state, heuristic_fn), depth_limit, maximize)
        return path, score, count - 1
    """,
    "shows-one-evaluation-and-reports-many": """
        path, score, count = _plain(*_unwatched(state, heuristic_fn), depth_limit, maximize)
        shown = state
        while not shown.is_game_over():
            shown = shown.generate_next_states()[0]
        shown.get_endgame_score()
        return path, score, count + 1
    """,
    "patches-the-state": """
        get_score = AbstractGameState.get_endgame_score
        def get_unwatched_score(self, flag=True):
            return get_score(_unwatched(self, always_zero)[0], flag)
        AbstractGameState.get_endgame_score = get_unwatched_score
        path, score, count = _plain(state, lambda snapshot, flag: heuristic_fn(snapshot, flag), depth_limit, maximize)
        return path, score, count + 1
    """,
    "patches-what-python-has-built-in": """
        import builtins
        path, score, count = _plain(state, heuristic_fn, depth_limit, maximize)
        builtins.len = lambda thing: min(count - 1, sum(1 for _ in thing))
        return path, score, count - 1
    """,
    "empties-the-notes": """
        path, score, count = _plain(state, heuristic_fn, depth_limit, maximize)
        for function in (state._rules.endgame_score, state._rules.next_snapshots):
            for cell in function.__closure__:
                if isinstance(cell.cell_contents, list):
                    cell.cell_contents.clear()
        return path, score, count - 1
    """,
    "looks-twice": """
        _plain(state, heuristic_fn, depth_limit, maximize)
        path, score, count = _plain(state, heuristic_fn, depth_limit, maximize)
        return path, score, 2 * count
    """,
    "does-not-count": """
        path, score, _ = _plain(state, heuristic_fn, depth_limit, maximize)
        return path, score, None
    """,
    "stands-everywhere": """
        generate = state._rules.next_snapshots
        generate_twice = lambda snapshot: generate(snapshot) and generate(snapshot)
        state._rules = state._rules._replace(next_snapshots=generate_twice)
        for child in state.generate_next_states():
            notes = _behind(generate, lambda found: isinstance(found, list))
            notes.append((state.snapshot, (object(), child.snapshot)))
        path, score, count = _plain(state, heuristic_fn, depth_limit, maximize)
        return path, score, count + 1
    """,
}


@pytest.mark.parametrize("liar", LIARS)
def test_a_search_that_prunes_nothing_earns_nothing(liar: str, model: str, tmp_path: Path, bank: Bank) -> None:
    body = textwrap.indent(textwrap.dedent(LIARS[liar]), "    ")
    verdicts = verdicts_on(f"{model}\n{MINIMAX}{body}", tmp_path, bank)
    to_cut = [verdict for case, verdict in verdicts if any(is_to_cut(call) for call in case.calls)]
    assert len(to_cut) > 10
    assert {verdict.case: str(verdict.credit) for verdict in to_cut if verdict.credit} == {}


def is_to_cut(call: Call) -> bool:
    """Whether there is something to cut off."""
    return bool(call.expect["evaluations"] < call.expect["unpruned"])


PRUNING = """
import copy, functools

def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    state = begin(state)
    if state.is_game_over():
        return [state], end_score(state, maximize), 1
    if depth_limit <= 0:
        return [state], heuristic_fn(state.get_snapshot(), maximize), 1
    best_path, best_score, evaluations = None, None, 0
    for child in children(state):
        path, score, count = minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)
        evaluations += count
        if best_score is None or (score > best_score if maximize else score < best_score):
            best_path, best_score = [state, *path], score
        alpha, beta = (max(alpha, best_score), beta) if maximize else (alpha, min(beta, best_score))
        if alpha >= beta:
            break
    return best_path, best_score, evaluations

begin = lambda state: state
children = lambda state: state.generate_next_states()
end_score = lambda state, maximize: state.get_endgame_score(maximize)
"""

ODD = {
    "remembers-children": "children = functools.cache(lambda state: state.generate_next_states())",
    "copies-deeply": "children = lambda state: copy.deepcopy(state.generate_next_states())",
    "copies-each-state": "begin = lambda state: copy.copy(state.copy())",
    "copies-snapshots": """
        def begin(state):
            state.snapshot = copy.deepcopy(state.snapshot)
            return state
    """,
    "keeps-the-states-of-earlier-calls": """
        known = {}
        def begin(state):
            return known.setdefault(state, state)
    """,
    "scores-twice": "end_score = lambda state, maximize: min(state.get_endgame_score(maximize) for _ in range(2))",
    "looks-ahead": """
        def children(state):
            found = state.generate_next_states()
            for child in found:
                child.grandchildren = child.generate_next_states()
            return found
    """,
    "makes-every-list-anew": """
        def children(state):
            return [move_sequence(state, [n])[1] for n in range(len(state.generate_next_states()))]
        from api import move_sequence
    """,
    "a-state-of-its-own": """
        class Mine(AbstractGameState):
            __slots__ = ()
        def begin(state):
            rules = state._rules
            return Mine(state.snapshot, rules.is_game_over, rules.next_snapshots, rules.endgame_score)
    """,
}


@pytest.mark.parametrize("odd", ODD)
def test_a_search_that_prunes_in_an_odd_way_earns_everything(odd: str, model: str, tmp_path: Path, bank: Bank) -> None:
    verdicts = verdicts_on(f"{model}\n{PRUNING}{textwrap.dedent(ODD[odd])}", tmp_path, bank)
    assert {verdict.case: verdict.message for _, verdict in verdicts if not verdict.passed} == {}
