"""What is said of a wrong path or score: by the names of the nodes, and true of the tree that was searched."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path as File

import pytest

from boards.cases import Bank, Call, Case
from grader.grading.session import Session
from grader.judging.verdict import Verdict
from grader.kinds.kind import kind_of
from grader.kinds.search.answer import Path, Result
from grader.kinds.search.nodes import Nodes
from grader.kinds.search.wrong import rows_of, what_is_wrong
from grader.kinds.solver.kind import Totals
from staff.misconceptions import public_cases
from staff.wrong_labs import build, load_wrong_labs, with_body

WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
Judged = Callable[[str, str], Verdict]
FOREIGN = 'from api import parse_tree, tree_state\nreturn [tree_state(parse_tree("x = 1"))], 5, 4'


@pytest.fixture
def judged(tmp_path: File, bank: Bank) -> Judged:
    """The verdict on a case of a lab.py with this text."""

    def judged(text: str, name: str) -> Verdict:
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        with Session(lab, bank) as session:
            return session.verdict(next(case for case in bank.cases if case.id == name))

    return judged


@pytest.mark.parametrize(
    ("body", "row", "said"),
    [
        ("return [state, state.generate_next_states()[0].generate_next_states()[1]], 5, 4", "root, 5",
         "The 2nd state in the path, the 5 below A, is no child of root."),
        ("return [state, state], 5, 4", "root, root", "The 2nd state in the path, root, is no child of root."),
        ("return [state.generate_next_states()[1]], 5, 4", "B", "The path begins with B, not with the given state."),
        (FOREIGN, "another state", "The path begins with another state, not"),
        ("return [state, 7], 5, 4", "root, an int, …", "The 2nd thing in the path is an int, not a state."),
        ("return iter([state]), 5, 4", "a list_iterator", "The path is a list_iterator; it should be a list"),
        ("return None, 5, 4", "None", "The path is None; it should be a list of states that"),
        ("return [], 5, 4", "no states", "The path is empty; it must begin with the given state,"),
        ("return [state], 9, 4", "root", "The score is right, but the path stops short of the state with this score."),
        ("return [state], 7, 4", "root", "Path and score are both wrong: the path ends at root, where nothing is"),
    ],
)  # fmt: skip
def test_a_path_that_is_no_way_down_is_shown_by_its_nodes(
    body: str, row: str, said: str, judged: Judged, model: str
) -> None:
    every = "state.generate_next_states()[0].generate_next_states()\nstate.generate_next_states()[1]\n"
    verdict = judged(with_body("dfs_maximizing", every + body, model), "dfs/two-by-two")
    assert ("path", "root, B, 9", row) in verdict.rows
    assert verdict.message.startswith(said)


def test_a_path_in_a_game_is_shown_by_its_moves(judged: Judged, model: str) -> None:
    verdict = judged(with_body("dfs_maximizing", "return [state], 0, 1", model), "dfs/connect-four")
    (wanted, yours) = next((wanted, yours) for what, wanted, yours in verdict.rows if what == "path")
    assert wanted.startswith("given state, column ") and yours == "given state"


def test_a_history_that_begins_with_depth_0_is_told_by_what_is_known_of_it(judged: Judged, model: str) -> None:
    body = """\
    anytime, depth = AnytimeValue(), 0
    while depth < depth_limit:
        anytime.set_value(minimax_search_alphabeta(state, depth_limit=depth, heuristic_fn=heuristic_fn))
        depth += 1
    return anytime
"""
    verdict = judged(with_body("progressive_deepening", body, model), "progressive/default-arguments")
    assert verdict.message == "The 2nd result in the history is what a search to depth 1 finds."


def test_of_a_large_table_the_wrong_numbers_are_told(bank: Bank) -> None:
    case = next(case for case in bank.cases if case.id == "solve/several-ways")
    call = next(call for call in case.calls if "totals" in call.expect)
    numbers = {**call.expect["totals"]}
    numbers["WIN"], numbers["LOSE"] = numbers["WIN"] + 5, numbers["LOSE"] - 5
    finding = kind_of(case.graded).judge(case.graded, call, Totals(numbers, ""))
    assert finding.message == "The size is right; what is wrong is how many have WIN and LOSE."


def calls(bank: Bank) -> Iterator[tuple[Case, Call]]:
    """The calls whose tree is drawn and whose path is judged."""
    for case in bank.cases:
        if case.graded.kind == "search":
            yield from ((case, call) for call in case.calls if "tree" in call.inputs["state"] and "path" in call.expect)


def places(nodes: Nodes, place: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every place from this one down to the limit."""
    yield place
    if len(place) < nodes.limit:
        for index in range(len(nodes.below(place))):
            yield from places(nodes, (*place, index))


def test_what_is_said_of_any_wrong_result_is_true(bank: Bank) -> None:
    """Every leaf with every score that it, or another one, could be thought to have."""
    said = set()
    for case, call in calls(bank):
        nodes = Nodes(case.graded, call)
        leaves = [place for place in places(nodes) if nodes.worth(place) is not None]
        scores = {nodes.worth(place) for place in leaves[:6]} | {0, 17.5}
        scores |= {-score for score in scores if score is not None}
        for end, score in itertools.product(leaves[:6], scores):
            result = Result(Path(end), score, 1)
            if (list(end), score) == (call.expect["path"], call.expect["score"]):
                continue
            sentence = what_is_wrong(call.expect, result, nodes)
            worth, name = nodes.worth(end), nodes.name(end)
            assert sentence.endswith((".", "?")) and rows_of(call.expect, result, nodes)
            assert ("score is that of the path's last state" in sentence) is (
                score == worth and score != call.expect["score"]
            )
            if "worth as much" in sentence:
                assert worth == score
            if "of equally good branches" in sentence:
                assert not nodes.plays or end[:-1] == tuple(call.expect["path"])[:-1]
            if " flag" in sentence:
                assert nodes.worth(end, other_flag=True) == score != worth
                assert ("the other player" in sentence) is nodes.plays
            if f"{name} is worth " in sentence and " flag" not in sentence:
                assert f"{name} is worth {worth}" in sentence
            said.add(sentence.split(":")[0].split(",")[0])
    assert len(said) >= 3


@pytest.mark.parametrize(
    ("wrong_lab", "name", "said"),
    [
        ("minimax-endgame-default-flag", "minimax/flag-for-the-heuristic", "with the flag of the other player"),
        ("dfs-takes-the-last-of-equals", "dfs/earlier-of-equals", "of equally good branches the earlier one wins"),
        ("minimax-only-maximizes", "minimax/unusual-scores", "the score is that of the path's last state, the -6 bel"),
        ("endgame-search-negates", "minimax-endgame/no-choice", "with the other sign, or with the flag of the other p"),
    ],
)
def test_hints_stand_where_they_are_true(wrong_lab: str, name: str, said: str, judged: Judged, model: str) -> None:
    assert said in judged(build(WRONG_LABS[wrong_lab], model), name).message


def test_two_paths_that_begin_with_the_leaf_are_not_the_same_mistake(judged: Judged, model: str) -> None:
    backwards = judged(model.replace("[state, *path]", "[*path, state]", 1), "dfs/two-by-two")
    leaf_alone = judged(model.replace("[state, *path]", "path", 1), "dfs/two-by-two")
    assert backwards.message == leaf_alone.message == "The path begins with the 9 below B, not with the given state."
    assert backwards.gist != leaf_alone.gist


def test_two_crashes_of_one_type_are_not_the_same_mistake(judged: Judged, model: str) -> None:
    old = "[state], heuristic_fn(state.get_snapshot(), maximize)"
    found = [
        judged(model.replace(old, f"[state], heuristic_fn({given})", 1), "minimax/two-by-two")
        for given in ("state, maximize", "maximize, state.get_snapshot()")
    ]
    assert [each.message.partition("(")[0].strip() for each in found] == [
        "AttributeError: 'AbstractGameState' object has no attribute 'negates'",
        "AttributeError: 'bool' object has no attribute 'negates'",
    ]
    assert found[0].gist != found[1].gist


def test_no_hint_stands_where_it_is_not(bank: Bank, model: str, judged: Judged) -> None:
    """A heuristic may be called on a finished game and not matter; a count may be low without a branch left out."""
    wrong = with_body("minimax_search", "heuristic_fn(state.snapshot, maximize)\nreturn [state], 12345, 1", model)
    assert "heuristic" not in judged(wrong, "minimax/root-at-the-limit").message
    low = judged(build(WRONG_LABS["alphabeta-forgets-the-last-count"], model), "alphabeta/two-by-two")
    assert "could have mattered" not in low.message


def test_only_a_path_that_is_judged_is_called_right(judged: Judged, model: str) -> None:
    late = judged(build(WRONG_LABS["alphabeta-cuts-one-leaf-late"], model), "alphabeta/outside-the-window")
    assert late.message.startswith("The score is right, but there")
    late = judged(build(WRONG_LABS["alphabeta-cuts-one-leaf-late"], model), "alphabeta/given-window")
    assert late.message.startswith("Path and score are right, but there")


def test_only_a_heuristic_on_the_stack_is_told_of_snapshots(judged: Judged, model: str) -> None:
    said = judged(with_body("minimax_search", "return heuristic_fn(state, maximize)", model), "minimax/two-by-two")
    assert "A heuristic looks at state.get_snapshot(), not at the state" in said.message
    said = judged(with_body("minimax_search", "return state.children", model), "minimax/two-by-two")
    assert "'AbstractGameState' object has no attribute" in said.message and "heuristic" not in said.message


def test_no_tie_is_told_where_an_expectation_is_wrong(bank: Bank) -> None:
    (case,) = (case for case in bank.cases if case.id == "dfs/two-by-two")
    (call,) = case.calls
    expect = {**call.expect, "path": [0, 0]}  # which is worth 3
    found = Result(Path(tuple(call.expect["path"])), call.expect["score"], call.expect["evaluations"])
    sentence = what_is_wrong(expect, found, Nodes(case.graded, call))
    assert sentence == "The score is right, but the path leads elsewhere."


def test_a_path_that_was_emptied_is_asked_after(judged: Judged, model: str) -> None:
    trail = (
        "found, trail = [None, None, 0], []\n"
        "def walk(node):\n"
        "    trail.append(node)\n"
        "    if node.is_game_over():\n"
        "        found[2] += 1\n"
        "        if found[1] is None or node.get_endgame_score() > found[1]:\n"
        "            found[:2] = trail, node.get_endgame_score()\n"
        "    for child in node.generate_next_states():\n"
        "        walk(child)\n"
        "    trail.pop()\n"
        "walk(state)\n"
        "return tuple(found)"
    )
    for body in (trail, trail.replace("walk(state)", "walk(state)\ntrail.append(state)")):
        said = judged(with_body("dfs_maximizing", body, model), "dfs/no-choice").message
        assert said.endswith("Is that list changed once the path is in it?")


def test_another_order_leaves_nothing_out_that_matters(judged: Judged, model: str) -> None:
    before, own, after = model.partition("def minimax_search_alphabeta")
    text = before + own + after.replace("state.generate_next_states()", "reversed(state.generate_next_states())", 1)
    said = judged(text, "alphabeta/minimizer-first").message
    assert said == "Path and score are right, but there are 2 evaluations too few."


def test_a_count_of_what_was_cut_off_is_no_late_cut_off(bank: Bank, model: str, tmp_path: File) -> None:
    """Though it comes to the same numbers: the count is not that of what was scored."""
    function = "minimax_search_alphabeta"
    late = build(WRONG_LABS["alphabeta-cuts-one-leaf-late"], model)
    body = model.partition(f"def {function}")[2].partition("# BEGIN SOLUTION\n")[2].partition("    # END SOLUTION")[0]
    body = body.replace(f"{function}(child,", "search(child,").replace("for child in state", "children = state")
    body = body.replace("states():\n", "states()\n    for child in children:\n")
    body = body.replace("beta:\n", "beta:\n            evaluations += child is not children[-1]\n")
    arguments = "state, alpha, beta, heuristic_fn, depth_limit, maximize"
    text = with_body(function, f"def search({arguments}):\n{body}\nreturn search({arguments})", model)
    for lab, names in ((late, ["notices a cut-off one child too late"]), (text, [])):
        (tmp_path / "lab.py").write_text(lab, encoding="utf-8")
        with Session(tmp_path / "lab.py", bank) as session:
            known = session.sheet_of(public_cases(bank, function)).diagnoses.get(function)
        assert [each.name for each in known.names] == names if known else not names


def test_a_search_that_scores_again_counts_no_inner_nodes(bank: Bank, model: str, tmp_path: File) -> None:
    """Though it comes to the same numbers, as it does so once at each node."""
    again = "count = 0\ndef score(end):\n    nonlocal count\n    count += 1\n    return end.get_endgame_score()\n"
    again += "def best(place):\n    if place.is_game_over():\n        return [place]\n"
    again += "    below = map(best, place.generate_next_states())\n"
    again += "    return [place] + max(below, key=lambda way: score(way[-1]))\n"
    body = again + "path = best(state)\nreturn path, score(path[-1]), count"
    inner = build(WRONG_LABS["dfs-counts-inner-nodes"], model)
    for text, names in (
        (inner, ["counts inner nodes as static evaluations"]),
        (with_body("dfs_maximizing", body, model), []),
    ):
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        with Session(lab, bank) as session:
            known = session.sheet_of(public_cases(bank, "dfs_maximizing")).diagnoses.get("dfs_maximizing")
        assert [each.name for each in known.names] == names if known else not names


WINS = "any(len(chain) >= 4 for chain in board.get_all_chains())"
FLAG = "is_current_player_maximizer"
SOONER = f"won = {WINS} and (-1 if {FLAG} else 1)\nleft = 42 - board.count_pieces()\nreturn won * (1000 + "
LOOK_ALIKES = [
    (
        "endgame_score_connectfour",
        f"if {FLAG} and {WINS}:\n    return -1000\nelif not {FLAG}:\n    return 1000\nreturn 0",
        "endgame-score-longer-chain-wins",
    ),
    ("endgame_score_connectfour_faster", f"{SOONER}len(board.get_all_chains()))", "faster-prefers-later"),
    ("endgame_score_connectfour_faster", f"{SOONER}left // 10)", "faster-no-bonus"),
]


@pytest.mark.parametrize(("function", "body", "other"), LOOK_ALIKES)
def test_a_mistake_that_begins_like_another_is_not_taken_for_it(
    function: str, body: str, other: str, bank: Bank, model: str, tmp_path: File
) -> None:
    for text, is_it in ((with_body(function, body, model), False), (build(WRONG_LABS[other], model), True)):
        (tmp_path / "lab.py").write_text(text, encoding="utf-8")
        with Session(tmp_path / "lab.py", bank) as session:
            sheet = session.sheet_of(public_cases(bank, function))
        names = sheet.diagnoses[function].names if function in sheet.diagnoses else ()
        assert bool(names) is is_it
