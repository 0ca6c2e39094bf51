"""Where a search, a history or a player first leaves its reference: a true fact beside the expected one, or nothing."""

import textwrap

import pytest

from boards.cases import Bank
from grader.kinds.kind import Divergence, kind_of
from staff.tests.conftest import KIT
from staff.tests.support.tracing import run
from staff.wrong_labs import build, load_wrong_labs, with_body

WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
RIGHT_LABS = ["classes", "fail_hard", "iterative", "negamax", "noisy", "recursion", "terse"]


def divergence(lab: str, name: str, bank: Bank, at: int = 0) -> Divergence | None:
    """Where a call of a case diverges, in a lab given as text."""
    case = next(case for case in bank.cases if case.id == name)
    kind = kind_of(case.graded)
    return kind.divergence(case, at, kind.read(run(lab, case).outcomes[at]))


def told(found: Divergence | None) -> tuple[str, str, str] | None:
    return None if found is None else (found.where, found.yours, found.expected)


KNOWN = """
dfs-plays-against-itself | dfs/two-by-two | At A | returns 3 of 3, 5 | returns 5
dfs-never-resets-its-counter | dfs/no-choice 2 | At `over` | returns a count of 2 | returns a count of 1
dfs-counts-inner-nodes | dfs/no-choice | At B | returns a count of 2 | returns a count of 1
dfs-path-backwards | dfs/no-choice | At B | returns a path that does not lead down from here | returns one that does
endgame-search-default-flag | minimax-endgame/no-choice 2 | At `over` |\
 scores it 6 by get_endgame_score with flag True |\
 scores it -6 by get_endgame_score with flag False
endgame-search-cuts-off | minimax-endgame/two-by-two | At the 9 below B | never scores it |\
 scores it 9 by get_endgame_score with flag True
endgame-search-negamax-with-one-sign | minimax-endgame/no-choice | At `end` |\
 scores it 4 and returns -4 | returns 4
minimax-one-ply-only | minimax/unusual-scores 2 | At A, MAX to move | is called with depth_limit = 0 |\
 is called with depth_limit = 1
minimax-one-ply-short | minimax/two-by-two | At root, MAX to move | scores it 4 by the heuristic with flag True |\
 goes on to its children
minimax-one-ply-too-deep | minimax/two-by-two | At the 3 below A | scores it 3 by get_endgame_score with flag True |\
 does not come here: depth_limit = 1
minimax-estimates-finished-games | minimax/root-at-the-limit 3 | At `over` |\
 scores it 0 by the heuristic with flag False |\
 scores it -6 by get_endgame_score with flag False
minimax-forgets-the-heuristic | minimax/two-by-two | At A, MIN to move | never scores it |\
 scores it 1 by the heuristic with flag False
minimax-only-maximizes | minimax/unusual-scores 2 | At A, MAX to move | is called with maximize = False |\
 is called with maximize = True
minimax-takes-the-last-of-equals | minimax/earlier-of-equals | At root, MAX to move | takes B, worth 5 |\
 takes A, worth 5 too, and earlier
minimax-path-of-the-last-branch | minimax/earlier-of-equals | At B, MIN to move | takes the 7 below B, worth 7 |\
 takes the 5 below B, worth 5
alphabeta-cuts-only-when-greater | alphabeta/equal-bounds | At B, MIN to move |\
 goes on to the 5 below B with alpha = 3, beta = 3 | cuts off: alpha = 3, beta = 3
alphabeta-bounds-not-passed-down | alphabeta/two-by-two | At B, MIN to move |\
 goes on to the 9 below B with alpha = -INF, beta = INF | cuts off: alpha = 3, beta = 2
alphabeta-hands-down-beta-only | alphabeta/two-by-two | At B, MIN to move |\
 goes on to the 9 below B with alpha = -INF, beta = 2 | cuts off: alpha = 3, beta = 2
alphabeta-minimizer-first-child-only | alphabeta/two-by-two | At the 5 below A |\
 never scores it; A is called with alpha = -INF, beta = INF |\
 scores it 5 by get_endgame_score with flag True, as alpha = -INF, beta = 3
progressive-one-too-deep | progressive/two-by-two | At root, MAX to move | makes 3 searches and keeps 3 results |\
 makes 2 searches and keeps 2
progressive-changes-players | progressive/two-by-two | At root, MAX to move | makes search 2 with maximize = False |\
 makes search 2 with maximize = True
progressive-heuristic-flag-of-the-root | progressive/minimizer-first 2 | At A, MAX to move |\
 scores it -3 by the heuristic with flag False | scores it 3 by the heuristic with flag True
progressive-adds-up-evaluations | progressive/two-by-two | At root, MAX to move |\
 keeps score 3, evaluations 5, path root, A, 3 of search 2 | keeps score 3, evaluations 3, path root, A, 3 of search 2
player-minimizes-for-both | player/earlier-of-equals | In the given state, Maxie to move, in search(2, state) |\
 returns ('B', Guess(-2)) of A: Guess(-1), B: Guess(-2), C: Definitely(Winner(MAXIE)) |\
 returns ('C', Definitely(Winner(MAXIE)))
player-estimates-what-is-over | player/earlier-of-equals 2 | After A, A1, A11, in evaluate(0, state) |\
 returns Guess(0), after the estimate Guess(0) | returns Definitely(Winner(MAXIE))
player-no-deeper-than-it-was-made-for | player/a-depth-of-its-own 2 |\
 In the given state, Maxie to move, in search(3, state) | asks evaluate(0, state) about the state after A |\
 asks with depth 2 there
player-one-ply-too-shallow | player/earlier-of-equals 2 | After A, A1, Maxie to move, in evaluate(1, state) |\
 returns Guess(-1), after the estimate Guess(-1) | returns Definitely(Winner(MAXIE)) of A11: Definitely(Winner(MAXIE))
player-forgets-its-own-estimator | player/earlier-of-equals 11 | After 1, Minnie (O) to move, in evaluate(0, state) |\
 returns Guess(2), after the estimate Guess(2) | returns Guess(-1)
"""


@pytest.mark.parametrize("row", KNOWN.strip().splitlines(), ids=lambda row: row.partition(" ")[0])
def test_the_first_divergence_is_told(row: str, bank: Bank, model: str) -> None:
    wrong_lab, call, *facts = (part.strip() for part in row.split(" | "))
    name, _, nth = call.partition(" ")
    assert told(divergence(build(WRONG_LABS[wrong_lab], model), name, bank, int(nth or 1) - 1)) == tuple(facts)


# Searches that do not go by their own names, each with one mistake.

STRICT = """
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
PLAIN = """
def go(s, depth, m):
    if s.is_game_over():
        return [s], s.get_endgame_score(m), 1
    if depth == 0:
        return [s], heuristic_fn(s.get_snapshot(), m), 1
    found = [go(c, depth - 1, not m) for c in s.generate_next_states()]
    p, v, _ = (max if m else min)(found, key=lambda one: one[1])
    return [s] + p, v, sum(one[2] for one in found)
return go(state, depth_limit, maximize)
"""
HIDDEN_COLOUR = """
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
REMEMBERS = """
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
DEEPENS = """
found_so_far = AnytimeValue()
for depth in range(1, depth_limit + 1):
    found = minimax_search_alphabeta(state, -INF, INF, heuristic_fn, depth, maximize)
    found_so_far.set_value(found)
return found_so_far
"""
BY_ITSELF = (
    PLAIN.partition("return go")[0]
    + "found = AnytimeValue()\nfor depth in range(1, depth_limit + 1):\n"
    + "    found.set_value(go(state, depth, maximize))\nreturn found\n"
)
ALPHABETA, ODD = "minimax_search_alphabeta", "depth_limit - 1, maximize is False"
MOVES = "the state after the top right corner, the bottom edge, the bottom right corner, the right edge"


@pytest.mark.parametrize(
    ("function", "body", "call", "facts"),
    [
        (ALPHABETA, STRICT, "alphabeta/equal-bounds",
         "At B, MIN to move | goes on to the 5 below B | cuts off: alpha = 3, beta = 3"),
        (ALPHABETA, STRICT.replace("a > b", "a >= b or not m"), "alphabeta/two-by-two",
         "At the 5 below A | never scores it |"
         " scores it 5 by get_endgame_score with flag True, as alpha = -INF, beta = 3"),
        (ALPHABETA, STRICT.replace("a > b", "a >= b").replace("count += 1", "count += 2"), "alphabeta/two-by-two",
         "At root, MAX to move | returns a count of 6, and scored 3 states | returns a count of 3"),
        ("minimax_search", PLAIN.replace("s.get_endgame_score(m), 1", "s.get_endgame_score(m), 0"),
         "minimax/minimizer-first",
         "At root, MIN to move | returns a count of 2, and scored 9 states | returns a count of 9"),
        ("minimax_search", PLAIN.replace("max if m", "max if not m"), "minimax/two-by-two",
         "At root, MAX to move | returns 1 of A: 1, B: 8 | returns 8"),
        ("minimax_search", PLAIN.replace("heuristic_fn(s.get_snapshot(), m)", "heuristic_fn(s.get_snapshot())"),
         "minimax/root-at-the-limit",
         "At root, MIN to move | scores it -1 by the heuristic without a flag |"
         " scores it 1 by the heuristic with flag False"),
        ("minimax_endgame_search", HIDDEN_COLOUR, "minimax-endgame/minimizer-first",
         "At the 5 below A2 | scores it 5 and returns -5 | returns 5"),
        ("dfs_maximizing", REMEMBERS, "dfs/tic-tac-toe",
         f"At {MOVES} | never scores it | scores it 0 by get_endgame_score"),
        ("progressive_deepening", DEEPENS.replace("-INF, INF", "INF, -INF"), "progressive/two-by-two",
         "At root, MAX to move | makes search 1 with alpha = INF | makes search 1 with alpha = -INF"),
        ("progressive_deepening", f"{DEEPENS}".replace("set_value(found)", "set_value(found); state = found[0][1]"),
         "progressive/two-by-two", "At B, MIN to move | makes search 2 begin at B | makes search 2 begin at root"),
        ("progressive_deepening", DEEPENS.replace("depth, maximize", "depth, heuristic_fn"),
         "progressive/minimizer-first",
         "At root, MIN to move | makes search 1 with maximize = the function heuristic_fn |"
         " makes search 1 with maximize = False"),
        ("progressive_deepening", DEEPENS.replace("found)\n", "(found[0][1:], *found[1:]))\n"),
         "progressive/two-by-two",
         "At root, MAX to move | keeps score 8, evaluations 2, path B of search 1 |"
         " keeps score 8, evaluations 2, path root, B of search 1"),
        ("progressive_deepening", BY_ITSELF, "progressive/two-by-two", None),
        ("progressive_deepening", BY_ITSELF.replace("score(m)", "score()"), "progressive/minimizer-first 2",
         "At the -9 below A | scores it -9 by get_endgame_score with flag True |"
         " scores it 9 by get_endgame_score with flag False"),
    ],
)  # fmt: skip
def test_a_search_by_another_name_is_told_by_its_scores_and_its_result(
    function: str, body: str, call: str, facts: str | None, bank: Bank, model: str
) -> None:
    name, _, nth = call.partition(" ")
    found = divergence(with_body(function, textwrap.dedent(body), model), name, bank, int(nth or 1) - 1)
    assert told(found) == (facts and tuple(part.strip() for part in facts.split(" | ")))


@pytest.mark.parametrize(
    ("old", "new", "case", "facts"),
    [
        ("[minimax_search(child, heuristic_fn, depth_limit - 1, not maximize) for",
         "[minimax_search(child, heuristic_fn, not maximize, depth_limit - 1) for", "minimax/two-by-two",
         "At A, MIN to move | is called with depth_limit = False | is called with depth_limit = 0"),
        ("[minimax_search(child, heuristic_fn, depth_limit - 1, not maximize) for",
         "[minimax_endgame_search(child, not maximize) for", "minimax/two-by-two",
         "At A, MIN to move | is called with depth_limit = INF | is called with depth_limit = 0"),
        ("return minimax_search(state, maximize=maximize)", "return dfs_maximizing(state)",
         "minimax-endgame/two-by-two", "At A, MIN to move | returns 5 of 3, 5 | returns 3"),
        ("minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)",
         "minimax_search(child, heuristic_fn, depth_limit - 1, not maximize)", "alphabeta/two-by-two",
         "At B, MIN to move | goes on to the 9 below B | cuts off: alpha = 3, beta = 2"),
    ],
)  # fmt: skip
def test_a_slip_of_the_pen_is_told(old: str, new: str, case: str, facts: str, bank: Bank, model: str) -> None:
    assert model.count(old) == 1
    assert told(divergence(model.replace(old, new), case, bank)) == tuple(facts.split(" | "))


# --- where nothing is said ----------------------------------------------------------------------------

WITH_LIMITS_AND_WINDOWS = (
    "alphabeta/default-arguments", "alphabeta/flag-at-the-leaf", "alphabeta/outside-the-window", "minimax/tic-tac-toe",
    "progressive/minimizer-first", "player/earlier-of-equals", "player/asked-again",
)  # fmt: skip


@pytest.mark.parametrize("right_lab", ["lab", *RIGHT_LABS])
def test_nothing_is_said_of_what_is_right(right_lab: str, bank: Bank) -> None:
    file = KIT / "lab.py" if right_lab == "lab" else KIT / "staff" / "right_labs" / f"{right_lab}.py"
    for name in WITH_LIMITS_AND_WINDOWS:
        case = next(case for case in bank.cases if case.id == name)
        kind, outcomes = kind_of(case.graded), run(file.read_text("utf-8"), case).outcomes
        for at, outcome in enumerate(outcomes):
            assert kind.divergence(case, at, kind.read(outcome)) is None


COLOUR = """
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


def test_inner_calls_that_speak_another_language_are_not_compared(bank: Bank, model: str) -> None:
    """They answer in the view of the player to move, and the search is right."""
    before, own, after = with_body("minimax_endgame_search", COLOUR, model).partition(
        "def minimax_endgame_search(state, maximize=True"
    )
    for name in ("minimax-endgame/two-by-two", "minimax-endgame/flag-at-the-leaf"):
        assert divergence(f"{before}{own}, inner=False{after}", name, bank) is None


def test_inner_calls_matter_only_if_the_search_is_wrong_in_what_they_answer(bank: Bank, model: str) -> None:
    """Its counts run on from call to call, and are right in the end; the later of equals is its mistake."""
    body = """
global inside, total
total = 0 if inside == 0 else total
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
    lab = f"{with_body('minimax_endgame_search', body, model)}\n\ninside = 0\n"
    found = divergence(lab, "minimax-endgame/earlier-of-equals", bank)
    assert told(found) == (
        "At root, MAX to move", "takes B, worth 5", "takes A, worth 5 too, and earlier"
    )  # fmt: skip


# --- the picture -------------------------------------------------------------------------------------


def test_the_place_is_marked_in_the_tree(bank: Bank, model: str) -> None:
    found = divergence(build(WRONG_LABS["alphabeta-cuts-only-when-greater"], model), "alphabeta/equal-bounds", bank)
    assert found is not None and found.node == (1,)
    assert "\n".join(found.picture) == (
        "  MAX root\n"
        "   |- MIN A\n"
        "   |   |- 3   1st evaluated\n"
        "   |   `- 5   2nd evaluated\n"
        "   |- MIN B   <-- here\n"
        "   |   |- 3   3rd evaluated\n"
        "   |   |- 5   4th evaluated\n"
        "   |   `- 9   5th evaluated\n"
        "   `- MIN C\n"
        "       |- 2   6th evaluated\n"
        "       |- 7\n"
        "       `- 6"
    )


def test_a_move_of_a_player_is_marked_too(bank: Bank, model: str) -> None:
    found = divergence(build(WRONG_LABS["player-one-ply-too-deep"], model), "player/earlier-of-equals", bank)
    assert found is not None
    (marked,) = (line for line in found.picture if line.endswith("<-- here"))
    assert marked.split() == ["|", "`-", "MAX", "A1", "~", "-1", "<--", "here"]
