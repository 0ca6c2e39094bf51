"""What a progressive deepening did wrong that makes its searches itself, or calls itself, or keeps something else."""

from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session
from grader.kinds.kind import kind_of
from staff.tests.support.tracing import traced
from staff.wrong_labs import with_body

BY_ITSELF = """\
    def search(s, a, b, depth, to_max):
        if s.is_game_over():
            return [s], s.get_endgame_score(to_max), 1
        if depth == 0:
            return [s], heuristic_fn(s.get_snapshot(), to_max), 1
        best, n = None, 0
        for c in s.generate_next_states():
            p, v, k = search(c, a, b, depth - 1, not to_max)
            n += k
            if best is None or (v > best[1] if to_max else v < best[1]):
                best = ([s] + p, v)
            if to_max:
                a = max(a, v)
            else:
                b = min(b, v)
            if a >= b:
                break
        return *best, n
    found = AnytimeValue()
    for depth in range(1, depth_limit + 1):
        found.set_value(search(state, -INF, INF, depth, maximize))
    return found
"""
MADE_ONE_BY_ONE = (
    BY_ITSELF.partition("    found =")[0]
    + """\
    deepest = [search(state, -INF, INF, depth, maximize) for depth in range(depth_limit, 0, -1)]
    found = AnytimeValue()
    for each in deepest:
        found.set_value(each)
    return found
"""
)
ITSELF_AND_BY_ITSELF = (
    BY_ITSELF.partition("    found =")[0]
    + """\
    if depth_limit == 0:
        return AnytimeValue()
    found = progressive_deepening(state, heuristic_fn, depth_limit - 1, maximize)
    found.set_value(search(state, -INF, INF, depth_limit, maximize))
    return found
"""
)
CALLS_ITSELF = """\
    if depth_limit == 0:
        return AnytimeValue()
    found = progressive_deepening(state, heuristic_fn, depth_limit - 1{})
    found.set_value(minimax_search_alphabeta(state, -INF, INF, heuristic_fn, depth_limit, maximize))
    return found
"""
FLAG_TO_COME = """\
    found = AnytimeValue()
    for depth in range(1, depth_limit + 1):
        found.set_value(minimax_search_alphabeta(state, -INF, INF, heuristic_fn, depth, heuristic_fn))
    return found
"""
KEEPS = """\
    found = AnytimeValue()
    for depth in range(1, depth_limit + 1):
        path, score, n = minimax_search_alphabeta(state, -INF, INF, heuristic_fn, depth, maximize)
        found.set_value({})
    return found
"""
SHORT = "progressive/two-by-two"


def said_of(body: str, name: str, at: int, bank: Bank, model: str) -> str | None:
    case = next(case for case in bank.cases if case.id == name)
    answer = traced(with_body("progressive_deepening", body, model), case)[at]
    located = kind_of(case.graded).locate(case, at, answer)
    return located.sentence if located else None


@pytest.mark.parametrize(
    ("old", "new", "case", "at", "sentence"),
    [
        (
            "s.get_endgame_score(to_max)", "s.get_endgame_score()", "progressive/minimizer-first", 1,
            "For depth 2: at the -9 below A get_endgame_score was asked with flag True and gave -9, not "
            "9; the minimizer is to move there.",
        ),
        (
            "v < best[1]", "v > best[1]", SHORT, 0,
            "For depth 2: at A, MIN to move, the 3 below A is worth 3 and the 5 below A 5; the history "
            "holds 5, and its path goes to the 5 below A.",
        ),
        (
            "search(c, a, b", "search(c, a, INF", "progressive/end-in-sight", 0,
            "For depth 3: at A2, MAX to move, beta should be 4 by then: the 7 below A2 gave 7, so alpha "
            "should rise to 7 there and nothing more below A2 matters; you went on to the 1 below A2.",
        ),
        (
            "in s.generate_next_states()", "in s.generate_next_states()[s is state:]", SHORT, 0,
            "For depth 1: your search never got a score for A from the heuristic. When its turn comes at "
            "root, alpha should be -INF and beta INF, so it could matter.",
        ),
        (
            "in s.generate_next_states()", "in s.generate_next_states()[::-1]", SHORT, 0,
            "For depth 2: your search came to the 9 below B before the 2 below B; the asked count is that of "
            "going through the children in their order.",
        ),
        (
            "best, n = None, 0", "best, n = None, 1", "progressive/end-in-sight", 0,
            "For depth 3: the history holds a count of 16 = 9 + 7: 7 states were expanded, and only scores count.",
        ),
        (
            "found.set_value(search(state, -INF, INF, depth, maximize))",
            "path, score, n = search(state, -INF, INF, depth, maximize)\n"
            "        found.set_value((path, score, n + found.total_evaluations))",
            "progressive/default-arguments", 0, None,  # 5 = 3 + 2 expanded, and 3 + 2 of the search before
        ),
        (
            "search(state, -INF, INF, depth, maximize)", "(*search(state, -INF, INF, depth, maximize)[:2], depth)",
            "progressive/end-in-sight", 0, None,  # 3 is the depth, as well as the number of the root's children
        ),
        ("return *best, n", "return best[0][1:], best[1], n", SHORT, 0, None),  # its path does not begin with the root
        ("depth == 0", "depth < 0", SHORT, 0, None),  # depth 2, for depth 1: that is told of the result
    ],
)  # fmt: skip
def test_the_first_wrong_one_of_its_own_searches_is_told_like_any_other(
    old: str, new: str, case: str, at: int, sentence: str | None, bank: Bank, model: str
) -> None:
    assert old in BY_ITSELF
    assert said_of(BY_ITSELF.replace(old, new), case, at, bank, model) == sentence


def test_of_searches_that_are_made_in_another_order_nothing_is_told(bank: Bank, model: str) -> None:
    assert said_of(MADE_ONE_BY_ONE, SHORT, 0, bank, model) is None


@pytest.mark.parametrize(
    ("body", "case", "sentence"),
    [
        (
            CALLS_ITSELF.format(""), "progressive/minimizer-first",
            "Your search to depth 1 has maximize = True; the minimizer is to move at root.",
        ),
        (
            FLAG_TO_COME, "progressive/minimizer-first",
            "Your 1st search has maximize = the function heuristic_fn; is each of its arguments in its place?",
        ),
        (
            ITSELF_AND_BY_ITSELF.replace("best, n = None, 0", "best, n = None, 1"), "progressive/end-in-sight",
            "For depth 3: the history holds a count of 16 = 9 + 7: 7 states were expanded, and only scores count.",
        ),
        (
            KEEPS.format("(path[1:], score, n)"), SHORT,
            "Your search to depth 1 returned the path root, B; the history holds another.",
        ),
        (
            KEEPS.format("(score, path, n)"), SHORT,
            "Your search to depth 1 returned score = 8; the history holds [an AbstractGameState, an "
            "AbstractGameState].",
        ),
    ],
)  # fmt: skip
def test_what_it_hands_to_itself_or_keeps_is_told_as_it_is(
    body: str, case: str, sentence: str, bank: Bank, model: str
) -> None:
    assert said_of(body, case, 0, bank, model) == sentence


def test_it_is_told_where_alpha_beta_is_wrong_that_it_never_names(bank: Bank, model: str, tmp_path: Path) -> None:
    wrong = with_body("progressive_deepening", BY_ITSELF.replace("v < best[1]", "v > best[1]"), model)
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("minimax_search_alphabeta", "return None", wrong), encoding="utf-8")
    with Session(lab, bank) as session:
        sheet = session.sheet_of(case for case in bank.cases if case.id == SHORT)
    assert sheet.diagnoses["progressive_deepening"].sentence.startswith("For depth 2: at A, MIN to move,")
