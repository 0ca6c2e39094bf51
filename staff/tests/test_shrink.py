"""make shrink: it draws the smallest tree on which searches contradict each other, and accuses no right lab."""

import itertools
import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from api import TreeNode, parse_tree, tree_state
from boards.cases import read_points
from grader.tools import student
from grader.tools.laws import DEEPENING, DFS, SEARCHES, Call, Contradiction, check
from grader.tools.screen import WIDTH, Screen
from grader.tools.shrink import Hunt
from grader.tools.small_trees import MOST_LEAVES, small_trees
from staff.release.leaks import check_for_leaks
from staff.release.regions import without_solutions
from staff.tests.conftest import KIT
from staff.tests.support.handouts import WHOLE, blocks
from staff.tests.support.rows import Row, read_rows
from staff.tests.support.waiting import LONG
from staff.tests.test_labs import RIGHT_LABS
from staff.wrong_labs import build, load_wrong_labs, with_body

UNIFORM = parse_tree("root\n  A\n    a = 1\n    b = 1\n  B\n    c = 1\n    d = 1")
UNEVEN = [
    parse_tree("root\n  A\n    a = 1\n    b = 1\n    c = 1\n  B\n    d = 1\n    e = 1"),
    parse_tree("root\n  1\n  A\n    a = 1\n    b = 1"),
]
# What none of its trees can show: scores far off or between whole numbers, what comes many plies down, an address.
BEYOND = re.compile("whole-numbers|rounds|of-ten-thousand|a-number$|thirty-plies|eight-plies|deep-down|by-identity")
SHOWN = {
    wrong_lab.id: wrong_lab
    for wrong_lab in load_wrong_labs()
    if wrong_lab.function in SEARCHES and not BEYOND.search(wrong_lab.id)
}
SHARE = 0.8
LabOf = Callable[[str], Hunt]


@pytest.fixture
def hunt_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LabOf:
    """A hunt with the lab of this text, in this very process, which keeps its import path."""
    monkeypatch.setattr(student, "close_import_path", lambda: None)
    monkeypatch.setitem(sys.modules, "lab", sys.modules.get("lab"))
    monkeypatch.setattr(json, "dumps", json.dumps)  # which one of the labs replaces
    number = itertools.count()

    def hunt_in(text: str) -> Hunt:
        lab = tmp_path / f"lab{next(number)}.py"
        lab.write_text(text, encoding="utf-8")
        return Hunt(lab, Screen.of_terminal())

    return hunt_in


def broken_on(hunt: Hunt, trees: list[TreeNode]) -> Contradiction | None:
    """The first contradiction on these trees."""
    for hunt.root in trees:
        hunt.found, hunt.state = {}, tree_state(hunt.root)
        try:
            check(hunt.root, hunt.ask)
        except Contradiction as broken:
            return broken
    return None


def shrink(text: str, folder: Path, words: str = "300") -> tuple[int, str, str]:
    """`python -m grader shrink WORDS` with a lab of this text: exit status, standard output and error.

    It may compute longer than students have, on a machine that is slow.
    """
    (folder / "lab.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "grader", "shrink", *words.split()],
        cwd=KIT, capture_output=True, text=True, timeout=LONG, env={**os.environ, "LAB": str(folder / "lab.py")},
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stdout.isascii()
    assert max(map(len, ["", *done.stdout.splitlines()])) <= WIDTH
    return done.returncode, done.stdout, done.stderr


# --- the trees ------------------------------------------------------------------------------------


def test_each_tree_comes_once_and_the_small_ones_first() -> None:
    trees = [tree for leaves in (1, 2, 3) for tree in small_trees(leaves)]
    assert len({(tree.drawing, tree.negates) for tree in trees}) == len(trees) == 8 + 64 + 768
    sizes = [(sum(not node.children for node in nodes), len(nodes)) for nodes in map(nodes_of, trees)]
    assert sizes == sorted(sizes)
    assert {leaf.score for tree in trees for leaf in nodes_of(tree) if not leaf.children} == {-1, 0, 1, 2}
    assert MOST_LEAVES == 7 and len(nodes_of(next(small_trees(MOST_LEAVES)))) == 8


def nodes_of(tree: TreeNode) -> list[TreeNode]:
    return [tree, *(node for child in tree.children for node in nodes_of(child))]


# --- wrong labs and right ones --------------------------------------------------------------------


def test_most_misconceptions_contradict_something(hunt_in: LabOf, model: str) -> None:
    """On the trees that `make shrink` comes to within 3 of its 10 seconds."""
    kinds = {name: function.kind for part in read_points() for name, function in part.graded.items()}
    assert {name for name, kind in kinds.items() if kind == "search"} == set(SEARCHES)
    trees = [UNIFORM, *small_trees(1), *small_trees(2), *[*small_trees(3)][::3]]
    missed = [name for name, wrong_lab in SHOWN.items() if not broken_on(hunt_in(build(wrong_lab, model)), trees)]
    assert len(missed) <= (1 - SHARE) * len(SHOWN), missed


@pytest.mark.parametrize("lab", [KIT / "lab.py", *RIGHT_LABS], ids=lambda file: file.stem)
def test_no_right_lab_is_accused(lab: Path, hunt_in: LabOf) -> None:
    hunt = hunt_in(lab.read_text(encoding="utf-8"))
    assert broken_on(hunt, some_trees()) is None
    assert not hunt.left_out


NOT_HERE = ("writes-a-diary",)
ODD = [row for row in read_rows("right") if {*SEARCHES} & {*row.status} and row.id not in NOT_HERE]


@pytest.mark.parametrize("row", ODD, ids=lambda row: row.id)
def test_no_odd_lab_is_accused(row: Row, hunt_in: LabOf, model: str) -> None:
    assert broken_on(hunt_in(row.text(model)), some_trees()) is None


@cache
def some_trees() -> list[TreeNode]:
    """The smallest trees, and some of the larger ones."""
    sampled = [tree for leaves, step in ((3, 23), (4, 307)) for tree in [*small_trees(leaves)][::step]]
    return [UNIFORM, *UNEVEN, *small_trees(1), *small_trees(2), *sampled]


def test_equal_leaves_are_told_apart(hunt_in: LabOf, model: str) -> None:
    body = "return [state, state.generate_next_states()[-1].generate_next_states()[0]], 1, 4"
    hunt = hunt_in(with_body("dfs_maximizing", body, model))
    assert broken_on(hunt, [parse_tree("root\n  A\n    1\n    2\n  B\n    1\n    3")]) is not None
    (found,) = hunt.found[Call(DFS)]
    assert str(found) == "path root, 1 below B; score 1; evaluations 4"


LAWS = {
    "dfs-path-backwards": ("goes from child to child", "path a, root", 2),
    "dfs-takes-the-last-of-equals": ("of equally good branches the earlier one wins", "path root, b", 2),
    "dfs-counts-inner-nodes": ("2 states are there to be scored", "evaluations 3", 2),
    "endgame-search-default-flag": ("-1 is worth 1, with the flag False", "maximize=False", 1),
    "minimax-one-ply-short": ("A path ends in the state that was scored", "depth_limit=1", 2),
    "alphabeta-takes-the-last-of-equals": ("of equally good branches", "alphabeta", 2),
    "progressive-stops-one-short": ("goes from child to child", "an empty history", 2),
    "progressive-adds-up-evaluations": ("Entry d of its history", "progressive_deepening(state", 3),
    "minimax-result-on-the-state": ("not on what was called before", "path root, 0; score 0", 2),
    "dfs-never-resets-its-counter": ("not on what was called before", "evaluations 2", 1),
}


@pytest.mark.parametrize("wrong_lab", LAWS)
def test_the_law_is_named_and_the_results_are_shown(
    wrong_lab: str, hunt_in: LabOf, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    law, shown, leaves = LAWS[wrong_lab]
    hunt = hunt_in(build(SHOWN[wrong_lab], model))
    broken = hunt.run(LONG)
    hunt.tell(broken)
    assert law in str(broken)
    assert shown in capsys.readouterr().out
    assert sum(not node.children for node in nodes_of(hunt.root)) == leaves


def test_searches_that_find_other_paths_contradict_each_other(hunt_in: LabOf, model: str) -> None:
    body = """
        path = [state]
        while not path[-1].is_game_over():
            path.append(path[-1].generate_next_states()[0])
        return path, path[-1].get_endgame_score(maximize == (len(path) % 2 == 1)), minimax_search(state)[2]
    """
    hunt = hunt_in(with_body("minimax_endgame_search", body, model))
    broken = hunt.run(LONG)
    assert "all of these find the same path and score" in str(broken)
    which = [call.function for call in broken.calls] if broken else []
    assert which == [*SEARCHES[2:4], SEARCHES[1]]  # the one that differs comes last, and is to be pasted
    assert hunt.root.drawing == "root\n  -1\n  0"


# --- what is printed ------------------------------------------------------------------------------


def test_what_is_printed_can_be_pasted(model: str, tmp_path: Path) -> None:
    status, out, err = shrink(
        build(SHOWN["endgame-search-negates"], model).replace("def dfs", "print('x')\ndef dfs"), tmp_path
    )
    assert (status, err) == (1, "")
    paste = re.findall(r":\n\n((?:    .*\n|\n)+)", out)[-1]
    done = subprocess.run(
        [sys.executable, "-c", f"from lab import *\n{textwrap.dedent(paste)}"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(KIT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "x\n([<AbstractGameState of <TreeNode -1>>], 1, 1)\n"
    assert "path -1; score 1; evaluations 1" in out


def test_the_screen_of_the_handout_is_real(model: str, tmp_path: Path) -> None:
    (screen,) = (screen for screen in blocks("text", WHOLE) if screen.startswith("$ make shrink\n"))
    status, out, _ = shrink(build(SHOWN["alphabeta-cuts-only-when-greater"], model), tmp_path)
    assert status == 1 and out.startswith(screen.removeprefix("$ make shrink\n"))


def test_it_gives_up(model: str, tmp_path: Path) -> None:
    status, out, err = shrink(f"{model}\nprint('noise')\n", tmp_path, "1")
    assert (status, err) == (0, "")
    assert re.fullmatch(r"[\d,]+ trees without a contradiction\.\n", out)


def test_what_is_not_written_is_left_out(model: str, tmp_path: Path) -> None:
    text = with_body(
        "minimax_search_alphabeta", "raise NotImplementedError", build(SHOWN["minimax-only-maximizes"], model)
    )
    status, out, _ = shrink(text, tmp_path)
    assert status == 1 and out.endswith("Left out: minimax_search_alphabeta is not written yet.\n")
    status, out, _ = shrink(without_solutions(model, KIT / "lab.py"), tmp_path)
    assert status == 0 and out.count("Left out: ") == out.count("is not written yet.") == len(SEARCHES)
    assert out.startswith("There is nothing to compare yet.\n")  # and not trees that nobody searched


HASTY = "from grader.tools import shrink; shrink.PATIENCE = 1; sys.exit(shrink.main([], Path('lab.py')))"


def test_what_does_not_end_is_stopped(model: str, tmp_path: Path) -> None:
    body = "try:\n    while True: pass\nexcept BaseException: pass"
    text = with_body(DFS, f"while True:\n{textwrap.indent(body, '    ')}", model)
    (tmp_path / "lab.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(KIT)!r}); from pathlib import Path; {HASTY}"],
        cwd=tmp_path, capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    assert "\n    dfs_maximizing(state)\n        no answer within 1 seconds\n" in done.stdout


@pytest.mark.parametrize(
    "wrong", ["return None", "return [state], 'x', 1", "1 / 0", "return 3, 4", "return state, 0, 1"]
)
@pytest.mark.parametrize("function", [DFS, DEEPENING])
def test_any_answer_is_told(function: str, wrong: str, hunt_in: LabOf, model: str) -> None:
    hunt = hunt_in(with_body(function, wrong, model))
    broken = hunt.run(LONG)
    assert broken and [call.function for call in broken.calls] == [function]
    hunt.tell(broken)


@pytest.mark.parametrize("words", ["0", "-1", "x", "1 2", "1.5", "--help", "x" * 200, "100000", "9" * 5_000])
def test_bad_words_are_one_line(words: str, model: str, tmp_path: Path) -> None:
    status, out, err = shrink(model, tmp_path, words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "ARGS=60" in err


def test_a_lab_that_cannot_be_imported_says_so(tmp_path: Path) -> None:
    status, out, _ = shrink("import numpy\n", tmp_path)
    assert status == 1 and out.startswith("lab.py cannot be imported.")


def test_no_solution_stands_in_it() -> None:
    files = {
        name: (KIT / "grader" / "tools" / name).read_bytes() for name in ("laws.py", "shrink.py", "small_trees.py")
    }
    assert check_for_leaks(files, KIT / "lab.py") > 50
