"""What the handout and lab.py work out before the reader's eyes is what the model
finds.
"""

import doctest
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import api
import lab
from boards import TWO_CUT_OFFS
from staff.release.handout import HANDOUT
from staff.release.regions import without_solutions
from staff.tests.support.handouts import WHOLE, blocks
from staff.wrong_labs import build, load_wrong_labs

SEARCHES = (
    "dfs_maximizing", "minimax_endgame_search", "minimax_search", "minimax_search_alphabeta", "progressive_deepening",
    "MinimaxPlayer.search",
)  # fmt: skip


@pytest.mark.parametrize("search", SEARCHES)
def test_examples_in_lab_py_are_true(search: str) -> None:
    [found] = (
        test
        for test in doctest.DocTestFinder().find(lab)
        if test.name == f"lab.{search}"
    )
    printed: list[str] = []
    assert found.examples
    assert doctest.DocTestRunner().run(found, out=printed.append).failed == 0, "".join(
        printed
    )


def test_students_get_the_examples_and_no_more(model: str) -> None:
    names: dict[str, Any] = {"__name__": "stub"}
    exec(without_solutions(model, Path("lab.py")), names)
    told = [
        doctest.script_from_examples(eval(search, names).__doc__) for search in SEARCHES
    ]
    assert told == [
        doctest.script_from_examples(eval(search, vars(lab)).__doc__)
        for search in SEARCHES
    ]
    assert not re.search(
        r"^(def|class|if|for|while) |lambda", "".join(told), re.MULTILINE
    )


@pytest.mark.parametrize(
    "example", blocks("pycon", WHOLE), ids=lambda text: text.splitlines()[0][4:]
)
def test_examples_run_as_they_stand(example: str) -> None:
    assert set(re.findall(r"^>>> (?:from|import) (\w+)", example, re.MULTILINE)) <= {
        "api",
        "boards",
    }
    test = doctest.DocTestParser().get_doctest(example, {}, "example", str(HANDOUT), 0)
    printed: list[str] = []
    assert doctest.DocTestRunner().run(test, out=printed.append).failed == 0, "".join(
        printed
    )


def test_results_on_the_tree_are_the_model_s() -> None:
    source = next(
        example for example in blocks("pycon", WHOLE) if "parse_tree" in example
    )
    names = {**vars(api), **vars(lab)}
    for example in doctest.DocTestParser().get_examples(source):
        if "print" not in example.source:
            exec(compile(example.source, "handout", "single"), names)
    rows = re.findall(
        r"^\| `(\w+\(state.*?\))` \| (.*?) \| (.*?) \| (.*?) \|$", WHOLE, re.MULTILINE
    )
    assert len(rows) == 5
    for call, *wanted in rows:
        path, score, evaluations = eval(call, names)
        assert [
            ", ".join(state.snapshot.name for state in path),
            str(score),
            str(evaluations),
        ] == wanted, call
    history = lab.progressive_deepening(
        names["state"], api.tree_estimate, depth_limit=2
    ).history
    assert [
        (path[1].snapshot.name, score, count) for path, score, count in history
    ] == [("B", 9, 3), ("A", 4, 4)]


TREES = {
    "over = 3": api.parse_tree(
        "root\n  A\n    4\n    7\n  over = 3\n  B\n    1\n    8"
    ),
    "near = 5": TWO_CUT_OFFS,
}


@pytest.mark.parametrize("leaf", TREES)
def test_drawn_windows_are_the_model_s(
    leaf: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = next(
        block for block in blocks("text", WHOLE) if leaf in block and "alpha" in block
    )
    column = drawing.index("alpha")
    lines = [(line[:column].rstrip(), line[column:]) for line in drawing.splitlines()]
    assert [caption for caption, _ in lines] == api.draw_tree(
        TREES[leaf], maximize=True
    ).splitlines()
    windows: dict[str, tuple[float, float]] = {}
    search: Callable[..., Any] = lab.minimax_search_alphabeta

    def watched(
        state: Any, alpha: float = -api.INF, beta: float = api.INF, *more: Any
    ) -> Any:
        windows[state.snapshot.name] = alpha, beta
        return search(state, alpha, beta, *more)

    monkeypatch.setattr(lab, "minimax_search_alphabeta", watched)
    _, _, evaluations = watched(api.tree_state(TREES[leaf]))
    for caption, note in lines:
        name, _, score = (
            caption.rpartition("- ")[2]
            .removeprefix("MAX ")
            .removeprefix("MIN ")
            .partition(" = ")
        )
        assert (name in windows) == (note != "never looked at")
        if told := re.fullmatch(r"alpha (\S+), beta (\S+)", note):
            assert windows[name] == (float(told[1]), float(told[2])), name
        elif told := re.search(r"(?:rises|falls) to (\d+)", note):
            assert told[1] in (name, score) or f"worth {told[1]}, and" in note
    never = sum(note == "never looked at" for _, note in lines)
    inner = sum(caption.lstrip(" |`-").startswith("M") for caption, _ in lines)
    assert evaluations == len(lines) - inner - never
    assert never


def wrong_lab(wrong_lab: str, model: str) -> dict[str, Any]:
    """What a wrong lab defines."""
    names: dict[str, Any] = {"__name__": "wrong"}
    exec(
        build(next(each for each in load_wrong_labs() if each.id == wrong_lab), model),
        names,
    )
    return names


def test_a_deep_cut_off_is_missed_as_the_handout_says(model: str) -> None:
    state = api.tree_state(TWO_CUT_OFFS)
    told = re.search(
        r"miss it and make (\d) evaluations instead of (\d)", " ".join(WHOLE.split())
    )
    shallow = wrong_lab("alphabeta-shallow-cut-offs-only", model)[
        "minimax_search_alphabeta"
    ]
    path, score, evaluations = lab.minimax_search_alphabeta(state)
    assert told and [int(told[1]), int(told[2])] == [shallow(state)[2], evaluations]
    assert f"is worth {score} after {evaluations} evaluations" in WHOLE
    assert [node.snapshot.name for node in path] == ["root", "B", "C", "7"]


def test_the_leaf_that_turns_with_the_flag_is_as_drawn(model: str) -> None:
    drawing = next(block for block in blocks("text", WHOLE) if "larger of" in block)
    state = api.tree_state(
        api.parse_tree("root\n  A\n    3\n    6\n  over = 4\n", negates=True)
    )
    right, *wrong = (
        [path[1].snapshot.name, score]
        for search in (
            lab.minimax_endgame_search,
            wrong_lab("endgame-search-default-flag", model)["minimax_endgame_search"],
            wrong_lab("endgame-search-negates", model)["minimax_endgame_search"],
        )
        for path, score, _ in [search(state)]
    )
    assert (right, wrong) == (["A", 3], [["over", 4], ["over", 4]])
    below = [
        lab.minimax_endgame_search(child, False)[1]
        for child in state.generate_next_states()
    ]
    assert below == [3, -4]
    assert (
        "larger of 3 and -4:     3" in drawing
        and "smaller of 3 and 6:     3" in drawing
    )


def test_small_table_of_values_is_the_model_s() -> None:
    rows = re.findall(r"^ {4}(\d) {8}(.*?) +(WIN|LOSE)\b", WHOLE, re.MULTILINE)
    game = lab.ZeroBy(6, (1, 3, 4))
    assert {int(items): value for items, _, value in rows} == {
        position: value.name for position, value in lab.solve(game).items()
    }
    for items, leaves, _ in rows[1:]:
        after = {game.do_move(int(items), move) for move in game.get_moves(int(items))}
        assert {int(word) for word in leaves.split(",")} == after


def test_the_drawn_horizon_is_the_model_s() -> None:
    drawing = next(block for block in blocks("text", WHOLE) if "Maxie, 4 left" in block)
    game = api.VeryDumbNim(4)
    player = lab.MinimaxPlayer(game, 2)
    worth = {
        "Guess(0)": api.Guess(0),
        "Maxie wins": api.Definitely(api.Winner(api.Player.MAXIE)),
    }
    _, root, *below = drawing.splitlines()
    shallow, deep = (player.search(depth, game.start()) for depth in (1, 2))
    found = re.findall(r"take (\d), (Guess\(0\)|Maxie wins)", root)
    assert [(int(move), worth[estimate]) for move, estimate in found] == [shallow, deep]
    states = [game.start()]
    for line in below:
        level = line.index("- ") // 4 + 1
        [(move, label)] = re.findall(r"- (\d): (over|\w+, \d left)", line)
        del states[level:]
        assert int(move) in game.moves(states[-1])
        states.append(game.make_move(states[-1], int(move)))
        over = game.status(states[-1]) is not api.IN_PLAY
        assert label == (
            "over" if over else f"{states[-1].player}, {states[-1].pieces} left"
        )
        told = [worth[text] for text in re.findall(r"Guess\(0\)|Maxie wins", line)]
        assert told == [
            player.evaluate(depth - level, states[-1])
            for depth in (1, 2)
            if depth >= level
        ]
    assert len(below) == 9
