"""Bad data files: each mistake is one line with file, line and what to do."""

import base64
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import boards
from boards import reading
from boards.cases import Bank
from boards.reading import BadFile
from staff.strict.bank import case_files, check_shares
from staff.strict.cases import check_files
from staff.strict.named import read_boards, read_games, read_trees
from staff.strict.points import check_points
from staff.strict.reading import read_yaml

HEURISTIC = (
    "part: 1\nfunction: heuristic_connectfour\ncases:\n"
    "  - {{id: a, says: A., {}, calls: [{{name: one, board: NEARLY_OVER, maximizer: true, "
    "expect: {{between: [-1000, 1000]}}}}]}}\n"
)
SOLVE = "part: 0\nfunction: solve\ncases:\n  - {{id: a, says: A., game: {}, expect: {{values: {}}}}}\n"
PLAYER = (
    "part: 4\nfunction: MinimaxPlayer\ncases:\n"
    "  - {{id: a, says: A., {}, expect: {{move: 1, estimate: {}, estimates: 3}}}}\n"
)
ASKED = PLAYER.replace("{},", "game: nim, position: 3, depth: 1, {},", 1).replace(
    "estimate: {}", "estimate: {{guess: 0}}"
)
ZERO_BY = (
    "part: 0\nfunction: ZeroBy\ncases:\n"
    "  - {{id: a, says: A., n: 3, removals: [1], another: {}, expect: {{start: 3, leads_to: {{}}, ends: {{}}}}}}\n"
)
POINTS = "total: 5\nparts:\n  - {{part: 0, title: T, points: 5, functions: {{{}}}}}\n"
SEALED = f"{reading.SEALED}: {base64.b64encode(zlib.compress(b'cases: []')).decode()}"
HEAD = "part: 2\nfunction: minimax_search\ncases:\n"


def cases_with(tmp_path: Path, text: str) -> str:
    """The error that these cases, in a file of their own, lead to."""
    file = tmp_path / "9z-mistakes.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        check_files([read_yaml(file)])
    message = str(caught.value)
    assert "\n" not in message
    return message


GOOD = "  - {id: a, says: A., state: {tree: FOUR_BY_FOUR}, expect: {path: [1, 0], score: 4, evaluations: 16}}\n"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + GOOD.replace("expect:", "expct:"), 4, "unknown key `expct`; did you mean `expect`?"),
        (HEAD + GOOD.replace("says: A.", "says: A., says: B."), 4, "`says` stands twice"),
        (HEAD + GOOD.replace("FOUR_BY_FOUR", "FIVE"), 4, "no tree is named `FIVE`; draw it in boards/trees.yaml"),
        (HEAD + GOOD.replace("tree: FOUR_BY_FOUR", "board: FIVE"), 4, "no board is named `FIVE`"),
        (HEAD + GOOD.replace("tree: FOUR_BY_FOUR", r'board: "2222...\n1111..."'), 4, "who is to move, has four"),
        (HEAD + GOOD.replace("tree: FOUR_BY_FOUR", "tic_tac_toe: XXXOOO..."), 4, "'XXXOOO...', as X, who is to move"),
        (HEAD + GOOD.replace("says: A.", "says: ' '"), 4, "`says` is ' '; it tells the student in a sentence"),
        (HEAD + GOOD.replace("}}\n", "}},\n"), 4, "but found ','; take the comma away"),
        (HEAD + GOOD + GOOD, 5, "/9z-mistakes.yaml:4 already; rename it"),
        (HEAD + GOOD + GOOD.replace("id: a", "id: b"), 5, "mistakes/b asks the same as mistakes/a ("),
        (HEAD.replace("function: minimax_search\n", "") + GOOD, 3, "`function` is missing, here or above the cases"),
        (HEAD + GOOD.replace("FOUR_BY_FOUR", "swinging"), 4, "no tree is named `swinging`; did you mean `SWINGING`?"),
        (HEAD + GOOD.replace("score: 4, ", ""), 4, "minimax_search is judged by {evaluations, path, score}"),
        (HEAD + GOOD.replace("score: 4", "score: true"), 4, "`score` is True; a number is wanted"),
        (HEAD + GOOD.replace("[1, 0]", "[1, 7]"), 4, "there is no such path"),
        (HEAD + GOOD.replace("evaluations: 16", "evaluations: 16.5"), 4, "a whole number is wanted"),
        (HEAD + GOOD.split(", expect")[0] + "}\n", 4, "`make expectations` fills it in"),
        (HEAD + GOOD.replace("says: A.", "says: NO"), 4, "put quotes around it"),
        (HEAD + GOOD.replace("id: a", "id: 12:30"), 4, "put quotes around it"),
        (HEAD + GOOD.replace("id: a", "id: a, weight: 0"), 4, "`weight` is a whole number of 1 or more"),
        (HEAD + GOOD.replace("state:", "arguments: {heuristic: best}, state:"), 4, "no heuristic `best`"),
        (
            HEAD.replace("search", "search_alphabeta")
            + GOOD.replace("state:", "arguments: {alpha: 5, beta: 3}, state:"),
            4,
            "the window is empty",
        ),
        (HEAD + GOOD.replace("state:", "order: [x], state:"), 4, "`order` is for endgame_score_connectfour_faster"),
        (HEURISTIC.format("order: [x]"), 4, "`order` speaks of `x`, but no call has that name"),
        (HEURISTIC.format("order: [one]"), 4, "`order` names several different calls"),
        (HEURISTIC.format("opposite: [one]"), 4, "`opposite` names pairs of different calls"),
        (HEURISTIC.format("calls: []"), 4, "`calls` stands twice"),
        (HEAD + "  - {id: a, says: A., calls: []}\n", 4, "a list of one call or more"),
        (HEAD + "  - {id: a, says: A., calls: [1]}\n", 4, "a list of one call or more"),
        (HEAD + GOOD.replace("id: a", "id: a, seconds: 0"), 4, "`seconds` is above 0"),
        (HEAD + GOOD.replace("id: a", "id: a b"), 4, "small letters"),
        (HEAD + GOOD.replace("evaluations: 16", "evaluations: -1"), 4, "`evaluations` is -1; it is 0 or more"),
        (HEAD + GOOD.replace("score: 4", "score: .nan"), 4, "`score` is nan"),
        (SOLVE.format("{graph: DIAMOND, staircase: 3}", "{a: WIN}"), 4, "`game` is one of"),
        (SOLVE.format("{staircase: 0}", "{a: WIN}"), 4, "`staircase` is a whole number of 1 or more"),
        (SOLVE.format("{chain: 0}", "{a: WIN}"), 4, "`chain` is a whole number of 1 or more"),
        (SOLVE.format("{moves: set}", "{a: WIN}"), 4, "`game` is one of"),
        (SOLVE.format("{chain: 9, moves: set}", "{a: WIN}"), 4, "`moves` and `positions` are for a game that is drawn"),
        (SOLVE.format("{graph: DIAMOND, moves: array}", "{a: WIN}"), 4, "`moves` is array; it is one of list, tuple"),
        (SOLVE.format("{graph: DIAMOND}", "{botom: WIN}"), 4, "the game has no position `botom`"),
        (SOLVE.format("{graph: DIAMOND}", "{bottom: LOST}"), 4, "`bottom` is LOST; it is WIN, TIE or LOSE"),
        (HEAD + GOOD.replace("state:", "arguments: {alpha: 5}, state:"), 4, "unknown key `alpha`"),
        (HEAD + GOOD.replace("state:", "arguments: {depth_limit: -2}, state:"), 4, "a whole number of 0 or more"),
        (HEAD + GOOD.replace("state:", "arguments: {depth_limit: 1.5}, state:"), 4, "a whole number of 0 or more"),
        (HEAD + GOOD.replace("state:", "arguments: {maximize: INF}, state:"), 4, "true or false is wanted"),
        (HEAD.replace("minimax_search", "minimax") + GOOD, 2, "part 2 has no function `minimax`"),
        (HEAD + GOOD.replace("id: a", "id: a, function: minimax"), 4, "part 2 has no function `minimax`"),
        (HEAD + GOOD.replace("id: a", "id: ~"), 4, "`id` is empty; write a text"),
        (HEAD + GOOD.replace("tree: FOUR_BY_FOUR", "board: BOARD_UHO"), 4, "did you mean `BOARD_UHOH`?"),
        (
            HEAD + GOOD.replace("state:", "calls: [{state: {tree: FOUR_BY_FOUR}}], state:"),
            4,
            "`state` has no place beside `calls`; write it into each of them",
        ),
        (
            HEAD + GOOD.replace("state:", "arguments: {heuristic: game_estimate}, state:"),
            4,
            "game_estimate cannot estimate a tree; take always_zero or tree_estimate",
        ),
        (
            HEAD
            + GOOD.replace("state: {tree: FOUR_BY_FOUR}", "arguments: {heuristic: tree_estimate}, state: {nim: 5}"),
            4,
            "tree_estimate cannot estimate a nim; take always_zero or game_estimate",
        ),
        (HEAD.replace("part: 2", "part: 7") + GOOD, 1, "points.yaml has no part 7; it has 0, 1, 2, 3, 4"),
        (HEAD + "  - {id: [}\n", 4, "not YAML"),
        (HEAD + GOOD.replace("tree: FOUR_BY_FOUR", "nim: 0"), 4, "`nim` is a number of pieces, 1 or more"),
        (PLAYER.format("game: chess, position: 3, depth: 1", "{guess: 0}"), 4, "no game `chess`"),
        (PLAYER.format("game: {tree: FIVE}, depth: 1", "{guess: 0}"), 4, "no tree is named `FIVE`"),
        (PLAYER.format("game: {tree: NIM_4}, position: 3, depth: 1", "{guess: 0}"), 4, "leave `position` out"),
        (PLAYER.format("game: nim, position: -3, depth: 1", "{guess: 0}"), 4, "it is a number of pieces"),
        (PLAYER.format("game: tic_tac_toe, position: XX......., depth: 1", "{guess: 0}"), 4, "is no position"),
        (PLAYER.format("game: nim, position: 3, depth: 0", "{guess: 0}"), 4, "search takes a higher one"),
        (PLAYER.format("game: nim, position: 3, depth: 1, player: Maxie", "{guess: 0}"), 4, "it is MINNIE or MAXIE"),
        (PLAYER.format("game: nim, position: 3, depth: 1, call: move", "{guess: 0}"), 4, "`call` is move"),
        (PLAYER.format("game: nim, position: 3, depth: 1, estimator: x", "{guess: 0}"), 4, "no estimator `x`"),
        (
            PLAYER.format("game: nim, position: 3, depth: 1, estimator: corners", "{guess: 0}"),
            4,
            "corners estimates states of tic_tac_toe; take fewer_for_maxie or odd_is_lost",
        ),
        (
            PLAYER.format("game: {tree: NIM_4}, depth: 1, another: {made_for: 2, estimator: corners}", "{guess: 0}"),
            4,
            "corners estimates states of tic_tac_toe; leave it out, and the game estimates",
        ),
        (ASKED.format("before: {depth: 1}"), 4, "a list is wanted"),
        (ASKED.format("before: [3]"), 4, "`before` holds 3; write a list such as"),
        (ASKED.format("before: [{}]"), 4, "`depth` is missing"),
        (ASKED.format("before: [{depth: 0}]"), 4, "search takes a higher one"),
        (ASKED.format("before: [{call: new, depth: 1}]"), 4, "it is one of next_move, search, evaluate"),
        (
            ASKED.format("before: [{call: next_move, depth: 2}]"),
            4,
            "next_move looks as far ahead as the player was made",
        ),
        (ASKED.format("before: [{depth: 1, player: MINNIE}]"), 4, "`position` is missing"),
        (ASKED.format("before: [{depth: 1, position: 3, made_for: 2}]"), 4, "unknown key `made_for`"),
        (ASKED.format("another: {depth: 2}"), 4, "unknown key `depth`"),
        (ASKED.format("another: {made_for: 0}"), 4, "another player looks 1 move ahead or more"),
        (ASKED.format("another: {made_for: 2, estimator: x}"), 4, "no estimator `x`"),
        (ASKED.format("call: new, another: {made_for: 2}"), 4, "`another` is for a player that is asked something"),
        (ASKED.format("call: new, before: []"), 4, "`before` is for a player that is asked something"),
        (
            PLAYER.format("game: {tree: NIM_4}, depth: 1, before: [{depth: 1, position: 3}]", "{guess: 0}"),
            4,
            "`position`",
        ),
        (ZERO_BY.format("{n: 3}"), 4, "`removals` is missing"),
        (ZERO_BY.format("{n: 0, removals: [1]}"), 4, "`n` is a whole number of 1 or more"),
        (ZERO_BY.format("{n: 3, removals: [0]}"), 4, "a list of positive whole numbers"),
        (ZERO_BY.format("{n: 3, removals: [1], made_for: 2}"), 4, "unknown key `made_for`"),
        (
            PLAYER.format("game: nim, position: 3, depth: 1", "{guess: 0, sure: DRAW}"),
            4,
            "an estimate is {sure: MAXIE}",
        ),
        (PLAYER.format("game: nim, position: 3, depth: 1", "{sure: WIN}"), 4, "it is MAXIE, MINNIE or DRAW"),
        (PLAYER.format("game: nim, position: 3, depth: 1", "3"), 4, "`estimate` is 3; an estimate is {sure: MAXIE}"),
        ("- a\n", 1, "should hold a mapping"),
        ("part: 2\nfunction: minimax_search\n", 1, "`cases` is missing"),
    ],
)
def test_a_mistake_in_a_case(text: str, line: int, words: str, tmp_path: Path) -> None:
    message = cases_with(tmp_path, text)
    assert f"9z-mistakes.yaml:{line}: " in message
    assert words in message


@pytest.mark.parametrize(
    ("read", "text", "line", "words"),
    [
        (read_boards, "B:\n  rows: |\n    1.\n", 2, "row 5 has 2 squares; a row has 7"),
        (read_boards, "B:\n  rows: .211222\n", 2, "YAML does not read that as text"),
        (read_boards, "B:\n  rows: |\n    1......\n    .......\n", 2, "floats"),
        (read_boards, "B:\n  rows: |\n    11.....\n", 2, "players alternate"),
        (read_boards, "B:\n  rows: |\n    3......\n", 2, "a square is `.`, `1` or `2`"),
        (read_boards, "B:\n  row: |\n    1......\n", 2, "did you mean `rows`?"),
        (read_boards, "B:\n  players: [1, 2]\n  rows: |\n    1......\n", 2, "put quotes around it"),
        (read_boards, "B: 12\n", 1, "a board is a mapping with `rows: |`"),
        (read_trees, "T: |\n  root\n    A = 1\n    A = 2\n", 4, "the label 'A' stands in line 2 already"),
        (read_trees, "T: |\n  root\n    3\n    3\n", 2, "equal and tied"),
        (read_trees, "T: |\n  root\n    A\n", 3, "has no score"),
        (read_trees, "T: |\n  root = 3\n    A = 4\n", 2, "a score is for a leaf"),
        (read_trees, "T: |\n  root\n    A == 4\n", 3, "is not a node"),
        (read_trees, "T: |\n  3\n  4\n", 3, "a second root"),
        (read_trees, "T: |\n  root\n  \tA = 4\n", 3, r"'\tA = 4' is not a node; write"),
        (read_trees, "my_tree: |\n  3\n", 1, "'my_tree' cannot be imported; a name is of capital letters"),
        (read_trees, "MY TREE: |\n  3\n", 1, "'MY TREE' cannot be imported"),
        (read_boards, "b:\n  rows: |\n    1......\n", 1, "'b' cannot be imported"),
        (read_trees, "NEARLY_OVER: |\n  3\n", 1, "NEARLY_OVER is a board in boards.yaml too; rename one"),
        (read_games, "G: |\n  a -> b\n  b -> a\n", 2, "a cycle"),
        (read_games, "G: |\n  a -> c\n  b = WIN\n", 2, "leads to 'c', which has no line"),
        (read_games, "G: |\n  b = LOSE\n  a -> b\n", 2, "the game starts at 'b', in the first line, and is over"),
        (read_games, "G: |\n  a => b\n", 2, "is neither"),
        (check_points, "total: 9\nparts: []\n", 1, "add up to 0"),
        (
            check_points,
            "total: 5\nparts:\n  - {part: 0, title: T, points: 4, functions: {solve: {points: 5, kind: solver}}}\n",
            3,
            "the functions add up to 5",
        ),
        (
            check_points,
            POINTS.format("a: {points: 4.125, kind: search}, b: {points: 1.5, kind: search}"),
            3,
            "the functions add up to 5.625, but",
        ),
        (
            check_points,
            POINTS.format("a: {points: 3.875, kind: search}, b: {points: 1.125, kind: search}"),
            3,
            "`points` of `a` is 3.875; write two decimals at most",
        ),
        (
            check_points,
            "total: 0\nparts:\n  - {part: 0, title: T, points: 0, functions: {}}\n"
            "  - {part: 0, title: U, points: 0, functions: {}}\n",
            4,
            "part 0 stands in line 3 already; renumber one",
        ),
        (
            check_points,
            POINTS.format("a: {points: 4, kind: board, returns: ovr}, b: {points: 1, kind: search}"),
            3,
            "`returns` of `a` is 'ovr'; did you mean `over`?",
        ),
        (
            check_points,
            POINTS.format("a: {points: 4, kind: search, returns: x}, b: {points: 1, kind: search}"),
            3,
            "`returns` of `a` is 'x'; it is history",
        ),
        (
            check_points,
            POINTS.format("a: {points: 4, kind: board}, b: {points: 1, kind: search}"),
            3,
            "`returns` of `a` is empty; it is over or moves or score or bounds or estimate",
        ),
        (
            check_points,
            POINTS.format("solve: {points: 4, kind: solver}, b: {points: 1, kind: command, needs: [solv]}"),
            3,
            "`needs` speaks of `solv`, which has no points; did you mean `solve`?",
        ),
    ],
)
def test_a_mistake_in_a_drawing(
    read: Callable[[Path], object], text: str, line: int, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        read(file)
    assert f"file.yaml:{line}: " in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["endings.yaml", "2f-endings.yml", "2f-end game.yaml", "2f-Endings.yaml", "2f-é.yaml"])
def test_a_case_file_has_a_name_that_can_be_typed(name: str, tmp_path: Path) -> None:
    (tmp_path / "2c-minimax.yaml").write_text("", "utf-8")
    (tmp_path / "2d-end-games.yaml").write_text("", "utf-8")
    assert len(case_files(tmp_path)) == 2
    (tmp_path / name).write_text("", "utf-8")
    with pytest.raises(BadFile, match=r"a case file has a name such as 2f-endings\.yaml"):
        case_files(tmp_path)


def test_a_file_that_is_not_in_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_bytes(b"part: 2\nsays: caf\xe9\n")
    with pytest.raises(BadFile, match=r"file\.yaml:2: a character here is not in UTF-8; save the file as UTF-8"):
        read_yaml(file)


def test_a_function_with_points_needs_a_case(bank: Bank) -> None:
    others = tuple(case for case in bank.cases if case.function != "dfs_maximizing")
    with pytest.raises(BadFile, match="dfs_maximizing has points but no case"):
        check_shares(Bank(bank.parts, others))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of data files, of which is kept what they hold."""
    monkeypatch.setattr(reading, "_HERE", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def test_what_a_file_holds_is_kept_until_it_holds_something_else(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, says = kept / "a.yaml", {"says": "Käse: ½", "calls": [{"score": -1.5, "is_over": True, "path": None}]}
    file.write_text(yaml.safe_dump(says), encoding="utf-8")
    assert reading.read_yaml(file) == says
    with monkeypatch.context() as patch:
        patch.delattr(yaml, "load")
        assert reading.read_yaml(file) == says
    file.write_text("says: More.", encoding="utf-8")
    file.chmod(0o600)
    assert reading.read_yaml(file) == {"says": "More."}
    (found,) = (kept / "__pycache__").iterdir()
    assert (found.name, found.stat().st_mode & 0o077) == ("a.json", file.stat().st_mode & 0o077)


@pytest.mark.parametrize("damage", [b"", b"\xff", b"[", b"[1]", b"null", b"[" * 100_000], ids=range(6))
def test_what_is_kept_of_a_file_and_damaged_is_read_anew(damage: bytes, kept: Path) -> None:
    (kept / "a.yaml").write_text("says: A.")
    reading.read_yaml(kept / "a.yaml")
    (found,) = (kept / "__pycache__").iterdir()
    found.write_bytes(found.read_bytes().partition(b"\n")[0] + b"\n" + damage)
    assert reading.read_yaml(kept / "a.yaml") == {"says": "A."}


@pytest.mark.parametrize("text", ["hidden: true\ncases: []", SEALED, "1: one", "a: 2026-01-01", "2026-01-01: a"])
def test_what_nobody_shall_see_or_json_cannot_say_is_not_kept(text: str, kept: Path) -> None:
    (kept / "a.yaml").write_text(text)
    assert reading.read_yaml(kept / "a.yaml") == reading.read_yaml(kept / "a.yaml")
    assert not (kept / "__pycache__").exists()


def test_nothing_is_kept_of_a_file_that_is_not_the_kits_or_where_python_keeps_nothing(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kept / "a.yaml").write_text("says: A.")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        reading.read_yaml(kept / "a.yaml")
    monkeypatch.setattr(reading, "_HERE", kept / "boards")
    reading.read_yaml(kept / "a.yaml")
    assert not (kept / "__pycache__").exists()
    (kept / "__pycache__").touch()
    monkeypatch.setattr(reading, "_HERE", kept)
    assert reading.read_yaml(kept / "a.yaml") == {"says": "A."}
    assert sorted(each.name for each in kept.iterdir()) == ["__pycache__", "a.yaml"]


def test_nothing_stays_behind_of_what_could_not_be_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_open(self: Path, target: Path) -> Path:
        raise PermissionError(f"{target} is open in another process")  # which Windows minds

    file = kept / "a.yaml"
    file.write_text("says: A.")
    monkeypatch.setattr(Path, "replace", is_open)
    assert reading.read_yaml(file) == {"says": "A."}
    assert not list((kept / "__pycache__").iterdir())


def test_named_boards_can_be_imported() -> None:
    from boards import BOARD_UHOH, FOUR_BY_FOUR, NEARLY_OVER

    assert NEARLY_OVER.count_pieces() == 36
    assert BOARD_UHOH.get_current_player_name() == "English"
    assert len(FOUR_BY_FOUR.children) == 4
    with pytest.raises(ImportError):
        from boards import NO_SUCH_BOARD  # noqa: F401


def test_everything_named_can_be_imported_at_once() -> None:
    named = {*read_boards(), *read_trees()}
    imported: dict[str, object] = {}
    exec("from boards import *", imported)
    assert imported.keys() - {"__builtins__"} == named
    assert named <= set(dir(boards))
