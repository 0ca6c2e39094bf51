"""What the handout and lab.py work out before the reader's eyes is what the model
finds.
"""

import doctest
import re
from collections.abc import Callable
from dataclasses import dataclass
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


# --- examples to run -----------------------------------------------------------------


def check_example(example: doctest.DocTest) -> None:
    """Run an example; it prints what stands below each of its lines."""
    printed: list[str] = []
    assert example.examples
    outcome = doctest.DocTestRunner().run(example, out=printed.append)
    assert outcome.failed == 0, "".join(printed)


@pytest.mark.parametrize("search", SEARCHES)
def test_examples_in_lab_py_are_true(search: str) -> None:
    examples = {test.name: test for test in doctest.DocTestFinder().find(lab)}
    check_example(examples[f"lab.{search}"])


def examples_in(names: dict[str, Any]) -> list[str]:
    """The code of the examples of the searches that have these names."""
    docstrings = [eval(search, names).__doc__ for search in SEARCHES]
    return [doctest.script_from_examples(text) for text in docstrings]


@pytest.fixture(scope="module")
def stub(model: str) -> dict[str, Any]:
    """The names that the lab.py of students defines."""
    names: dict[str, Any] = {"__name__": "stub"}
    exec(without_solutions(model, Path("lab.py")), names)
    return names


def test_students_get_the_examples(stub: dict[str, Any]) -> None:
    assert examples_in(stub) == examples_in(vars(lab))


def test_the_examples_show_no_code_of_a_search(stub: dict[str, Any]) -> None:
    code = r"^(def|class|if|for|while) |lambda"
    assert not re.search(code, "".join(examples_in(stub)), re.MULTILINE)


RUNNABLE = blocks("pycon", WHOLE)


def first_line(example: str) -> str:
    return example.splitlines()[0].removeprefix(">>> ")


@pytest.mark.parametrize("example", RUNNABLE, ids=first_line)
def test_examples_run_as_they_stand(example: str) -> None:
    parser = doctest.DocTestParser()
    check_example(parser.get_doctest(example, {}, "example", str(HANDOUT), 0))


@pytest.mark.parametrize("example", RUNNABLE, ids=first_line)
def test_examples_import_only_what_students_have(example: str) -> None:
    imported = re.findall(r"^>>> (?:from|import) (\w+)", example, re.MULTILINE)
    assert {*imported} <= {"api", "boards"}


# --- results and drawings ------------------------------------------------------------


def names_after(example: str) -> dict[str, Any]:
    """The names that are known after an example, with those of the api and the model;
    what it prints is left out.
    """
    names = {**vars(api), **vars(lab)}
    for line in doctest.DocTestParser().get_examples(example):
        if "print" not in line.source:
            exec(compile(line.source, "handout", "single"), names)
    return names


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """The names of the example with a tree, whose `state` the handout searches."""
    return names_after(next(each for each in RUNNABLE if "parse_tree" in each))


ROW = r"^\| `(\w+\(state.*?\))` \| (.*?) \| (.*?) \| (.*?) \|$"
RESULTS = re.findall(ROW, WHOLE, re.MULTILINE)


def test_there_is_a_row_for_each_search_of_the_tree() -> None:
    assert len(RESULTS) == 5


@pytest.mark.parametrize(("call", "path", "score", "evaluations"), RESULTS)
def test_results_on_the_tree_are_the_model_s(
    call: str, path: str, score: str, evaluations: str, names: dict[str, Any]
) -> None:
    states, found_score, count = eval(call, names)
    assert ", ".join(state.snapshot.name for state in states) == path
    assert (str(found_score), str(count)) == (score, evaluations)


def test_the_history_on_the_tree_is_the_model_s(names: dict[str, Any]) -> None:
    value = lab.progressive_deepening(names["state"], api.tree_estimate, depth_limit=2)
    history = [(path[1].snapshot.name, *others) for path, *others in value.history]
    assert history == [("B", 9, 3), ("A", 4, 4)]


def drawing_with(*words: str) -> str:
    """The first drawing of the handout that has all of these words."""
    drawings = blocks("text", WHOLE)
    return next(each for each in drawings if all(word in each for word in words))


TREES = {
    "over = 3": api.parse_tree(
        "root\n  A\n    4\n    7\n  over = 3\n  B\n    1\n    8"
    ),
    "near = 5": TWO_CUT_OFFS,
}


Windows = dict[str, tuple[float, float]]


def watched_alphabeta(
    tree: api.TreeNode, monkeypatch: pytest.MonkeyPatch
) -> tuple[Windows, int]:
    """The window in which the model searches each node, and its evaluations."""
    windows: Windows = {}
    search: Callable[..., Any] = lab.minimax_search_alphabeta

    def watched(
        state: Any, alpha: float = -api.INF, beta: float = api.INF, *more: Any
    ) -> Any:
        windows[state.snapshot.name] = alpha, beta
        return search(state, alpha, beta, *more)

    monkeypatch.setattr(lab, "minimax_search_alphabeta", watched)
    _, _, evaluations = watched(api.tree_state(tree))
    return windows, evaluations


@dataclass(frozen=True)
class DrawnNode:
    """A line of a drawing with windows: a node, and the note beside it."""

    caption: str  # as draw_tree writes it
    note: str

    @property
    def is_inner(self) -> bool:
        return self.caption.lstrip(" |`-").startswith("M")

    @property
    def is_left_out(self) -> bool:
        return self.note == "never looked at"

    @property
    def name(self) -> str:
        return self._words[0]

    @property
    def score(self) -> str:
        return self._words[2]

    @property
    def _words(self) -> tuple[str, str, str]:
        """The name, an equals sign, and the score; those of a leaf are one number."""
        node = self.caption.rpartition("- ")[2]
        return node.removeprefix("MAX ").removeprefix("MIN ").partition(" = ")


def drawn_nodes(leaf: str) -> list[DrawnNode]:
    """The lines of the drawing with windows that has this leaf."""
    drawing = drawing_with(leaf, "alpha")
    column = drawing.index("alpha")
    return [
        DrawnNode(line[:column].rstrip(), line[column:])
        for line in drawing.splitlines()
    ]


@pytest.mark.parametrize("leaf", TREES)
def test_a_drawing_with_windows_is_of_its_tree(leaf: str) -> None:
    captions = [node.caption for node in drawn_nodes(leaf)]
    assert captions == api.draw_tree(TREES[leaf], maximize=True).splitlines()


@pytest.mark.parametrize("leaf", TREES)
def test_drawn_windows_are_the_model_s(
    leaf: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows, evaluations = watched_alphabeta(TREES[leaf], monkeypatch)
    nodes = drawn_nodes(leaf)
    for node in nodes:
        assert (node.name not in windows) == node.is_left_out, node
        if window := re.fullmatch(r"alpha (\S+), beta (\S+)", node.note):
            alpha, beta = window.groups()
            assert windows[node.name] == (float(alpha), float(beta)), node
    evaluated = [node for node in nodes if not (node.is_inner or node.is_left_out)]
    assert evaluations == len(evaluated)
    assert any(node.is_left_out for node in nodes)


@pytest.mark.parametrize("leaf", TREES)
def test_what_moves_a_bound_is_the_worth_of_the_node(leaf: str) -> None:
    for node in drawn_nodes(leaf):
        if moved := re.search(r"(?:rises|falls) to (\d+)", node.note):
            worth = moved[1]
            is_said = f"worth {worth}, and" in node.note
            assert is_said or worth in (node.name, node.score), node


def of_wrong_lab(id: str, function: str, model: str) -> Callable[..., Any]:
    """The function of a wrong lab."""
    (wrong_lab,) = (each for each in load_wrong_labs() if each.id == id)
    names: dict[str, Any] = {"__name__": "wrong"}
    exec(build(wrong_lab, model), names)
    search: Callable[..., Any] = names[function]
    return search


def test_a_deep_cut_off_is_missed_as_the_handout_says(model: str) -> None:
    state = api.tree_state(TWO_CUT_OFFS)
    path, score, evaluations = lab.minimax_search_alphabeta(state)
    shallow = of_wrong_lab(
        "alphabeta-shallow-cut-offs-only", "minimax_search_alphabeta", model
    )
    _, _, evaluations_of_shallow = shallow(state)
    text = " ".join(WHOLE.split())
    missed = f"{evaluations_of_shallow} evaluations instead of {evaluations}"
    assert f"miss it and make {missed}" in text
    assert f"finds the score {score} after {evaluations} evaluations" in WHOLE
    assert [node.snapshot.name for node in path] == ["root", "B", "C", "7"]


TURNS_WITH_THE_FLAG = "root\n  A\n    3\n    6\n  over = 4\n"


@pytest.fixture
def turns() -> api.AbstractGameState:
    """The tree of the handout in which a leaf turns with the flag."""
    return api.tree_state(api.parse_tree(TURNS_WITH_THE_FLAG, negates=True))


def test_the_leaf_that_turns_with_the_flag_is_as_drawn(
    turns: api.AbstractGameState,
) -> None:
    path, score, _ = lab.minimax_endgame_search(turns)
    below = [
        lab.minimax_endgame_search(child, False)[1]
        for child in turns.generate_next_states()
    ]
    drawing = drawing_with("larger of")
    assert (path[1].snapshot.name, score) == ("A", 3)
    assert below == [3, -4]
    assert "larger of 3 and -4:     3" in drawing
    assert "smaller of 3 and 6:     3" in drawing


@pytest.mark.parametrize(
    "mistake", ["endgame-search-default-flag", "endgame-search-negates"]
)
def test_whoever_forgets_the_flag_chooses_the_leaf_that_turns(
    mistake: str, turns: api.AbstractGameState, model: str
) -> None:
    search = of_wrong_lab(mistake, "minimax_endgame_search", model)
    path, score, _ = search(turns)
    assert (path[1].snapshot.name, score) == ("over", 4)


def test_small_table_of_values_is_the_model_s() -> None:
    rows = re.findall(r"^ {4}(\d) {8}(.*?) +(WIN|LOSE)\b", WHOLE, re.MULTILINE)
    game = lab.ZeroBy(6, (1, 3, 4))
    values = {position: value.name for position, value in lab.solve(game).items()}
    assert {int(items): value for items, _, value in rows} == values
    for items, leaves, _ in rows[1:]:
        moves = game.get_moves(int(items))
        after = {game.do_move(int(items), move) for move in moves}
        assert {int(word) for word in leaves.split(",")} == after


WORTH = {
    "Guess(0)": api.Guess(0),
    "Maxie wins": api.Definitely(api.Winner(api.Player.MAXIE)),
}
DEPTHS = (1, 2)
HORIZON = drawing_with("Maxie, 4 left").splitlines()[1:]


@pytest.fixture
def player() -> Any:
    """The player who searches in the drawing of the horizon."""
    return lab.MinimaxPlayer(api.VeryDumbNim(4), 2)


def test_the_moves_above_the_drawn_horizon_are_the_model_s(player: Any) -> None:
    start = player.game.start()
    told = re.findall(r"take (\d), (Guess\(0\)|Maxie wins)", HORIZON[0])
    searched = [player.search(depth, start) for depth in DEPTHS]
    assert [(int(move), WORTH[worth]) for move, worth in told] == searched


def test_the_drawn_horizon_is_the_model_s(player: Any) -> None:
    game = player.game
    states = [game.start()]  # from the root to the node of the line before
    for line in HORIZON[1:]:
        level = line.index("- ") // 4 + 1
        [(move, label)] = re.findall(r"- (\d): (over|\w+, \d left)", line)
        above = states[level - 1]
        assert int(move) in game.moves(above)
        state = game.make_move(above, int(move))
        states[level:] = [state]
        is_over = game.status(state) is not api.IN_PLAY
        assert label == ("over" if is_over else f"{state.player}, {state.pieces} left")
        told = [WORTH[text] for text in re.findall(r"Guess\(0\)|Maxie wins", line)]
        assert told == [
            player.evaluate(depth - level, state) for depth in DEPTHS if depth >= level
        ]
    assert len(HORIZON) == 1 + 9
