"""Where a search went wrong: a fact about one place, told of the mistake that was made, and of nothing else."""

from dataclasses import replace

import pytest

from boards.cases import Bank
from grader.kinds.kind import Located, kind_of
from grader.kinds.search.answer import Called, Returned
from grader.kinds.search.drawing import drawn_tree
from grader.kinds.search.following import is_possible, own_calls
from staff.tests.conftest import KIT
from staff.tests.support.tracing import traced
from staff.wrong_labs import build, load_wrong_labs, with_body

WITH_LIMITS_AND_WINDOWS = (
    "alphabeta/default-arguments",
    "alphabeta/flag-at-the-leaf",
    "alphabeta/outside-the-window",
    "minimax/tic-tac-toe",
    "progressive/minimizer-first",
)
WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}


def located(lab: str, name: str, bank: Bank, at: int = 0) -> Located | None:
    """What is said of a call of a case, in a lab given as text."""
    case = next(case for case in bank.cases if case.id == name)
    return kind_of(case.graded).locate(case, at, traced(lab, case)[at])


@pytest.mark.parametrize(
    ("wrong_lab", "case", "at", "sentence"),
    [
        (
            "dfs-plays-against-itself", "dfs/two-by-two", 0,
            "At A, where the highest counts, your calls on its children returned 3 and 5; your call returned 3.",
        ),
        (
            "dfs-never-resets-its-counter", "dfs/no-choice", 1,
            "At `over` there is one static evaluation to make; your call on it returned a count of 2.",
        ),
        (
            "dfs-counts-inner-nodes", "dfs/no-choice", 0,
            "At B the counts that came from its children make 1; your call on it returned a count of 2.",
        ),
        (
            "endgame-search-default-flag", "minimax-endgame/no-choice", 1,
            "At `over` get_endgame_score was asked with flag True and gave 6, not -6; the minimizer is to move there.",
        ),
        (
            "endgame-search-cuts-off", "minimax-endgame/two-by-two", 0,
            "Your call of minimax_search_alphabeta never got a score for the 9 below B from get_endgame_score; without "
            "cut-offs every leaf counts.",
        ),
        (
            "minimax-one-ply-only", "minimax/unusual-scores", 1,
            "depth_limit = 2 at root leaves 1 for A; your call on it has depth_limit = 0.",
        ),
        (
            "minimax-only-maximizes", "minimax/unusual-scores", 1,
            "Your call on A has maximize = False; the maximizer is to move there.",
        ),
        (
            "minimax-always-maximizes-first", "minimax/unusual-scores", 1,
            "Path and score are those of a search in which the maximizer moves first; at root the minimizer does.",
        ),
        (
            "minimax-takes-the-last-of-equals", "minimax/earlier-of-equals", 0,
            "At root both A and B are worth 5, and the earlier one is to be taken; your path goes to B.",
        ),
        (
            "alphabeta-cuts-only-when-greater", "alphabeta/equal-bounds", 0,
            "At B, MIN to move, alpha = 3: your call on the 3 below B returned 3, so beta falls to 3 there and nothing "
            "more below B matters; you went on to the 5 below B.",
        ),
        (
            "alphabeta-minimizer-takes-the-last-of-equals", "alphabeta/equal-bounds", 1,
            "At root, MIN to move, A is worth 5 and B 9. Your call on B was cut off, and its 5 is a bound: no "
            "reason to leave A. Your path goes to B.",
        ),
        (
            "alphabeta-believes-a-narrow-window", "alphabeta/flag-at-the-leaf", 4,
            "At root alpha should be -INF by then; your call on B has alpha = 6. Below it, the -1 below B1 was left "
            "out, which could matter.",
        ),
        (
            "alphabeta-bounds-not-passed-down", "alphabeta/two-by-two", 0,
            "At root alpha should be 3 by then; your call on B has alpha = -INF. Below it, the 9 below B was looked "
            "at, which cannot matter.",
        ),
        (
            "alphabeta-ignores-the-given-window", "alphabeta/given-window", 1,
            "At B, MAX to move, beta = 0, as the search was given: B1 gave 4, so alpha rises to 4 there and nothing "
            "more below B matters; you went on to the 3 below B.",
        ),
        (
            "progressive-adds-up-evaluations", "progressive/two-by-two", 0,
            "Your search to depth 2 returned evaluations = 3; the history holds 5.",
        ),
    ],
)  # fmt: skip
def test_the_first_thing_that_is_wrong_is_told(
    wrong_lab: str, case: str, at: int, sentence: str, bank: Bank, model: str
) -> None:
    found = located(build(WRONG_LABS[wrong_lab], model), case, bank, at)
    assert found is not None
    assert found.sentence == sentence


def test_the_place_is_marked_in_the_tree(bank: Bank, model: str) -> None:
    found = located(build(WRONG_LABS["alphabeta-cuts-only-when-greater"], model), "alphabeta/equal-bounds", bank)
    assert found is not None
    assert found.place == "Look at B, MIN to move."
    assert found.picture[4:8] == (
        "   |- MIN B",
        "   |   |- 3   3rd evaluated  <-- cut here",
        "   |   |- 5   4th evaluated  <-- not needed",
        "   |   `- 9   5th evaluated",
    )


def test_a_search_that_was_made_and_left_out_is_told(bank: Bank, model: str) -> None:
    left = "if depth > 2:\n                break\n            anytime_value.set_value(result)"
    found = located(
        model.replace("anytime_value.set_value(result)", left), "progressive/one-search-after-another", bank, 1
    )
    assert found is not None and found.sentence == "3 searches were made in this call; the history holds 2 results."


@pytest.mark.parametrize("name", ["alphabeta/flag-at-the-leaf", "progressive/minimizer-first", "minimax/nim"])
def test_nothing_is_said_of_what_is_right(name: str, bank: Bank, model: str) -> None:
    case = next(case for case in bank.cases if case.id == name)
    for at, answer in enumerate(traced(model, case)):
        assert kind_of(case.graded).locate(case, at, answer) is None


@pytest.mark.parametrize("right_lab", ["classes", "fail_hard", "iterative", "negamax", "noisy", "recursion", "terse"])
def test_nothing_is_said_of_labs_that_are_right_in_another_way(right_lab: str, bank: Bank) -> None:
    lab = (KIT / "staff" / "right_labs" / f"{right_lab}.py").read_text(encoding="utf-8")
    for name in WITH_LIMITS_AND_WINDOWS:
        case = next(case for case in bank.cases if case.id == name)
        for at, answer in enumerate(traced(lab, case)):
            assert kind_of(case.graded).locate(case, at, answer) is None


# Searches that do not go by their own names, each with one mistake.

STRICT = """\
    count = 0
    def go(s, a, b, m):
        nonlocal count
        if s.is_game_over():
            count += 1
            return s.get_endgame_score(m), [s]
        line = [s]
        for c in s.generate_next_states():
            v, p = go(c, a, b, not m)
            if m and v > a:
                a, line = v, [s] + p
            if not m and v < b:
                b, line = v, [s] + p
            if a > b:
                break
        return (a if m else b), line
    v, p = go(state, alpha, beta, maximize)
    return p, v, count
"""
RASH = STRICT.replace("a > b", "a >= b or not m")
FROM_THE_RIGHT = STRICT.replace("a > b", "a >= b").replace(
    "in s.generate_next_states()", "in s.generate_next_states()[::-1]"
)
COUNTS_ON = """\
    seen = minimax_search.__dict__.setdefault("seen", [])
    def go(s, d, m):
        if s.is_game_over() or d == 0:
            seen.append(s)
            over = s.is_game_over()
            return s.get_endgame_score(m) if over else heuristic_fn(s.get_snapshot(), m), [s]
        found = [go(c, d - 1, not m) for c in s.generate_next_states()]
        v, p = (max if m else min)(found, key=lambda one: one[0])
        return v, [s] + p
    v, p = go(state, depth_limit, maximize)
    return p, v, len(seen)
"""
KEEPS_THE_LAST = """\
    paths, best, top, n = [[state]], None, -INF, 0
    while paths:
        path = paths.pop()
        if path[-1].is_game_over():
            n += 1
            if path[-1].get_endgame_score() >= top:
                best, top = path, path[-1].get_endgame_score()
        paths += [path + [c] for c in reversed(path[-1].generate_next_states())]
    return best, top, n
"""
PATH_OF_THE_LAST = """\
if state.is_game_over():
    return [state], state.get_endgame_score(maximize), 1
if depth_limit <= 0:
    return [state], heuristic_fn(state.get_snapshot(), maximize), 1
best, evaluations = None, 0
for child in state.generate_next_states():
    path, score, count = minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)
    evaluations += count
    if best is None or (score > best if maximize else score < best):
        best = score
    alpha, beta = (max(alpha, best), beta) if maximize else (alpha, min(beta, best))
    if alpha >= beta:
        break
return [state, *path], best, evaluations"""

HIDDEN_COLOUR = """\
    def nega(s, colour):
        if s.is_game_over():
            return [s], colour * s.get_endgame_score(colour == 1), 1
        best, n = None, 0
        for c in s.generate_next_states():
            p, v, k = nega(c, -colour)
            n += k
            if best is None or -v > best[1]:
                best = ([s] + p, -v)
        return *best, n
    return nega(state, 1 if maximize else -1)
"""


KEEPS_EVERYTHING = """\
    kept = minimax_endgame_search.__dict__
    def go(s, m):
        if s in kept:
            return *kept[s][:2], 0
        if s.is_game_over():
            kept[s] = [s], s.get_endgame_score(m), 1
        else:
            found = [go(c, not m) for c in s.generate_next_states()]
            p, v, _ = (max if m else min)(found, key=lambda one: one[1])
            kept[s] = [s] + p, v, sum(one[2] for one in found)
        return kept[s]
    return go(state, maximize)
"""
SWALLOWS = """\
    if state.is_game_over():
        return [state], state.get_endgame_score(maximize), 1
    if depth_limit <= 0:
        try:
            return [state], heuristic_fn(state, maximize), 1
        except AttributeError:
            return [state], 0, 1
    found = [minimax_search(c, heuristic_fn, depth_limit - 1, not maximize) for c in state.generate_next_states()]
    path, score, _ = (max if maximize else min)(found, key=lambda one: one[1])
    return [state, *path], score, sum(one[2] for one in found)
"""
SCORES_ITS_PATH_AGAIN = """\
    if state.is_game_over():
        return [state], state.get_endgame_score(maximize), 1
    found = [minimax_endgame_search(c, not maximize) for c in state.generate_next_states()]
    path, _, _ = (max if maximize else min)(found, key=lambda one: one[1])
    return [state, *path], path[-1].get_endgame_score(), sum(one[2] for one in found)
"""
TRUSTS_ZERO = """\
    def go(s, depth, m):
        if s.is_game_over():
            return [s], s.get_endgame_score(m), 1
        if depth == 0:
            return [s], always_zero(s.get_snapshot(), m), 1
        found = [go(c, depth - 1, not m) for c in s.generate_next_states()]
        p, v, _ = (max if m else min)(found, key=lambda one: one[1])
        return [s] + p, v, sum(one[2] for one in found)
    return go(state, depth_limit, maximize)
"""
NO_LEAF = """\
    if state.is_game_over():
        return [], state.get_endgame_score(), 1
    found = [dfs_maximizing(c) for c in state.generate_next_states()]
    p, v, _ = max(found, key=lambda one: one[1])
    return [state, *p], v, sum(one[2] for one in found)
"""
ITERATORS = NO_LEAF.replace("[]", "iter([state])").replace("[state, *p]", "iter([state, *p])")
NEVER_TURNS = """\
    def nega(s, a, b, colour):
        if s.is_game_over():
            return [s], colour * s.get_endgame_score(colour == 1), 1
        best, n = None, 0
        for c in s.generate_next_states():
            p, v, k = nega(c, -b, -a, -colour)
            n += k
            if best is None or v > best[1]:
                best = ([s] + p, v)
            a = max(a, best[1])
            if a >= b:
                break
        return *best, n
    return nega(state, alpha, beta, 1)
"""
DEEPENS = """\
    found_so_far = AnytimeValue()
    for depth in range(1, depth_limit + 1):
        found = minimax_search_alphabeta({}, {}, heuristic_fn, depth, maximize)
        found_so_far.set_value(found)
        {}
    return found_so_far
"""
WITH_THE_END = """\
if depth == depth_limit:
            found_so_far.set_value(minimax_endgame_search(state, maximize))
"""
FROM_EACH_CHILD = """\
    found_so_far = AnytimeValue()
    for depth in range(1, depth_limit + 1):
        best, n = None, 0
        for c in state.generate_next_states():
            p, v, k = minimax_search_alphabeta(c, -INF, INF, heuristic_fn, depth - 1, not maximize)
            n += k
            if best is None or (v > best[1] if maximize else v < best[1]):
                best = ([state] + p, v)
        found_so_far.set_value((*best, n))
    return found_so_far
"""


COUNTS_ENDS = """
def best(s, left, to_max):
    over = s.is_game_over()
    if over or left == 0:
        return [s], s.get_endgame_score(to_max) if over else heuristic_fn(s.get_snapshot(), to_max), int(over)
    found = [best(child, left - 1, not to_max) for child in s.generate_next_states()]
    path, score, _ = (max if to_max else min)(found, key=lambda one: one[1])
    return [s, *path], score, sum(one[2] for one in found)
return best(state, depth_limit, maximize)
"""


@pytest.mark.parametrize(
    ("function", "body", "case", "at", "sentence"),
    [
        (
            "minimax_search_alphabeta", STRICT, "alphabeta/equal-bounds", 0,
            "At B, MIN to move, alpha should be 3 by then: the 3 below B gave 3, so beta should fall to 3 there and "
            "nothing more below B "
            "matters; you went on to the 5 below B.",
        ),
        (
            "minimax_search_alphabeta", RASH, "alphabeta/two-by-two", 0,
            "Your search never got a score for the 5 below A from get_endgame_score. When its turn comes at A, "
            "alpha should be -INF and beta 3, so it could matter.",
        ),
        (
            "minimax_search_alphabeta", PATH_OF_THE_LAST, "alphabeta/two-by-two", 0,
            "At root, MAX to move, A is worth 3 and B 2; your search returned 3, and its path goes to B.",
        ),
        (
            "minimax_search_alphabeta", FROM_THE_RIGHT, "alphabeta/two-by-two", 0,
            "Your search came to the 9 below B before the 2 below B; the asked count is that of going through the "
            "children in their order.",
        ),
        (
            "minimax_search", COUNTS_ENDS, "minimax/minimizer-first", 0,
            "It returned a count of 7; 7 were made by get_endgame_score and 2 by the heuristic, and all count.",
        ),
        (
            "minimax_search", COUNTS_ON, "minimax/unusual-scores", 1,
            "It returned a count of 9 = 3 of the call before + 6.",
        ),
        (
            "dfs_maximizing", KEEPS_THE_LAST, "dfs/earlier-of-equals", 0,
            "At root both A and B are worth 7, and the earlier one is to be taken; your path goes to B.",
        ),
        (
            "minimax_endgame_search", HIDDEN_COLOUR, "minimax-endgame/minimizer-first", 0,
            "It returned -5 as the score, and none of its static evaluations gave that.",
        ),
        (
            "minimax_search", SWALLOWS, "minimax/two-by-two", 0,
            "Your search never got a score for A from the heuristic; without cut-offs every leaf counts.",
        ),
        (
            "minimax_endgame_search", KEEPS_EVERYTHING, "minimax-endgame/unusual-scores", 1,
            "In this call your search got no score from get_endgame_score. Where is its own from?",
        ),
        (
            "minimax_search", TRUSTS_ZERO.replace("always_zero", "heuristic_fn").replace(", 1\n", ", 2\n"),
            "minimax/unusual-scores", 1, "It returned a count of 12 = 2 * 6; each state that is scored counts once.",
        ),
        (
            "minimax_search", TRUSTS_ZERO, "minimax/default-arguments", 4,
            "In this call your search got no score from get_endgame_score, nor from the heuristic that it was given. "
            "Where is its own from?",
        ),
        (
            "dfs_maximizing", NO_LEAF, "dfs/two-by-two", 0,
            "The path that your call on the 3 below A returned is empty.",
        ),
        (
            "dfs_maximizing", ITERATORS, "dfs/two-by-two", 0,
            "The path that your call on the 3 below A returned is no list.",
        ),
        (
            "dfs_maximizing", NO_LEAF.replace("[]", "[state]").replace("[state, *p]", "p"), "dfs/two-by-two", 0,
            "The path that your call on A returned does not begin with it.",
        ),
        (
            "dfs_maximizing", NO_LEAF.replace("[]", "[state]").replace("*p", "*found[0][0], *p"), "dfs/two-by-two", 0,
            "The path that your call on A returned does not lead down step by step.",
        ),
        (
            "dfs_maximizing", NO_LEAF.replace("[]", "[state.get_snapshot()]"), "dfs/two-by-two", 0,
            "The path that your call on the 3 below A returned holds what is no state.",
        ),
        (
            "minimax_search_alphabeta", NEVER_TURNS, "alphabeta/two-by-two", 0,
            "At A, MIN to move, the 3 below A is worth 3 and the 5 below A 5; your search returned 5, and its path "
            "goes to the 5 below A.",  # what the minimizer would find at the root, but for the count
        ),
        (
            "progressive_deepening", DEEPENS.format("state", "INF, -INF", ""), "progressive/two-by-two", 0,
            "Your search to depth 1 was called with alpha = INF and beta = -INF; each begins with a full window.",
        ),
        (
            "progressive_deepening", DEEPENS.format("state", "-INF, INF", "state = found[0][1]"),
            "progressive/two-by-two", 0, "Your 2nd search begins at B; each begins at root.",
        ),
        (
            "progressive_deepening", DEEPENS.format("state", "-INF, INF", WITH_THE_END), "progressive/two-by-two", 0,
            "Your 3rd search is one too many; depth_limit = 2, so the last one goes there.",
        ),
        (
            "progressive_deepening", FROM_EACH_CHILD, "progressive/two-by-two", 0,
            "Your 1st search begins at A; each begins at root.",
        ),
        (
            "progressive_deepening", DEEPENS.format("state", "-INF, INF", "break"), "progressive/two-by-two", 0,
            "Your last search went to depth 1; depth_limit = 2, so that is where the last one goes.",
        ),
    ],
)  # fmt: skip
def test_a_search_by_another_name_is_told_by_its_evaluations_and_its_result(
    function: str, body: str, case: str, at: int, sentence: str, bank: Bank, model: str
) -> None:
    found = located(with_body(function, body, model), case, bank, at)
    assert found is not None
    assert found.sentence == sentence


def test_whom_a_search_lets_move_first_is_told_by_its_flags_too(bank: Bank, model: str) -> None:
    lab = with_body("minimax_endgame_search", SCORES_ITS_PATH_AGAIN, model)  # with the numbers of the other player's
    assert located(lab, "minimax-endgame/flag-at-the-leaf", bank, 0) is None


TAKES_THE_LAST = """\
    def go(s, m):
        if s.is_game_over():
            return [s], s.get_endgame_score(m), 1
        best, n = None, 0
        for c in s.generate_next_states():
            p, v, k = go(c, not m)
            n += k
            if best is None or (v >= best[1] if m else v <= best[1]):
                best = ([s] + p, v)
        return *best, n
    return go(state, maximize)
"""


@pytest.mark.parametrize(("case", "at"), [("alphabeta/two-by-two", 0), ("alphabeta/equal-bounds", 0)])
def test_what_may_be_made_up_in_two_ways_is_not_told(case: str, at: int, bank: Bank, model: str) -> None:
    """As many states are expanded there as scored."""
    text = STRICT.replace("a > b", "a >= b").replace("count += 1", "count += 2")
    assert located(with_body("minimax_search_alphabeta", text, model), case, bank, at) is None


def test_of_several_ties_the_highest_is_told(bank: Bank, model: str) -> None:
    """Below B, which should not have been chosen, there is another one."""
    lab = with_body("minimax_endgame_search", TAKES_THE_LAST, model)
    found = located(lab, "minimax-endgame/earlier-of-equals", bank)
    assert found is not None
    said = "At root both A and B are worth 5, and the earlier one is to be taken; your path goes to B."
    assert found.sentence == said


@pytest.mark.parametrize(
    ("kept", "case", "at", "sentence"),
    [
        (
            "[1:]", "alphabeta/two-by-two", 0,
            "Your search never got a score for the 3 below A from get_endgame_score. When its turn comes at A, "
            "alpha should be -INF and beta INF, so it could matter.",
        ),
        (
            "[1:]", "alphabeta/equal-bounds", 1,  # the same tree again: what is not asked may be remembered
            "At root, MIN to move, A is worth 5 and C 7; your search returned 7, and its path goes to C.",
        ),
        (
            "[::2]", "alphabeta/three-plies", 1,  # but not where the leaf before it was asked again
            "Your search never got a score for the 4 below A1 from get_endgame_score. When its turn comes at A1, "
            "alpha should be -INF and beta 7, so it could matter.",
        ),
    ],
)  # fmt: skip
def test_the_earliest_leaf_that_is_left_out_is_told(
    kept: str, case: str, at: int, sentence: str, bank: Bank, model: str
) -> None:
    before, own, after = model.partition("def minimax_search_alphabeta")
    lab = before + own + after.replace("generate_next_states()", f"generate_next_states(){kept}", 1)
    found = located(lab, case, bank, at)
    assert found is not None
    assert found.sentence == sentence


COLOUR = """\
    sign = 1 if maximize else -1
    if state.is_game_over():
        v = state.get_endgame_score(maximize)
        return [state], sign * v if inner else v, 1
    best, n = None, 0
    for c in state.generate_next_states():
        p, v, k = minimax_endgame_search(c, not maximize, True)
        n += k
        if best is None or -v > best[1]:
            best = ([state] + p, -v)
    return best[0], best[1] if inner else sign * best[1], n
"""


def test_inner_calls_with_an_argument_of_their_own_are_not_taken_for_the_asked_search(bank: Bank, model: str) -> None:
    """They may answer in the view of the player to move, and the search be right."""
    lab = with_body("minimax_endgame_search", COLOUR, model)
    before, own, after = lab.partition("def minimax_endgame_search(state, maximize=True")
    for name in ("minimax-endgame/two-by-two", "minimax-endgame/flag-at-the-leaf", "minimax-endgame/minimizer-first"):
        case = next(case for case in bank.cases if case.id == name)
        for at, answer in enumerate(traced(f"{before}{own}, inner=False{after}", case)):
            assert kind_of(case.graded).judge(case.graded, case.calls[at], answer).credit == 1
            assert kind_of(case.graded).locate(case, at, answer) is None


def test_an_argument_in_the_place_of_another_is_told_by_its_value(bank: Bank, model: str) -> None:
    body = """\
    if state.is_game_over() or depth_limit <= 0:
        over = state.is_game_over()
        return [state], state.get_endgame_score(maximize) if over else heuristic_fn(state.snapshot, maximize), 1
    results = [minimax_search(c, heuristic_fn, not maximize, depth_limit - 1) for c in state.generate_next_states()]
    path, score, _ = (max if maximize else min)(results, key=lambda one: one[1])
    return [state, *path], score, sum(one[2] for one in results)
"""
    found = located(with_body("minimax_search", body, model), "minimax/two-by-two", bank)
    assert found is not None
    assert found.sentence == "Your call on A has depth_limit = False; is each of its arguments in its place?"


RUNNING_TOTAL = """\
    global inside, total
    if inside == 0:
        total = 0
    inside += 1
    if state.is_game_over():
        total += 1
        found = [state], state.get_endgame_score(maximize)
    else:
        results = [minimax_endgame_search(c, not maximize) for c in state.generate_next_states()]
        p, v, _ = sorted(results, key=lambda r: r[1])[-1 if maximize else 0]
        found = [state] + p, v
    inside -= 1
    return *found, total
"""


def test_what_inner_calls_answer_matters_only_where_the_search_is_wrong_in_it(bank: Bank, model: str) -> None:
    """Its counts run on from call to call, and are right in the end; the later of equals is its mistake."""
    lab = f"{with_body('minimax_endgame_search', RUNNING_TOTAL, model)}\n\ninside = 0\n"
    found = located(lab, "minimax-endgame/earlier-of-equals", bank)
    assert found is not None
    said = "At root both A and B are worth 5, and the earlier one is to be taken; your path goes to B."
    assert found.sentence == said


def test_a_bound_of_what_lies_outside_the_window_is_an_answer() -> None:
    assert is_possible(2, 1, (3, 9)) and is_possible(3, 1, (3, 9)) and is_possible(10, 12, (3, 9))
    assert not is_possible(4, 1, (3, 9)) and not is_possible(5, 6, (3, 9)) and not is_possible(8, 12, (3, 9))


@pytest.mark.parametrize(("score", "is_negated"), [(-3, True), (3, False)])
def test_inner_scores_in_the_view_of_the_player_to_move_are_another_language(score: float, is_negated: bool) -> None:
    inner = Called("minimax_search", (0,)), Returned(score=3)
    events = (Called("minimax_search", ()), *inner, Returned(score=score))
    assert list(own_calls(events)) == [events[0], events[-1]] if is_negated else list(events)


def test_a_large_tree_is_folded_around_the_place(bank: Bank) -> None:
    case = next(case for case in bank.cases if case.id == "dfs/two-by-two")
    leaves = "\n".join(f"    n{n}\n      a{n} = 1\n      b{n} = 2" for n in range(20))
    call = replace(case.calls[0], inputs={"state": {"tree": f"root\n  A\n{leaves}\n  B = 3\n", "negates": False}})
    lines = drawn_tree(case.graded, call, {(0, 3, 1): "<-- here"}, [(0, 3, 1)])
    assert len(lines) == 25
    assert lines[4] == "   |   |- n2 …"
    assert lines[5:8] == ["   |   |- n3", "   |   |   |- a3 = 1", "   |   |   `- b3 = 2   <-- here"]


@pytest.mark.parametrize(
    ("old", "new", "case", "sentence"),
    [
        (
            "minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)",
            "minimax_search(child, heuristic_fn, depth_limit - 1, not maximize)",
            "alphabeta/two-by-two",
            "Your call of minimax_search on B takes no alpha and no beta. Below it, the 9 below B was "
            "looked at, which cannot matter.",
        ),
        (
            "[minimax_search(child, heuristic_fn,",
            "[minimax_search(state, heuristic_fn,",
            "minimax/two-by-two",
            "Your call on root made another one on root itself, with depth_limit = 0; its children are next.",
        ),
        (
            "children = state.generate_next_states()\n    results",
            "return minimax_search_alphabeta(state, -INF, INF, heuristic_fn, depth_limit - 1, maximize)\n    results",
            "minimax/two-by-two",
            "depth_limit = 1 at root leaves 1 for root; your call on it has depth_limit = 0.",
        ),
        (
            "results = [minimax_search(child, heuristic_fn, depth_limit - 1, not maximize) for",
            "results = [minimax_endgame_search(child, not maximize) for",
            "minimax/two-by-two",
            "Your call of minimax_endgame_search on A knows no depth limit; depth_limit = 1 at root leaves 0 for A.",
        ),
        (
            "return minimax_search(state, maximize=maximize)",
            "return dfs_maximizing(state)",
            "minimax-endgame/two-by-two",
            "At A, MIN to move, your calls on its children returned 3 and 5; your call of dfs_maximizing returned 5.",
        ),
        (
            "return minimax_search(state, maximize=maximize)",
            "return minimax_search(state, always_zero, 3, maximize)",
            "minimax-endgame/flag-at-the-leaf",
            "Your call of minimax_search on root has depth_limit = 3, and the game goes on below that; this search has "
            "no limit.",
        ),
    ],
)
def test_a_slip_of_the_pen_is_told(old: str, new: str, case: str, sentence: str, bank: Bank, model: str) -> None:
    assert model.count(old) == 1
    found = located(model.replace(old, new), case, bank, 0)
    assert found is not None and found.sentence == sentence


MOVES = "the state after the top right corner, the bottom edge, the bottom right corner, the right edge"
REMEMBERS_LEAVES = """\
    known = {}
    def best(place):
        if place in known:
            return (*known[place][:2], 0)
        if place.is_game_over():
            known[place] = [place], place.get_endgame_score(), 1
            return known[place]
        below = [best(child) for child in place.generate_next_states()]
        path, score, _ = max(below, key=lambda one: one[1])
        known[place] = [place, *path], score, sum(one[2] for one in below)
        return known[place]
    return best(state)
"""
REMEMBERS = """\
    known = {}
    def go(s, depth, m):
        if s.is_game_over() or depth == 0:
            if s not in known:
                over = s.is_game_over()
                known[s] = s.get_endgame_score(m) if over else heuristic_fn(s.get_snapshot(), m)
            return [s], known[s]
        found = [go(c, depth - 1, not m) for c in s.generate_next_states()]
        p, v = (max if m else min)(found, key=lambda one: one[1])
        return [s, *p], v
    return *go(state, depth_limit, maximize), len(known)
"""
REMEMBERS_INNER_NODES = """\
    known = {}
    def best(place):
        if place.is_game_over():
            return [place], place.get_endgame_score(), 1
        if place in known:
            return (*known[place], 0)
        below = [best(child) for child in place.generate_next_states()]
        path, score, _ = max(below, key=lambda one: one[1])
        known[place] = [place, *path], score
        return [place, *path], score, sum(one[2] for one in below)
    return best(state)
"""
TABLE_OF_BOUNDS = """\
    known = {}
    def visit(place, low, high, depth, flag):
        if place.is_game_over():
            return [place], place.get_endgame_score(flag), 1
        if depth <= 0:
            return [place], heuristic_fn(place.get_snapshot(), flag), 1
        kind, path, score = known.get((place, depth, flag), ("", [], 0))
        if kind == "exact" or (kind == "low" and score >= high) or (kind == "high" and score <= low):
            return path, score, 0
        alpha, beta, best, line, count = low, high, None, None, 0
        for child in place.generate_next_states():
            path, score, n = visit(child, alpha, beta, depth - 1, not flag)
            count += n
            if best is None or (score > best if flag else score < best):
                best, line = score, [place, *path]
            alpha, beta = (max(alpha, best), beta) if flag else (alpha, min(beta, best))
            if alpha >= beta:
                break
        kind = "high" if best <= low else "low" if best >= high else "exact"
        known[place, depth, flag] = kind, line, best
        return line, best, count
    return visit(state, alpha, beta, depth_limit, maximize)
"""
COUNTS_AGAIN = REMEMBERS_LEAVES.replace("(*known[place][:2], 0)", "known[place]")
SCORES_AGAIN = REMEMBERS.replace("if s not in known:", "if True:")


@pytest.mark.parametrize(
    ("function", "body", "case", "said"),
    [
        ("dfs_maximizing", REMEMBERS_LEAVES, "dfs/tic-tac-toe", f"counted 11 positions, each once; {MOVES} is one of"),
        ("minimax_search", REMEMBERS, "minimax/tic-tac-toe", "counted 30 positions, each once; the state after "),
        ("minimax_search", SCORES_AGAIN, "minimax/tic-tac-toe", "counted 30 positions, each once; the state after "),
        ("dfs_maximizing", COUNTS_AGAIN, "dfs/tic-tac-toe", f"scored 11 positions, each once; {MOVES} is one of"),
    ],
)
def test_a_position_that_is_remembered_counts_again(
    function: str, body: str, case: str, said: str, bank: Bank, model: str
) -> None:
    found = located(with_body(function, body, model), case, bank)
    assert found is not None and found.sentence.startswith(f"Your search {said}")
    again = "counts" if "counted" in said else "is to be scored"
    assert found.sentence.endswith(f" is one of them, reached in another way, and {again} again.")
    same = located(with_body(function, body, model), f"{case.partition('/')[0]}/two-by-two", bank)
    assert same is None


@pytest.mark.parametrize(
    ("function", "body", "case", "place"),
    [
        ("dfs_maximizing", REMEMBERS_INNER_NODES, "dfs/tic-tac-toe", "the state after the right edge, "),
        ("minimax_search_alphabeta", TABLE_OF_BOUNDS, "alphabeta/tic-tac-toe", "the state after the middle, "),
    ],
)
def test_what_is_below_a_position_that_is_remembered_counts_again(
    function: str, body: str, case: str, place: str, bank: Bank, model: str
) -> None:
    found = located(with_body(function, body, model), case, bank)
    assert found is not None and found.sentence.startswith(f"Your search did not score {place}")
    assert found.sentence.endswith("; it scored this position where it is reached in another way, and it counts again.")


def test_a_count_that_may_be_of_two_things_is_of_neither(bank: Bank, model: str) -> None:
    """The root has three children, and three of the five scores are those of finished games."""
    body = COUNTS_ENDS.replace("sum(one[2] for one in found)", "len(found)")
    text = with_body("minimax_search", body, model)
    assert located(text, "minimax/flag-for-the-heuristic", bank, 1) is None
    found = located(text, "minimax/earlier-of-equals", bank, 2)
    assert found is not None
    assert (
        found.sentence == "It returned a count of 3, as many as root has children; every state that is scored counts."
    )


def test_a_count_of_the_states_in_the_path_is_told(bank: Bank, model: str) -> None:
    body = "path, score, _ = _best(state)\nreturn path, score, len(path)"
    text = with_body("dfs_maximizing", body, model.replace("def dfs_max", "_best = None\n\n\ndef dfs_max", 1))
    own = model[model.index("def dfs_maximizing") : model.index("def minimax_endgame_search")]
    text += "\n\n" + own.replace("dfs_maximizing", "_best")
    assert located(text, "dfs/low-scores", bank) is None
    found = located(text, "dfs/earlier-of-equals", bank)
    assert found is not None
    said = "It returned a count of 4, as many as there are states in the path; every state that is scored counts."
    assert found.sentence == said


FROM_A_NUMBER = """\
    waiting, best, score, count = [[state]], None, -100, 0
    while waiting:
        *waiting, path = waiting
        waiting += [[*path, child] for child in reversed(path[-1].generate_next_states())]
        if path[-1].is_game_over():
            count += 1
            if path[-1].get_endgame_score() > score:
                best, score = path, path[-1].get_endgame_score()
    return best, score, count
"""


def test_a_score_that_no_state_has_is_told_of_a_search_without_a_path(bank: Bank, model: str) -> None:
    found = located(with_body("dfs_maximizing", FROM_A_NUMBER, model), "dfs/low-scores", bank, 1)
    said = "It returned -100 as the score, and none of its static evaluations gave that."
    assert found is not None and found.sentence == said


def test_a_heuristic_without_a_flag_is_told(bank: Bank, model: str) -> None:
    text = model.replace("heuristic_fn(snapshot, to_maximize)", "heuristic_fn(snapshot)")
    found = located(text, "progressive/minimizer-first", bank, 1)
    assert found is not None and found.sentence == (
        "At A1 the heuristic was not given the flag False and gave -6, not 6; the minimizer is to move there."
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("depth_limit - 1, not maximize)", "depth_limit - 1, 1 - maximize)"),
        (
            "path, score, count = minimax_search_alphabeta(child, alpha, beta,",
            "bounds = None if alpha == -INF else alpha, None if beta == INF else beta\n"
            "        path, score, count = minimax_search_alphabeta(child, *bounds,",
        ),
    ],
)
def test_a_flag_that_is_a_number_and_a_bound_that_is_none_are_no_mistake(
    old: str, new: str, bank: Bank, model: str
) -> None:
    before, own, after = model.partition("def minimax_search_alphabeta")
    none = "    alpha, beta = -INF if alpha is None else alpha, INF if beta is None else beta\n"
    begin = "    if state.is_game_over()"
    strict = after.replace("if alpha >= beta", "if alpha > beta", 1).replace(begin, f"{none}{begin}", 1)
    found = located(before + own + strict.replace(old, new, 1), "alphabeta/equal-bounds", bank)
    assert found is not None and found.sentence.startswith("At B, MIN to move, alpha ")
    assert found.sentence.endswith("you went on to the 5 below B.")


def test_what_is_scored_later_was_not_left_out(bank: Bank, model: str) -> None:
    """A narrow window is tried first, and then a wide one."""
    before, own, after = model.partition("def minimax_search_alphabeta")
    tried = (
        "    if alpha == -INF and beta == INF and not state.is_game_over():\n        found = [minimax_search_alphabeta("
    )
    tried += "state, *bounds, heuristic_fn, depth_limit, maximize) for bounds in ((-2, 2.5), (-1e99, 1e99))]\n"
    tried += "        return *found[1][:2], found[0][2] + found[1][2]\n"
    text = before + own + after.replace("    if state.is_game_over()", f"{tried}    if state.is_game_over()", 1)
    found = located(text, "alphabeta/two-by-two", bank)
    assert found is not None and found.sentence == (
        "It returned a count of 5, and scored 3 different states: the 3 below A more than once."
    )


def test_a_search_that_stops_early_where_its_estimates_are_not_seen_is_told_by_its_path(bank: Bank, model: str) -> None:
    before, name, after = model.partition("def minimax_search_alphabeta(")
    lab = before + name + after.replace("if depth_limit <= 0:", "if depth_limit == 1:", 1)
    found = located(lab, "alphabeta/default-arguments", bank, 1)
    assert found is not None
    assert found.sentence == "Your path ends at root, 0 plies down; the game goes on there, and depth_limit = 1."
