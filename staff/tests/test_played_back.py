"""make trace in the terminal: what a search did, step by step, beside the asked one; and what nobody can play back."""

import dataclasses
import io
import json
import re
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from boards.built import state_of
from boards.cases import Bank, Case
from grader.diagnosing.diagnosis import ALONE
from grader.kinds.kind import kind_of
from grader.kinds.playback import NOWHERE, SCORED, Node, Playback, Step, in_step
from grader.kinds.search.playback import Tree
from grader.refusal import Refusal
from grader.release import Release
from grader.tools.pages.serving import showing
from grader.tools.pages.writing import player
from grader.tools.screen import Screen
from grader.tools.student import CannotPlay
from grader.tools.trace.terminal import drawn
from grader.tools.trace.verb import main, played, searched
from staff.course import read_course
from staff.release.regions import without_solutions
from staff.release.tree import release_tree
from staff.tests.conftest import KIT
from staff.tests.support.masters import COURSE
from staff.tests.support.tracing import REMEMBERS
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

SEARCH = "minimax_search_alphabeta"


@pytest.fixture
def lab(tmp_path: Path, model: str) -> Path:
    """A lab.py whose alpha-beta does not cut off where alpha and beta are equal."""
    file = tmp_path / "lab.py"
    file.write_text(model.replace("if alpha >= beta:", "if alpha > beta:"), encoding="utf-8")
    return file


def case_of(bank: Bank, name: str) -> Case:
    return next(case for case in bank.cases if case.id == name)


def words(playback: Playback, side: str = "yours") -> list[str]:
    return [step.words for step in playback.sides[side]]


COUNTS_TWO = """

right = dfs_maximizing
def dfs_maximizing(state):
    path, score, evaluations = right(state)
    return path, score, evaluations + (state.get_snapshot().name == "over")
"""


def test_of_several_calls_the_first_that_is_not_right_is_played(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lab, name = tmp_path / "lab.py", "dfs/no-choice"
    lab.write_text(f"{model}{COUNTS_TWO}", encoding="utf-8")
    said = "Call 2 is the first that is not right yet; CALL=1 plays the first one of all."

    def shown(*words: str) -> str:
        main(["--case", name, *words], lab)
        return " ".join(capsys.readouterr().out.split())

    assert shown().startswith(f"{name}, call 2 of 3") and said in shown()
    assert shown("--call=1").startswith(f"{name}, call 1 of 3") and said not in shown("--call=2")
    monkeypatch.setattr("grader.tools.trace.verb.release_here", lambda: Release(feedback="verdict"))
    assert shown().startswith(f"{name}, call 1 of 3")


FORGER = """
import sys
frame = sys._getframe()
while "run_case" not in frame.f_globals:
    frame = frame.f_back
send = frame.f_globals["_send"]
frame.f_globals["_send"] = lambda pipe, told: send(pipe, told | ({"outcome": OUTCOME} if "outcome" in told else {}))
"""


@pytest.mark.parametrize(
    "outcome", ['{"value": 3}', '{**told["outcome"], "moves": "?"}', '{**told["outcome"], "trace": "?"}']
)
def test_what_lab_has_forged_is_not_played_back(outcome: str, bank: Bank, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model + FORGER.replace("OUTCOME", outcome), encoding="utf-8")
    with pytest.raises(CannotPlay, match="Nothing was seen of dfs_maximizing"):
        played(case_of(bank, "dfs/two-by-two"), 0, lab)


def test_a_place_of_any_length_is_looked_for(bank: Bank) -> None:
    """As lab.py may forge one."""
    tree = Tree(state_of(case_of(bank, "dfs/two-by-two").calls[0].inputs["state"]), None)
    assert tree.number((1, 0)) > tree.number((1,)) > tree.number(()) == 0
    assert tree.number((0,) * 5_000) == tree.number(None) == NOWHERE


# --- what there is to play -------------------------------------------------------------------------


def test_both_searches_go_in_step_until_one_does_more(bank: Bank, lab: Path) -> None:
    playback = played(case_of(bank, "alphabeta/equal-bounds"), 0, lab)
    assert [node.label for node in playback.nodes] == ["root", "A", "B", "C", *"35359276"]
    yours, asked = words(playback), words(playback, "asked")
    assert yours[:13] == asked[:13]
    assert yours[9] == "At B, MIN to move: called with alpha = 3, maximize = False."
    assert yours[13] == "At the 5 below B: called with alpha = 3, beta = 3, maximize = True."
    assert asked[13].endswith("it returns the score 3 by way of 3, evaluations 1. 2 branches were not searched: 5, 9.")
    assert playback.rows[:14] == [(n, n) for n in range(14)]
    assert playback.rows[14:20] == [(n, 13) for n in range(14, 20)]
    assert playback.rows[20] == (20, 14)
    assert playback.rows[-1] == (len(yours), len(asked))
    assert playback.mark and playback.mark[0] == 2 and playback.mark[1].startswith("At B, MIN to move, alpha = 3: ")
    assert playback.marked_row() == 14


def test_of_a_state_at_the_depth_limit_no_branch_is_left_out(bank: Bank, lab: Path) -> None:
    playback = played(case_of(bank, "minimax/two-by-two"), 0, lab)
    assert "At A, MIN to move: it returns the score 1, evaluations 1." in words(playback)
    assert not [said for side in playback.sides for said in words(playback, side) if "searched" in said]


def test_a_second_call_comes_after_the_first(bank: Bank, tmp_path: Path, model: str) -> None:
    lab = tmp_path / "lab.py"
    counted = f"{model}\nsound, calls = {SEARCH}, [0]\n\ndef {SEARCH}(state, *given, **named):\n    calls[0] += 1\n"
    lab.write_text(f"{counted}    return sound(state, *given, **named)[:2] + (calls[0],)\n", encoding="utf-8")
    case = case_of(bank, "alphabeta/equal-bounds")
    counts = [int(re.findall(r"evaluations (\d+)", words(played(case, at, lab))[-1])[0]) for at in (0, 1)]
    assert counts[0] < counts[1]


def test_of_a_call_that_is_right_alone_only_that_is_told(
    bank: Bank, tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab, case = tmp_path / "lab.py", case_of(bank, "alphabeta/equal-bounds")
    lab.write_text(f"{model}{REMEMBERS}", encoding="utf-8")
    assert played(case, 0, lab).mark is None
    assert played(case, 1, lab).mark == (0, ALONE)
    lab.write_text(model.replace("if alpha >= beta:", "if alpha > beta:"), encoding="utf-8")
    mark = played(case, 1, lab).mark
    assert mark is not None and "you went on" in mark[1]
    lab.write_text(model, encoding="utf-8")
    assert played(case, 1, lab).mark is None
    lab.write_text(f"{model}{REMEMBERS}", encoding="utf-8")
    monkeypatch.setattr("grader.tools.trace.verb.release_here", lambda: Release(feedback="verdict"))
    assert played(case, 1, lab).mark != (0, ALONE)


@pytest.mark.parametrize("name", ["minimax/tic-tac-toe", "alphabeta/connect-four-ending", "minimax/nim"])
def test_games_have_pictures_and_moves(name: str, bank: Bank, lab: Path) -> None:
    layouts: dict[str, Case] = {}
    for case in bank.cases:
        if kind_of(case.graded).plays_back(case.calls[0]) and "state" in case.calls[0].inputs:
            state = case.calls[0].inputs["state"]
            layouts.setdefault(next(key for key in ("board", "tic_tac_toe", "nim", "tree") if key in state), case)
    wanted = {"minimax/tic-tac-toe": "tic_tac_toe", "alphabeta/connect-four-ending": "board", "minimax/nim": "nim"}
    playback = played(layouts[wanted[name]], 0, lab)
    if wanted[name] == "nim":
        assert playback.layout == "" and playback.nodes[1].label == "1"
        return
    size = {"columns": 42, "squares": 9}[playback.layout]
    assert {len(node.cells) for node in playback.nodes} == {size}
    for node in playback.nodes[1:]:
        before = playback.nodes[node.parent].cells
        assert sum(old != new for old, new in zip(before, node.cells, strict=True)) == 1
    assert any(line.strip().count(" ") in (2, 6) for line in drawn(playback, 1)[-3:])


def test_a_board_is_searched_by_the_rules_of_the_lab(lab: Path) -> None:
    playback = played(searched("BOARD_UHOH", "2", SEARCH), 0, lab)
    assert list(playback.sides) == ["yours"]
    assert [node.label for node in playback.nodes[1:8]] == [f"column {n}" for n in range(7)]
    assert any("the heuristic says" in step for step in words(playback))
    assert "At the state after column 0, column 1, MAX to move: called with" in "\n".join(words(playback))
    assert all(node.cells for node in playback.nodes)


def test_a_tree_is_searched_to_a_depth(lab: Path) -> None:
    playback = played(searched("THREE_BY_THREE_BY_THREE", "1", "minimax_search"), 0, lab)
    assert len(playback.nodes) == 1 + 3 + 9 + 27  # a drawn tree is there as a whole
    assert sum("the heuristic says" in step for step in words(playback)) == 3


def test_too_long_a_search_says_that_it_goes_on(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.tools.trace.verb.MOST_EVENTS", 20)
    playback = played(searched("BOARD_UHOH", "2", SEARCH), 0, lab)
    assert words(playback)[-1].endswith("So it goes on, for more than 20 events.")


def test_a_search_that_goes_by_no_name_is_played_too(bank: Bank, lab: Path, model: str) -> None:
    stack = """
    best, waiting = None, [[state]]
    while waiting:
        path = waiting.pop()
        if path[-1].is_game_over():
            score = path[-1].get_endgame_score()
            best = max(best or (score, []), (score, path), key=lambda found: found[0])
        else:
            waiting += [[*path, child] for child in path[-1].generate_next_states()[::-1]]
    return best[1], best[0], 4
"""
    lab.write_text(with_body("dfs_maximizing", textwrap.dedent(stack).strip(), model), encoding="utf-8")
    case = next(case for case in bank.of("dfs_maximizing") if "tree" in case.calls[0].inputs["state"])
    steps = played(case, 0, lab).sides["yours"]
    assert [step.what for step in steps].count(SCORED) > 1
    assert any(step.words.endswith("its branches are asked for.") for step in steps)


def test_a_history_is_returned_and_no_score(bank: Bank, tmp_path: Path, model: str) -> None:
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    steps = words(played(case_of(bank, "progressive/two-by-two"), 0, tmp_path / "lab.py"))
    assert steps[-2:] == [
        "At root, MAX to move: it returns the score 3 by way of A, evaluations 3.",
        "At root, MAX to move: it returns.",
    ]


def test_a_path_that_is_no_way_down_is_told(lab: Path, model: str) -> None:
    body = "(child, *_) = state.generate_next_states()\nreturn [state, child, child], child.get_endgame_score(), 1"
    lab.write_text(with_body("dfs_maximizing", body, model), encoding="utf-8")
    told = words(played(searched("BELOW_THE_FIRST_PLY", "1", "dfs_maximizing"), 0, lab))[-1]
    assert "with a path that does not lead down step by step, evaluations 1" in told


SOME = """
if state.is_game_over():
    return [state], state.get_endgame_score(), 1
found = [dfs_maximizing(child) for child in state.generate_next_states()KEPT]
path, score, _ = max(found, key=lambda one: one[1]) if found else ([], 0, 0)
return [state, *path], score, len(found)
"""


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ("[1:]", "evaluations 3. 1 branch was not searched: A."),
        ("[:1]", "evaluations 1. 3 branches were not searched: B, C, D."),
        ("[4:]", "evaluations 0. 4 branches were not searched: A, B, C, …."),
        ("", "evaluations 4."),
    ],
)
def test_branches_that_were_not_searched_are_told(kept: str, told: str, lab: Path, model: str) -> None:
    lab.write_text(with_body("dfs_maximizing", SOME.replace("KEPT", kept), model), encoding="utf-8")
    assert words(played(searched("FOUR_BY_FOUR", "2", "dfs_maximizing"), 0, lab))[-1].endswith(f", {told}")


QUIET = """
def quiet(snapshot, flag):
    return 0
children = state.generate_next_states()
if depth_limit == 1:
    return [state, children[0]], max(quiet(child.snapshot, True) for child in children), len(children)
found = [minimax_search(child, quiet, depth_limit - 1, not maximize) for child in children]
return [state, *found[0][0]], found[0][1], 9
"""


@pytest.mark.parametrize(
    ("function", "body"),
    [
        ("minimax_search", QUIET),  # a heuristic of its own is asked by nobody whom one sees
        ("dfs_maximizing", "state.is_game_over() or dfs_maximizing(state.generate_next_states()[0])"),  # None
        ("dfs_maximizing", "return [state, state.generate_next_states()[0]], 0, 1"),  # its path goes by what one missed
    ],
)
def test_no_branch_is_said_to_be_left_out_where_that_cannot_be_known(
    function: str, body: str, lab: Path, model: str
) -> None:
    lab.write_text(with_body(function, body, model), encoding="utf-8")
    steps = words(played(searched("THREE_BY_THREE_BY_THREE", "2", function), 0, lab))
    assert steps[-1].startswith("At root") and "it returns" in steps[-1]
    assert not [step for step in steps if "not searched" in step]


POOLED = """
from concurrent.futures import ThreadPoolExecutor
pool, sound = ThreadPoolExecutor(8), dfs_maximizing
pool.submit(print).result()


def dfs_maximizing(state):
    return pool.submit(sound, state).result()
"""


def test_the_threads_of_an_import_are_there(bank: Bank, lab: Path, model: str) -> None:
    """As they are in a grade: whoever waits for one is not stopped."""
    lab.write_text(model + POOLED, encoding="utf-8")
    assert "evaluations 4." in words(played(case_of(bank, "dfs/two-by-two"), 0, lab, seconds=10))[-1]


# --- what can go wrong -----------------------------------------------------------------------------


def run(lab: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", "trace", *options]
    return subprocess.run(
        command, cwd=KIT, env={"LAB": str(lab)}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("--case alphabeta/equal-bound", "do you mean alphabeta/equal-bounds?"),
        ("--case alphabeta/equal-bounds --call 3", "CALL=3 is none of them"),
        ("--case zeroby/zero", "there is no public case 'zeroby/zero'"),
        ("--board BORD_UHOH", "do you mean BOARD_UHOH"),
        ("--board TWO_BY_TWO --search minimax_search_alphabta", f"do you mean {SEARCH}"),
        ("--board TWO_BY_TWO --depth -1", "DEPTH is '-1'"),
        (f"--board TWO_BY_TWO --depth {'9' * 5_000}", "DEPTH is '9999"),
        ("--board TWO_BY_TWO --search nope", "there is no search 'nope'; choose from dfs_maximizing, minimax_"),
        ("--board TWO_BY_TWO --search MinimaxPlayer", "there is no search 'MinimaxPlayer'; "),
        ("--board TWO_BY_TWO --case x", "; and not both"),
        ("--case alphabeta/equal-bounds --depth 2", "; and not both"),
        ("--case alphabeta/equal-bounds --search minimax_search", "; and not both"),
        ("--board TWO_BY_TWO --call 2", "; and not both"),
        ("--case alphabeta/equal-bounds more", "make trace takes a CASE="),
        ("--bord TWO_BY_TWO", "make trace takes a CASE="),
        ("", "make trace takes a CASE="),
    ],
)  # fmt: skip
def test_bad_words_are_one_line(options: str, complaint: str, lab: Path) -> None:
    with pytest.raises(Refusal, match=re.escape(complaint)) as refusal:
        main(options.split(), lab)
    assert "\n" not in str(refusal.value) and ", MinimaxPlayer" not in str(refusal.value)


def test_a_course_without_searches(lab: Path, monkeypatch: pytest.MonkeyPatch, bank: Bank) -> None:
    without = Bank(tuple(part for part in bank.parts if part.number == 0), tuple(bank.of("solve")))
    monkeypatch.setattr("grader.tools.trace.verb.load_bank", lambda: without)
    with pytest.raises(Refusal, match="there is no search 'minimax_search_alphabeta'; this course leaves the searches"):
        main(["--board", "TWO_BY_TWO"], lab)


def test_a_course_without_the_rules_of_a_board(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.tools.trace.verb.is_in_the_course", lambda: False)
    with pytest.raises(Refusal, match="boards are searched by the rules of part 1, which this course leaves out"):
        main(["--board", "BOARD_UHOH"], lab)


@pytest.mark.parametrize("missing", [SEARCH, "is_game_over_connectfour", "heuristic_connectfour"])
def test_a_function_that_is_missing_for_a_board(missing: str, model: str, lab: Path) -> None:
    """And no other one is said to be."""
    lab.write_text(f"{model}\ndel {missing}\n", encoding="utf-8")
    done = run(lab, "--board", "BOARD_UHOH", "--depth", "1")
    assert (done.returncode, done.stderr) == (1, "")
    said = " ".join(done.stdout.split())
    assert said.startswith(f"A board is searched by {SEARCH}, is_game_over_connectfour, next_boards_connectfour, ")
    assert said.endswith(" and one of them is missing in lab.py.")


def test_a_terminal_says_that_it_searches(
    lab: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["--board", "TWO_BY_TWO"], lab)
    assert capsys.readouterr().out.startswith(f"{SEARCH} searches ...\r")
    with pytest.raises(Refusal):
        main(["--case", "solve/remoteness"], lab)
    assert capsys.readouterr().out.endswith(" \r")


def test_a_kind_without_a_search_says_so(bank: Bank, lab: Path) -> None:
    unwatched = [
        (case.id, str(at))
        for case in bank.cases
        for at, call in enumerate(case.calls, start=1)
        if call.inputs.get("watched") is False
    ]
    for name, call in [(bank.of("solve")[0].id, "1"), unwatched[0], ("questions/question-1", "1")]:
        instead = "" if name.startswith("questions") else "; make debug steps into it"
        with pytest.raises(Refusal, match=f"no search that can be watched{instead}$"):
            main(["--case", name, "--call", call], lab)


def test_every_step_is_printed_where_nobody_sits(lab: Path) -> None:
    done = run(lab, "--case", "alphabeta/equal-bounds")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 79
    assert [line for line in lines if line.startswith("  26  ")]
    assert [line.split() for line in lines if " MIN B" in line][-1] == ["!", "MIN", "B", "3", "3"]
    assert "As a page: build/trace/alphabeta-equal-bounds-call-1-2.html" in lines
    assert (KIT / "build" / "trace" / "alphabeta-equal-bounds-call-1-2.html").is_file()
    in_words = run(lab, "--case=alphabeta/equal-bounds", "--plain=1")
    assert in_words.stdout.endswith("evaluations 4.\n")


def test_what_does_not_run_says_why(lab: Path, model: str) -> None:
    lab.write_text(without_solutions(model, lab), encoding="utf-8")
    done = run(lab, "--board", "BOARD_UHOH")
    assert (done.returncode, done.stderr) == (1, "")
    assert "not written yet" in done.stdout or "Not started" in done.stdout or "NotImplementedError" in done.stdout
    lab.write_text("import nothing_like_it\n", encoding="utf-8")
    assert "nothing_like_it" in run(lab, "--board", "BOARD_UHOH").stdout


def test_a_search_that_crashes_or_never_ends_is_played_back_until_then(bank: Bank, model: str, tmp_path: Path) -> None:
    lab, case = tmp_path / "lab.py", case_of(bank, "dfs/two-by-two")
    crash = (
        "if state.is_game_over():\n    raise KeyError('<b>')\nreturn dfs_maximizing(state.generate_next_states()[0])"
    )
    lab.write_text(with_body("dfs_maximizing", crash, model), encoding="utf-8")
    playback = played(case, 0, lab)
    assert playback.mark and "KeyError: '<b>' (lab.py:" in playback.mark[1]
    words = [step.words for step in playback.sides["yours"]]
    assert words == [
        "At root: called.", "At A: called.", "At the 3 below A: called.",
        "At the 3 below A: it raises KeyError.", "At A: it raises KeyError.", "At root: it raises KeyError.",
    ]  # fmt: skip
    lab.write_text(
        with_body("dfs_maximizing", "while True:\n    state.generate_next_states()", model), encoding="utf-8"
    )
    endless = played(case, 0, lab, most=50)
    assert endless.mark is None
    assert endless.sides["yours"][-1].words == "So it goes on, for more than 50 events."


# --- the page --------------------------------------------------------------------------------------


def test_nothing_in_a_page_is_a_students_markup() -> None:
    hostile = Step(SCORED, 0, "</script><script>alert(1)</script><!-- <b>", "</title>")
    playback = Playback([Node(NOWHERE, "<img src=x>")], {"yours": [hostile]}, mark=(0, "<i>here</i>"))
    text = player("</h2><h1>", ["<pre>"], playback)
    data = re.search(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    assert data and json.loads(data[1])["sides"][0][1][0][2] == hostile.words
    assert set(re.findall(r"<[^>]*>", text.replace(data[0], ""))) == {
        '<section class="trace" tabindex="0" aria-label="&lt;/h2&gt;&lt;h1&gt;">',
        "<h2>", "</h2>", "<pre>", "</pre>", '<p class="found">', '<p class="quiet">', "</p>", "</section>",
    }  # fmt: skip


def test_no_line_is_wider_than_a_screen() -> None:
    nodes = [Node(NOWHERE, "r" * 90, "MAX"), Node(0, "leaf")]
    wide = [Step(SCORED, 0, "words", "9" * 40), Step(SCORED, 1, "words", "9" * 40)]
    lines = drawn(Playback(nodes, {"yours": wide, "asked": wide}), 2)
    assert max(map(len, lines)) <= 79 and "   leaf" in lines[-1]


def test_in_step() -> None:
    def steps(*nodes: int) -> list[Step]:
        return [Step(SCORED, node, "") for node in nodes]

    assert list(in_step(steps(1, 2, 3), steps(1, 3, 4))) == [(0, 0), (1, 1), (2, 1), (3, 2), (3, 3)]
    assert list(in_step(steps(), steps(1))) == [(0, 0), (0, 1)]
    assert list(in_step(steps(2, 1), steps(1, 2)))[-1] == (2, 2)


# --- somebody at a terminal --------------------------------------------------------------------------


class Typed(io.StringIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


def test_step_by_step_at_a_terminal(
    lab: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.tools.pages.serving.has_desktop", lambda: False)
    monkeypatch.setattr("sys.stdin", Typed("\n\nb\nm\n26\n99\n-\nq\n"))
    assert main(["--case", "alphabeta/equal-bounds"], lab) == 0
    printed = capsys.readouterr().out
    assert re.findall(r"^Step (\d+) of 26\.", printed, re.MULTILINE) == ["0", "1", "2", "1", "14", "26", "26", "26"]
    assert "and until you quit here: http://127.0.0.1:" in printed
    assert "> MAX root" in printed and "!    MIN B" in printed


def test_the_page_is_served_where_there_is_no_desktop(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = KIT / "build" / "trace" / "served.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("a page", encoding="utf-8")
    monkeypatch.setattr("grader.tools.pages.serving.has_desktop", lambda: False)
    monkeypatch.setattr("sys.stdin", Typed())
    with showing(file, Screen.of_terminal()):
        [url] = re.findall(r"http://\S+", capsys.readouterr().out)
        assert urllib.request.urlopen(url, timeout=LONG).read() == b"a page"
        for other in (urllib.request.Request(f"{url}other"), urllib.request.Request(url, headers={"Host": "evil"})):
            with pytest.raises(urllib.error.HTTPError, match=r"40[34]"):
                urllib.request.urlopen(other, timeout=LONG)


def test_a_desktop_gets_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("grader.tools.pages.serving.has_desktop", lambda: True)
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.stdin", Typed())
    with showing(KIT / "build" / "trace" / "it.html", Screen.of_terminal()):
        assert opened[0].startswith("file:///") and opened[0].endswith("/build/trace/it.html")


@pytest.mark.parametrize("level", ["place", "verdict"])
def test_a_release_that_tells_less_has_ones_own_search_alone(
    level: str, bank: Bank, lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ships no walk, and so nothing is marked either."""
    course = dataclasses.replace(read_course(COURSE), feedback=level)
    walks = [name for name in release_tree(course) if name.startswith("boards/reference_traces/")]
    assert walks == []
    monkeypatch.setattr("grader.kinds.search.nodes.REFERENCE_TRACES", tmp_path / "walks")
    playback = played(case_of(bank, "alphabeta/equal-bounds"), 0, lab)
    assert list(playback.sides) == ["yours"] and playback.mark is None
    assert playback.rows[-1] == (26,)


def test_a_release_that_says_pass_or_fail_tells_no_more(
    lab: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for level, told in (("place", True), ("verdict", False)):
        monkeypatch.setattr("grader.tools.named.release_here", lambda level=level: Release(feedback=level))
        assert main(["--case", "alphabeta/equal-bounds"], lab) == 0
        assert ("Alpha and beta become equal" in capsys.readouterr().out) is told
