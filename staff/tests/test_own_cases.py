"""my_cases.yaml: a student's own cases are judged as the kit's are, cost nothing, and crash nothing."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from boards.cases import CASES, Bank
from grader.commands import own as place
from grader.commands import testing
from grader.commands.own import try_own_cases
from grader.commands.workflow import grade_checkout
from grader.grading.own import MOST_CASES, OwnCases, read_own_cases
from grader.grading.own_file import LARGEST, MOST_BYTES
from grader.kit import MY_CASES
from staff import testing as staff_testing
from staff.tests.conftest import KIT
from staff.tests.support.handouts import SUBSETS, blocks, rendered

CASE = """\
- function: minimax_search
  id: two-leaves
  says: The better leaf is the second.
  state:
    tree: |
      root
        3
        5
  expect: {path: [1], score: 5, evaluations: 2}
"""
PLAYER = """\
- function: MinimaxPlayer
  id: five
  says: Five pieces.
  game: nim
  position: 5
  depth: 1
  expect: {move: 1, estimate: {sure: MINNIE}}
"""
BOARD = """\
- function: is_game_over_connectfour
  id: nearly
  says: Nearly over.
  board: NEARLY_OVER
  expect: {value: false}
"""
DEPTH = """\
- function: minimax_search
  id: one-ply
  says: One ply.
  arguments: {depth_limit: 1}
  state: {tree: TWO_BY_TWO}
  expect: {path: [0], score: 0, evaluations: 2}
"""
HISTORY = (
    DEPTH.replace("minimax_search", "progressive_deepening").replace("{path", "{history: [{path").replace("2}", "2}]}")
)
Read = Callable[[str], OwnCases]
Try = Callable[[str], tuple[str, bool] | None]


@pytest.fixture
def read(tmp_path: Path, bank: Bank) -> Read:
    """Reads a file of own cases with this text."""

    def read(text: str) -> OwnCases:
        file = tmp_path / MY_CASES
        file.write_bytes(text.encode(errors="surrogateescape"))
        return read_own_cases(file, bank)

    return read


@pytest.fixture
def try_out(tmp_path: Path, bank: Bank, model: str, monkeypatch: pytest.MonkeyPatch) -> Try:
    """What is said of a file of own cases with this text, beside the model, to somebody who has `make`."""
    monkeypatch.setenv("MAKELEVEL", "1")

    def try_out(text: str) -> tuple[str, bool] | None:
        (tmp_path / MY_CASES).write_text(text, encoding="utf-8")
        if not (tmp_path / "lab.py").exists():
            (tmp_path / "lab.py").write_text(model, encoding="utf-8")
        return try_own_cases(tmp_path / "lab.py", bank, lambda case: True, False)

    return try_out


def test_the_samples_of_the_handout_are_right(try_out: Try) -> None:
    functions = set()
    for parts in SUBSETS:
        samples = [block for block in blocks("yaml", rendered(parts)) if block.startswith("- function")]
        assert bool(samples) == (set(parts) != {3})
        functions |= {case["function"] for sample in samples for case in yaml.safe_load(sample)}
    assert functions == {"ZeroBy", "is_game_over_connectfour", "minimax_search_alphabeta", "MinimaxPlayer"}
    (sample,) = (block for block in blocks("yaml", rendered()) if block.startswith("- function"))
    assert try_out(sample) == ("Your own cases: 4 of 4 right (no points).", True)


def test_a_wrong_one_is_explained_as_the_kits_are(try_out: Try) -> None:
    told = try_out(CASE.replace("score: 5", "score: 6"))
    assert told and not told[1]
    assert told[0].startswith("Your own cases: 0 of 1 right (no points). Where one is not, lab.py is")
    assert "\n\nFAIL  my_cases/two-leaves\n    The better leaf is the second.\n    minimax_search(state)\n" in told[0]
    assert re.search(r"score +6 +5\n", told[0]) and "make test K=my_cases/two-leaves" in told[0]
    assert max(map(len, told[0].splitlines())) < 80


BOARD_BEGINS = "- {id: x, says: x, board: NEARLY_OVER, function: "
WRONGLY_EXPECTED = {
    "over": BOARD_BEGINS + "is_game_over_connectfour, expect: {value: true}}",
    "moves": BOARD_BEGINS + "next_boards_connectfour, expect: {columns: []}}",
    "dfs": '- {function: dfs_maximizing, id: x, says: x, state: {tree: "root\\n  a = 3\\n  b = 3"},'
    " expect: {path: [1], score: 3, evaluations: 2}}",
    "count": CASE.replace("evaluations: 2", "evaluations: 3"),
    "player": PLAYER.replace("move: 1", "move: 2"),
    "solve": "- {function: solve, id: x, says: x, game: {graph: DIAMOND}, expect: {values: {top: WIN}}}",
    "few": "- {function: solve, id: x, says: x, game: {graph: DIAMOND}, expect: {values: {top: LOSE}}}",
    "items": "- {function: ZeroBy, id: x, says: x, n: 1, removals: [1],"
    " expect: {start: 1, leads_to: {'1': []}, ends: {'0': LOSE}}}",
    "position": "- {function: ZeroBy, id: x, says: x, n: 1, removals: [1],"
    " expect: {start: 1, leads_to: {'1': [0]}, ends: {}}}",
    "history": HISTORY.replace("score: 0", "score: 1"),
}


@pytest.mark.parametrize("text", WRONGLY_EXPECTED.values(), ids=WRONGLY_EXPECTED)
def test_no_reason_rests_on_what_is_expected(text: str, try_out: Try) -> None:
    told = try_out(text)
    assert told and "0 of 1 right" in told[0]
    said = re.search(r"    ([^\n]*)\n    This case alone", told[0])
    assert said and re.fullmatch(
        r"(At depth 1: w|W)hat (is wanted is|came back is not) what your case expects\.", said[1]
    )


@pytest.mark.parametrize(
    ("text", "returns", "said"),
    [
        (WRONGLY_EXPECTED["over"], "7", "It returned 7; it should return True or False."),
        (WRONGLY_EXPECTED["moves"], "[7]", "The list holds 7, which is not a board."),
        (WRONGLY_EXPECTED["few"], "7", "It returned 7; it should return a dict."),
        (WRONGLY_EXPECTED["few"], "{'top': 7}", "The value of `top` is no Value: WIN, TIE or LOSE."),
        (CASE, "7", "It returned an int; a search returns a tuple (path, score, evaluations)."),
        (CASE, "[], 5, 2", "The path is empty; it must begin with the given state, even where nothing follows."),
        (CASE, "[state], None, 2", "The score is None; it should be a plain number."),
        (
            CASE,
            "[state], __import__('fractions').Fraction(3), 2",
            "The score is a Fraction; it should be a plain number.",
        ),
        (CASE, "1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_what_no_case_could_expect_is_said(text: str, returns: str, said: str, try_out: Try, tmp_path: Path) -> None:
    function = yaml.safe_load(text)[0]["function"]
    (tmp_path / "lab.py").write_text(f"def {function}(state, *more, **others):\n    return {returns}\n")
    told = try_out(text)
    assert told and "0 of 1 right" in told[0] and said in " ".join(told[0].split()), told


def test_what_one_expects_of_a_function_stands_in_for_nothing(try_out: Try) -> None:
    wrong = "path: [0, 0], score: 3, evaluations: 4}"  # of three
    arguments = "  arguments: {heuristic: tree_estimate, depth_limit: 2, maximize: true}\n  state: {tree: TWO_BY_TWO}\n"
    told = try_out(
        f"- function: minimax_search_alphabeta\n  id: one\n  says: One.\n{arguments}  expect: {{{wrong}\n"
        f"- function: progressive_deepening\n  id: all\n  says: All.\n{arguments}"
        f"  expect: {{history: [{{path: [1], score: 8, evaluations: 2}}, {{{wrong}]}}\n"
    )
    assert told and told[0].startswith("Your own cases: 0 of 2 right") and "waits" not in told[0].lower()


def test_the_kits_own_cases_can_be_ones_own(read: Read, bank: Bank) -> None:
    """What stands in boards/cases/ is taken as it is, but for questions and for searches of Connect Four."""
    for file in sorted(CASES.glob("*.yaml")):
        data = yaml.safe_load(file.read_text("utf-8"))
        cases = [{"function": data.get("function"), **case} for case in data["cases"]]
        if len(file.read_bytes()) < MOST_BYTES // 2:
            said = read(yaml.safe_dump(cases[:MOST_CASES])).mistakes
            assert [line for line in said if "are of trees" not in line] == [], file.name


MISTAKES = {
    "no-yaml": ("- function: [", 1, "not YAML: "),
    "no-text": ("- a\n- \udcff", 2, "a character here is not in UTF-8; save the file as UTF-8"),
    "no-text-with-a-mark": ("\ufeff- a\n- \udcff", 2, "a character here is not in UTF-8; save the file as UTF-8"),
    "no-list": ("function: solve\n", 1, "the file is a list of cases"),
    "no-mapping": ("- solve\n", 1, "a case is a mapping"),
    "no-function": (CASE.replace("function: minimax_search", "says2: x"), 1, "`function` is missing, or is no text"),
    "another-function": (CASE.replace("minimax_search", "minimax_serch"), 1, "do you mean minimax_search, "),
    "no-id": (CASE.replace("two-leaves", "12"), 2, "`id` is missing, or is no text"),
    "unknown-key": (CASE.replace("  expect", "  argumnets: {}\n  expect"), 9, "do you mean arguments?"),
    "unknown-argument": (
        CASE.replace("  expect", "  arguments: {maximise: true}\n  expect"), 9, "do you mean maximize?",
    ),
    "heuristic": (
        CASE.replace("  expect", "  arguments: {heuristic: open_lines}\n  expect"), 9,
        "`heuristic` is 'open_lines'; here it is always_zero or tree_estimate",
    ),
    "heuristic-of-trees": (
        re.sub(r"state:.*?  expect", "state: {nim: 5}\n  arguments: {heuristic: tree_estimate}\n  expect", CASE,
               flags=re.S), 5, "`heuristic` is 'tree_estimate'; here it is always_zero or game_estimate",
    ),
    "no-state": (CASE.replace("state:", "weight:"), 1, "`state` is missing"),
    "no-tree": (CASE.replace("        3\n        5", "        3\n        a 5"), 5, "line 3: 'a 5' is not a node"),
    "unknown-tree": (re.sub(r"tree: \|\n.*?  expect", "tree: FOUR\n  expect", CASE, flags=re.S), 1, "called 'FOUR'"),
    "no-expect": (CASE.partition("  expect")[0], 1, "`expect` holds {evaluations, path, score}"),
    "half-an-expect": (CASE.replace("path: [1], ", ""), 9, "`expect` holds {evaluations, path, score}"),
    "another-expect": (CASE.replace("{path: [1], score: 5, evaluations: 2}", "5"), 1, "nothing can be made of this"),
    "evaluation": (CASE.replace("evaluations", "evaluation"), 9, "do you mean evaluations?"),
    "another-path": (CASE.replace("[1]", "1"), 9, "`path` is 1, and not a list"),
    "another-score": (CASE.replace("score: 5", "score: five"), 9, "`score` is 'five', and not a number"),
    "twice": (CASE + CASE, 11, "my_cases/two-leaves stands above already"),
    "key-twice": (CASE.replace("  id", "  says: x\n  id"), 4, "`says` stands twice here"),
    "alias": ("- &a [*a]\n", 1, "without & and *"),
    "laughs": ("- &a [x, x]\n- &b [*a, *a]\n- [*b, *b]\n", 1, "without & and *"),
    "deep": ("[" * 5_000, 1, "not YAML: "),
    "date": (CASE.replace("The better leaf is the second.", "2026-01-01"), 3, "put quotes around it"),
    "python": (CASE.replace("The better leaf is the second.", "!!python/name:os.system x"), 3, "not YAML: "),
    "huge": (CASE.replace("  expect", f"  depth: {LARGEST + 1}\n  expect"), 9, "has no place here"),
    "digits": (CASE.replace("score: 5", f"score: {'9' * 5_000}"), 1, "not YAML: "),
    "nan": (CASE.replace("  expect", "  depth: .nan\n  expect"), 9, "has no place here"),
    "long": ("#" * (MOST_BYTES + 1), 1, "this is longer than"),
    "many": ("".join(CASE.replace("two-leaves", f"n{n}") for n in range(MOST_CASES + 1)), 541, "and none from here on"),
    "depth": (PLAYER.replace("depth: 1", "depth: 0"), 6, "`depth` is 0; here it is above 0"),
    "plies": (DEPTH.replace("limit: 1", "limit: -1"), 4, "`depth_limit` is -1; here it is 0 or more"),
    "no-plies": (
        DEPTH.replace("minimax_search", "progressive_deepening").replace("limit: 1", "limit: 0"), 4, "it is above 0",
    ),
    "steps": (HISTORY.replace("[0]", "0"), 6, "`path` is 0, and not a list"),
    "half-a-step": (HISTORY.replace("path: [0], ", ""), 6, "`path` is missing"),
    "no-step": (HISTORY.replace("[{path: [0], score: 0, evaluations: 2}]", "[7]"), 6, "and not a mapping"),
    "removals": ("- {function: ZeroBy, id: x, says: x, n: 3, removals: [a], expect: {}}", 1, "and not a number"),
    "no-game": ("- {function: solve, id: x, says: x, game: {}, expect: {values: {a: WIN}}}", 1, "`game` takes chain"),
    "half-a-game": (
        "- {function: solve, id: x, says: x, game: {positions: a}, expect: {values: {a: WIN}}}", 1,
        "`game` takes chain: … or graph: … or staircase: … or tic_tac_toe: …",
    ),
    "half-a-state": (
        re.sub(r"state:.*?  expect", "state: {negates: true}\n  expect", CASE, flags=re.S), 4, "`state` takes nim: …",
    ),
    "a-game-without-end": (
        re.sub(r"state:.*?  expect", "state: {nim: 101}\n  expect", CASE, flags=re.S), 4,
        "a number beyond 100 has no place in a state",
    ),
    "no-board": (BOARD.replace("board: NEARLY_OVER", "weight: 2"), 1, "`board` is missing"),
    "another-board": (BOARD.replace("NEARLY_OVER", "NEARLY"), 1, "called 'NEARLY'"),
    "no-calls": (BOARD.replace("board: NEARLY_OVER", "calls: []"), 4, "a case has a call or more"),
    "another-form": (PLAYER.replace("  expect", "  before: 1\n  expect"), 7, "`before` is 1, and not a list"),
    "connect-four": (
        re.sub(r"state:.*?  expect", "state: {board: NEARLY_OVER}\n  expect", CASE, flags=re.S), 4, "are of trees",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line(read: Read, text: str, line: int, said: str) -> None:
    (mistake,) = read(text).mistakes
    assert f"{MY_CASES}:{line}: " in mistake and said in mistake
    assert len(mistake) <= 300 and mistake.isprintable()


@pytest.mark.parametrize(("path", "said"), [("[7]", "root has 2 children"), ("[1, 0]", "5 has 0 children")])
def test_a_path_that_leads_nowhere_is_a_mistake_of_the_file(read: Read, path: str, said: str) -> None:
    (mistake,) = read(CASE.replace("[1]", path)).mistakes
    assert f"{MY_CASES}:9: `path` is {path}; {said}" in mistake


@pytest.mark.parametrize("weight", ["0", "-1", "no", "''"])
def test_no_weight_counts(weight: str, try_out: Try) -> None:
    told = try_out(CASE.replace("5,", "6,").replace("  says", f"  weight: {weight}\n  says"))
    assert told and "Your own cases: 0 of 1 right" in told[0]


def test_no_text_paints_the_terminal(try_out: Try) -> None:
    text = (
        CASE.replace("5,", "6,")
        .replace("two-leaves", '"\\e[31m"')
        .replace("The better", '"\\u202e\\a')
        .replace("second.", 'second."')
    )
    told = try_out(text)
    assert told and "my_cases/\\x1b[31m" in told[0] and "\\u202e" in told[0]
    assert told[0].replace("\n", "").isprintable()


COMMAND = """\
- function: make_run
  id: three
  says: Three items.
  command: zero_by 3 1 COMMAND
  through: make
  expect: {stdout: "3: WIN\\n2: LOSE\\n1: WIN\\n0: LOSE\\n"}
"""


@pytest.mark.skipif(shutil.which("make") is None, reason="it is make that has a shell")
@pytest.mark.parametrize("words", ["; touch FILE", "$(shell touch FILE)"])
def test_a_command_is_no_shells(words: str, try_out: Try, tmp_path: Path) -> None:
    """Staff run the cases of others, with tests-of."""
    told = try_out(COMMAND.replace("COMMAND", words.replace("FILE", str(tmp_path / "made"))))
    assert told and "0 of 1 right" in told[0]
    assert not (tmp_path / "made").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_what_is_no_file_of_cases_is_not_waited_for(tmp_path: Path, bank: Bank) -> None:
    os.mkfifo(tmp_path / MY_CASES)
    assert read_own_cases(tmp_path / MY_CASES, bank).mistakes[0].endswith(":1: this is no ordinary file")


def test_the_others_are_run_all_the_same(try_out: Try) -> None:
    told = try_out(f"- function: solve\n{CASE}")
    assert told and told[0].replace("\n", "").endswith(
        "my_cases.yaml:1: `id` is missing, or is no textYour own cases: 1 of 1 right (no points)."
    )
    assert not told[1]


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_where_there_is_none_nothing_is_said(try_out: Try, text: str) -> None:
    assert try_out(text) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  expect", "  arguments: {heuristic: nobody_knows}\n  expect"),
        ("minimax_search\n", "dfs_maximizing\n  watched: [1]\n"),
        ("score: 5", "score: .5"),
        ("[1]", "[{}]"),
    ],
)
def test_what_fits_no_function_is_the_cases_fault_or_a_plain_fail(try_out: Try, old: str, new: str) -> None:
    told = try_out(CASE.replace(old, new))
    assert told and not told[1]
    assert "grader" not in told[0].replace("python grader", "") and "Traceback" not in told[0]


def test_what_cannot_be_judged_is_the_cases_fault(try_out: Try, bank: Bank) -> None:
    expected = bank.of("ANSWER_1")[0].calls[0].expect | {"explanation": "x"}
    told = try_out(f"- {{function: ANSWER_1, id: mine, says: A question., expect: {expected}}}")
    assert told and "This case does not fit its function. Error: " in told[0]


def grade(words: list[str], capsys: pytest.CaptureFixture[str], lab: Path, with_own: bool = True) -> tuple[int, str]:
    """`make test` with these words: the exit status, and what is printed."""
    status = testing.main(words, lab, with_own=with_own)
    return status, capsys.readouterr().out


def test_make_test_runs_them_after_the_kits_and_never_into_the_points(
    tmp_path: Path, model: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab, mine = tmp_path / "lab.py", tmp_path / MY_CASES
    lab.write_text(model, encoding="utf-8")
    before = grade(["--k", "dfs"], capsys, lab)
    mine.write_text(CASE.replace("score: 5", "score: 6").replace("minimax_search", "dfs_maximizing"))
    status, out = grade(["--k", "dfs"], capsys, lab)
    assert (status, out.partition("\n\nYour own")[0]) == (0, before[1].rstrip("\n")) and before[0] == 0
    assert "Your own cases: 0 of 1 right" in out
    assert "Your own" not in grade(["--k", "endgame-search"], capsys, lab)[1]
    assert grade(["--k", "my_cases"], capsys, lab)[0] == 1
    assert grade(["--k", "dfs"], capsys, lab, with_own=False) == before
    assert "Your own" not in grade(["-k", "dfs"], capsys, lab)[1]  # a word for pytest
    assert "Your own" in grade(["--k", "dfs", "-x"], capsys, lab)[1]
    mine.write_text(CASE)
    assert grade(["--k", "my_cases"], capsys, lab) == (0, "Your own cases: 1 of 1 right (no points).\n")
    mine.write_text("")
    assert testing.main(["--k", "my_cases"], lab) == 2
    assert capsys.readouterr().err == f"no case fits; there is no case in {MY_CASES} beside lab.py\n"
    mine.unlink()
    assert testing.main(["--k", "my_cases"], lab) == 2
    assert capsys.readouterr().err == f"no case fits; there is no {MY_CASES} beside lab.py\n"


def test_every_case_stands_in_a_line_where_that_is_asked_for(
    tmp_path: Path, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    wrong = CASE.replace("score: 5", "score: 6")
    names = {"one": wrong, "two": CASE, "three": wrong}
    (tmp_path / MY_CASES).write_text("".join(text.replace("two-leaves", name) for name, text in names.items()))
    _, out = grade(["--k", "my_cases", "--v"], capsys, tmp_path / "lab.py")
    fails = "  fail        my_cases/one\n              What is wanted is what your case expects.\n"
    every = f"{fails}  pass        my_cases/two\n{fails.replace('one', 'three')}"
    assert f"\n\n{every}\nFAIL  my_cases/one\n" in out
    assert "Not right either" not in out
    _, out = grade(["--k", "my_cases"], capsys, tmp_path / "lab.py")
    assert every not in out and "Not right either: my_cases/three" in out


def test_nothing_is_read_where_a_grade_is_made(
    tmp_path: Path, model: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lab.py").write_text("x = 1 1\n", encoding="utf-8")
    (tmp_path / MY_CASES).write_text(CASE)
    monkeypatch.setattr(place, "read_own_cases", None)
    assert grade_checkout(tmp_path).score == 0
    monkeypatch.setenv("COURSE", "1")
    assert staff_testing.main(["--k", "dfs"], tmp_path / "lab.py") == 1
    assert "Your own" not in capsys.readouterr().out


def test_a_case_of_ones_own_can_be_debugged_and_pasted(tmp_path: Path, model: str) -> None:
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    (tmp_path / MY_CASES).write_text(CASE)
    here = {**os.environ, "LAB": str(tmp_path / "lab.py"), "PYTHONPATH": str(KIT), "PYTHONBREAKPOINT": "0"}

    def run(*words: str, folder: Path = KIT) -> str:
        done = subprocess.run([sys.executable, *words], cwd=folder, env=here, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    out = run("-m", "grader", "debug", "--case", "my_cases/two-leaves")
    *lines, call = out[out.index("tree = parse_tree(") : out.index("The call has come")].strip().splitlines()
    pasted = "\n".join(["from lab import *; from api import *; from boards import *", *lines, f"print({call})"])
    assert run("-c", pasted, folder=tmp_path).endswith("<TreeNode 5>>], 5, 2)\n")
