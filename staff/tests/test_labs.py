"""The grader as a classifier: right labs get everything, wrong labs lose points where the mistake is."""

import json
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank, Case, read_points
from grader.diagnosing.diagnosis import MISCONCEPTIONS
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import SLOW, Status, Verdict
from grader.protocol.digests import fingerprint
from grader.showing.console import report
from grader.showing.failing import explain
from grader.showing.style import Style
from staff.misconceptions import load_misconceptions
from staff.tests.conftest import KIT, affected_by, definitions, functions_with, sheet_of
from staff.wrong_labs import WrongLab, build, load_wrong_labs

RIGHT_LABS = [file for file in sorted((KIT / "staff" / "right_labs").glob("*.py")) if file.stem != "heuristics"]
OWN_FAULT = (Status.FAIL, Status.PARTIAL, Status.CRASH, Status.TIME_OUT, Status.NOT_STARTED, Status.UNGRADED)
NOT_RIGHT = (*OWN_FAULT, Status.WAITS)


@pytest.mark.parametrize("lab", [KIT / "lab.py", *RIGHT_LABS], ids=lambda file: file.stem)
@pytest.mark.parametrize("fork", [True, False], ids=["fork", "no-fork"])
def test_right_lab_gets_everything(lab: Path, fork: bool, bank: Bank, short_bank: Bank, few: Bank) -> None:
    """What takes long, and runs in processes of its own, is run once of each lab; without fork, where the cases of a
    function have one process, two cases each tell of a lab unlike the model whether they are in each other's way."""
    asked = bank if fork else short_bank if lab.name == "lab.py" else few
    sheet = grade(lab, asked, fork=fork)
    lost = {case.id: sheet.verdict(case).message for case in asked.cases if not sheet.verdict(case).passed}
    assert {case.id: lost[case.id] for case in asked.cases if case.id in lost and not case.advice} == {}
    assert sheet.is_full


RIGHT_ADDITIONS = {
    "cached-boards": """
        import functools
        next_boards_connectfour = functools.lru_cache(None)(next_boards_connectfour)
    """,
    "worn-out-after-many-calls": """
        _calls, _fresh = [], endgame_score_connectfour_faster
        def endgame_score_connectfour_faster(board, flag):
            _calls.append(board)
            return _fresh(board, flag) if len(_calls) <= 20 else None
    """,
    "boards-without-names": """
        _named = next_boards_connectfour
        def next_boards_connectfour(board):
            return tuple(ConnectFourBoard(after.board_array) for after in _named(board))
    """,
    "deep-copies": """
        import copy
        _search = minimax_search
        def minimax_search(state, *words, **named):
            return _search(copy.deepcopy(state), *words, **named)
    """,
    "remembers-children": """
        _children = {}
        def dfs_maximizing(state):
            if state.is_game_over():
                return [state], state.get_endgame_score(), 1
            if state not in _children:
                _children[state] = state.generate_next_states()
            results = [dfs_maximizing(child) for child in _children[state]]
            path, score, _ = max(results, key=lambda result: result[1])
            return [state, *path], score, sum(result[2] for result in results)
    """,
    "remembers-scores": """
        import functools
        @functools.cache
        def _score(state, flag):
            return state.get_endgame_score(flag)
        def dfs_maximizing(state):
            if state.is_game_over():
                return [state], _score(state, True), 1
            results = [dfs_maximizing(child) for child in state.generate_next_states()]
            path, score, _ = max(results, key=lambda result: result[1])
            return [state, *path], score, sum(result[2] for result in results)
        def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
            if state.is_game_over():
                return [state], _score(state, maximize), 1
            if depth_limit <= 0:
                return [state], heuristic_fn(state.get_snapshot(), maximize), 1
            below = state.generate_next_states()
            results = [minimax_search(child, heuristic_fn, depth_limit - 1, not maximize) for child in below]
            path, score, _ = (max if maximize else min)(results, key=lambda result: result[1])
            return [state, *path], score, sum(result[2] for result in results)
    """,
    "boards-of-its-own": """
        class MyBoard(ConnectFourBoard):
            __slots__ = ()
        _plain = next_boards_connectfour
        def next_boards_connectfour(board):
            return [MyBoard(after.board_array, ("x", "y")) for after in _plain(board)]
    """,
    "a-player-with-a-table": """
        import functools
        class MinimaxPlayer(MinimaxPlayer):
            evaluate = functools.cache(MinimaxPlayer.evaluate)
            search = functools.cache(MinimaxPlayer.search)
    """,
    "a-player-with-a-table-for-one-search": """
        class MinimaxPlayer(MinimaxPlayer):
            def next_move(self, state):
                self.table = {}
                return super().next_move(state)
            def evaluate(self, depth, state):
                table = vars(self).setdefault("table", {})
                if (depth, state) not in table:
                    table[depth, state] = super().evaluate(depth, state)
                return table[depth, state]
    """,
    "finds-the-end-by-trying": """
        def dfs_maximizing(state):
            try:
                return [state], state.get_endgame_score(), 1
            except ValueError:  # it is not over here
                results = [dfs_maximizing(child) for child in state.generate_next_states()[::-1]]
            path, score, _ = max(results[::-1], key=lambda result: result[1])
            return [state, *path], score, sum(result[2] for result in results)
    """,
    "grows-the-tree-first": """
        def _tree(state, plies):
            below = () if plies <= 0 else state.generate_next_states()
            return state, [_tree(child, plies - 1) for child in below]
        def _look(tree, alpha, beta, heuristic_fn, flag):
            state, below = tree
            if not below:
                over = state.is_game_over()
                return [state], state.get_endgame_score(flag) if over else heuristic_fn(state.snapshot, flag), 1.0
            best, made = None, 0
            for child in below:
                path, score, count = _look(child, alpha, beta, heuristic_fn, 1 - flag)
                made += count
                if best is None or (score > best[1] if flag else score < best[1]):
                    best = [state, *path], score
                alpha, beta = (max(alpha, score), beta) if flag else (alpha, min(beta, score))
                if alpha >= beta:
                    break
            return *best, made
        def minimax_search_alphabeta(
            state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True
        ):
            return _look(_tree(state, depth_limit), alpha, beta, heuristic_fn, int(maximize))
    """,
    "a-game-of-its-own": """
        from api import move_sequence
        class minimax_search:
            def __new__(cls, state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
                def over(way):
                    return len(way) - 1 >= depth_limit or way[-1].is_game_over()
                def score(way, to_maximize):
                    if way[-1].is_game_over():
                        return way[-1].get_endgame_score(to_maximize)
                    return heuristic_fn(way[-1].get_snapshot(), to_maximize)
                def after(way):
                    return [(*way, child) for child in way[-1].generate_next_states()]
                def best(mine, indices, flag):
                    if mine.is_game_over():
                        return indices, mine.get_endgame_score(flag), 1
                    found = [
                        best(child, (*indices, n), not flag) for n, child in enumerate(mine.generate_next_states())
                    ]
                    chosen = (max if flag else min)(found, key=lambda result: result[1])
                    return *chosen[:2], sum(result[2] for result in found)
                indices, value, count = best(AbstractGameState((state,), over, after, score), (), maximize)
                return move_sequence(state, indices), value, count
    """,
    "a-flag-in-words": """
        _search = minimax_search
        def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
            in_words = lambda snapshot, flag: heuristic_fn(snapshot, "MAX" if flag else "")
            return _search(state, in_words, depth_limit, maximize)
    """,
    "json-in-its-own-way": """
        import functools, json
        json.dumps = functools.partial(json.dumps, indent=2)
        _search = dfs_maximizing
        def dfs_maximizing(state):
            print(json.dumps(str(state)))
            return _search(state)
    """,
    "writes-a-diary": """
        _search = minimax_search_alphabeta
        def minimax_search_alphabeta(state, *words, **named):
            with open("diary.txt", "a") as diary:
                print(state, file=diary)
            return _search(state, *words, **named)
    """,
}


@pytest.mark.parametrize("addition", RIGHT_ADDITIONS)
@pytest.mark.parametrize("fork", [True, False], ids=["fork", "no-fork"])
def test_a_right_lab_may_do_this(addition: str, fork: bool, model: str, tmp_path: Path, bank: Bank) -> None:
    """The second one is right in every case, each of which has a process to itself."""
    code = textwrap.dedent(RIGHT_ADDITIONS[addition])
    text = f"{model}\n{code}"
    concerned = affected_by(set(definitions(code)), text, bank)
    assert concerned
    assert functions_with(sheet_of(text, concerned, fork, tmp_path, bank), *NOT_RIGHT) & concerned == set()


WRONG_ADDITIONS = {
    "a-nameless-value": (
        "ZeroBy",
        """
        class ZeroBy(Game):
            def __init__(self, n, removals):
                self.n = n
            def start(self):
                return self.n
            def terminal_value(self, position):
                Value.WIN._name_ = None
                return Value.WIN
        """,
    ),
    "other-defaults-in-alpha-beta": (
        "minimax_search_alphabeta",
        """
        _search = minimax_search_alphabeta
        def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=6, **named):
            return _search(state, alpha, beta, heuristic_fn, depth_limit, **named)
        """,
    ),
    "other-defaults-in-progressive": (
        "progressive_deepening",
        """
        _search = progressive_deepening
        def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=3, maximize=False):
            return _search(state, heuristic_fn, depth_limit, maximize)
        """,
    ),
    "another-default-heuristic": (
        "minimax_search",
        """
        _search = minimax_search
        def minimax_search(state, heuristic_fn=lambda board, flag: 5, depth_limit=INF, maximize=True):
            return _search(state, heuristic_fn, depth_limit, maximize)
        """,
    ),
    "no-estimate-early-in-the-game": (
        "heuristic_connectfour",
        """
        _estimate = heuristic_connectfour
        def heuristic_connectfour(board, flag):
            return _estimate(board, flag) if board.count_pieces() not in (2, 3, 4, 5) else 1 / 0
        """,
    ),
    "opposite-for-one-player-only": (
        "heuristic_connectfour",
        """
        _estimate = heuristic_connectfour
        def heuristic_connectfour(board, flag):
            estimate = _estimate(board, True)
            return estimate if flag else -estimate - (board.count_pieces() % 2 == 0)
        """,
    ),
    "moves-that-are-used-up": (
        "ZeroBy",
        """
        class ZeroBy(ZeroBy):
            def get_moves(self, position, moves={}):
                return moves.setdefault((self.n, self.removals, position), iter(super().get_moves(position)))
        """,
    ),
    "no-large-removals": (
        "ZeroBy",
        """
        class ZeroBy(ZeroBy):
            def get_moves(self, position):
                return {min(removal, position) for removal in self.removals if removal <= 20}
        """,
    ),
    "all-that-is-left-if-it-is-little": (
        "ZeroBy",
        """
        class ZeroBy(ZeroBy):
            def get_moves(self, position):
                return [min(removal, position) for removal in self.removals if removal <= max(position, 99)]
        """,
    ),
    "once-won-never-tied": (
        "endgame_score_connectfour",
        """
        def endgame_score_connectfour(board, flag, won=[]):
            won += [chain for chain in board.get_all_chains() if len(chain) >= 4]
            return 0 if not won else -1000 if flag else 1000
        """,
    ),
    "once-won-never-tied-and-sooner": (
        "endgame_score_connectfour_faster",
        """
        def endgame_score_connectfour_faster(board, flag, won=[]):
            won += [chain for chain in board.get_all_chains() if len(chain) >= 4]
            return 0 if not won else (-1 if flag else 1) * (1042 - board.count_pieces())
        """,
    ),
    "moves-known-by-the-heights-of-columns": (
        "next_boards_connectfour",
        """
        _moves, _known = next_boards_connectfour, {}
        def next_boards_connectfour(board):
            heights = tuple(map(board.get_column_height, range(7)))
            return _known.setdefault((heights, is_game_over_connectfour(board)), _moves(board))
        """,
    ),
    "scores-known-by-the-number-of-pieces": (
        "endgame_score_connectfour",
        """
        _end, _known = endgame_score_connectfour, {}
        def endgame_score_connectfour(board, flag):
            return _known.setdefault((board.count_pieces(), flag), _end(board, flag))
        """,
    ),
    "no-hurry-in-the-middle": (
        "endgame_score_connectfour_faster",
        """
        _end = endgame_score_connectfour
        def endgame_score_connectfour_faster(board, flag):
            pieces, score = board.count_pieces(), _end(board, flag)
            return score / 1000 * (1000 + (42 - pieces if pieces < 25 or pieces > 39 else 10))
        """,
    ),
}


@pytest.mark.parametrize("addition", WRONG_ADDITIONS)
def test_a_wrong_lab_of_another_kind(addition: str, model: str, tmp_path: Path, bank: Bank) -> None:
    """Mistakes that are added around a function; what calls the function has them too."""
    function, code = WRONG_ADDITIONS[addition]
    text = f"{model}\n{textwrap.dedent(code)}"
    assert function in functions_with(sheet_of(text, {function}, True, tmp_path, bank), *OWN_FAULT)


WRONG_LABS = load_wrong_labs()
STYLE, COLUMNS = Style(colour=False, ascii_only=True, make=True), 79
NAMES = load_misconceptions(WRONG_LABS)
ONE_OF_EACH = {wrong_lab.function: wrong_lab for wrong_lab in WRONG_LABS if not wrong_lab.by_chance}.values()


@pytest.mark.parametrize("wrong_lab", WRONG_LABS, ids=lambda wrong_lab: wrong_lab.id)
def test_wrong_lab_loses_points_where_its_mistake_is(
    wrong_lab: WrongLab, model: str, tmp_path: Path, bank: Bank
) -> None:
    sheet = check_wrong_lab(wrong_lab, model, True, tmp_path, bank)
    check_names(wrong_lab, sheet)
    lines = report(sheet, bank.of(wrong_lab.function), True, STYLE).splitlines()
    for case, verdict in wrong(sheet):
        lines += explain(sheet, case, verdict, STYLE)
    assert [line for line in lines if len(line) > COLUMNS] == []


def wrong(sheet: ScoreSheet) -> Iterator[tuple[Case, Verdict]]:
    """The cases that have failed."""
    for case in sheet.bank.cases:
        if case.id in sheet.verdicts and not sheet.verdict(case).passed:
            yield case, sheet.verdict(case)


def check_names(wrong_lab: WrongLab, sheet: ScoreSheet) -> None:
    """What is stored of a wrong_lab is what it answers and what is located in it, and so it is called by its name; as
    far as that hangs on no address in memory, no size of a stack, and no speed of a machine."""
    if wrong_lab.by_chance:
        return
    stored = next((wrong[wrong_lab.id] for wrong in stored_answers(wrong_lab.function) if wrong_lab.id in wrong), None)
    if stored is None:  # no assert, which would show the whole sheet
        pytest.fail(f"run `make expectations` first: nothing is stored of {wrong_lab.id}", pytrace=False)
    again = f"delete boards/misconceptions/{wrong_lab.function}.json, and make expectations"
    verdicts = [sheet.verdict(case) for case in sheet.bank.of(wrong_lab.function) if not case.advice]
    slow = {verdict.case for verdict in verdicts if verdict.status in (Status.TIME_OUT, Status.UNGRADED)}
    slow |= {case for case, gist in stored["cases"].items() if gist == SLOW}  # which may be right on another machine
    for verdict in verdicts:
        assert verdict.case in slow or stored["cases"].get(verdict.case, "") == verdict.gist, f"{verdict.case}: {again}"
    if not slow:
        diagnosis = sheet.diagnoses[wrong_lab.function]
        assert NAMES[wrong_lab.id] in diagnosis.names
        assert fingerprint(diagnosis.sentence) == stored["place"], f"{diagnosis.sentence or 'no place'}: {again}"


def test_a_wrong_lab_that_is_not_stored_yet_is_one_line(model: str, bank: Bank) -> None:
    new = replace(WRONG_LABS[0], id="just-added", by_chance=False)
    with pytest.raises(pytest.fail.Exception) as caught:
        check_names(new, ScoreSheet(bank, {}, b""))
    assert str(caught.value) == "run `make expectations` first: nothing is stored of just-added"


def stored_answers(function: str) -> Iterator[dict[str, Any]]:
    for each in json.loads((MISCONCEPTIONS / f"{function}.json").read_text("utf-8"))["misconceptions"]:
        yield each["wrong"]


@pytest.mark.parametrize("wrong_lab", ONE_OF_EACH, ids=lambda wrong_lab: wrong_lab.function)
def test_the_same_without_fork(wrong_lab: WrongLab, model: str, tmp_path: Path, bank: Bank) -> None:
    check_wrong_lab(wrong_lab, model, False, tmp_path, bank)


def check_wrong_lab(wrong_lab: WrongLab, model: str, fork: bool, tmp_path: Path, bank: Bank) -> ScoreSheet:
    """The function loses points, unless that is by chance, and of those that its mistake can reach nobody does."""
    text, function = build(wrong_lab, model), wrong_lab.function
    concerned = affected_by({function}, text, bank)
    sheet = sheet_of(text, concerned, fork, tmp_path, bank)
    blamed = functions_with(sheet, *OWN_FAULT) & concerned
    told = f"{wrong_lab.id} (staff/wrong_labs.yaml, line {wrong_lab.line})"
    if not (function in blamed or wrong_lab.by_chance):
        pytest.fail(f"{told}: no case of {function} tells this lab from the model: add one", pytrace=False)
    if others := blamed - {function}:
        pytest.fail(f"{told}: it is wrong in {function}, and {', '.join(sorted(others))} loses points", pytrace=False)
    return sheet


def test_a_wrong_lab_that_no_case_catches_is_told_in_a_line(model: str, tmp_path: Path, bank: Bank) -> None:
    right = WrongLab("dfs-right", "dfs_maximizing", "It is right.", 7, (("path, score, _ =", "path, score, *_ ="),))
    told = r"^dfs-right \(staff/wrong_labs.yaml, line 7\): no case of dfs_maximizing tells this lab from the model: add one$"
    with pytest.raises(pytest.fail.Exception, match=told):
        check_wrong_lab(right, model, True, tmp_path, bank)
    check_wrong_lab(replace(right, by_chance=True), model, True, tmp_path, bank)


@pytest.mark.parametrize("wrong_lab", ONE_OF_EACH, ids=lambda wrong_lab: wrong_lab.function)
def test_no_other_function_feels_it(wrong_lab: WrongLab, model: str, tmp_path: Path, short_bank: Bank) -> None:
    """One wrong lab of each function, on all cases: what does not name a function does not run it."""
    (tmp_path / "lab.py").write_text(build(wrong_lab, model), encoding="utf-8")
    assert functions_with(grade(tmp_path / "lab.py", short_bank), *OWN_FAULT) == {wrong_lab.function}


OF_BOARDS = [one.name for part in read_points() for one in part.graded.values() if one.kind == "board"]
BY_IDENTITY = """
_answer = {function}
def {function}(board, *flags):
    if (id(board), flags) not in _known:
        _known[id(board), flags] = _answer(board, *flags)
    return _known[id(board), flags]
_known = {{}}
"""


@pytest.mark.parametrize("function", OF_BOARDS)
def test_boards_that_are_known_by_identity_are_found_out(function: str, model: str, tmp_path: Path, bank: Bank) -> None:
    text = model + BY_IDENTITY.format(function=function)
    assert function in functions_with(sheet_of(text, {function}, True, tmp_path, bank), Status.FAIL)


def test_a_mistake_reaches_those_that_name_its_function(model: str, bank: Bank) -> None:
    assert affected_by({"ZeroBy"}, model, bank) == {"ZeroBy", "make_run"}
    assert affected_by({"minimax_search"}, model, bank) == {"minimax_search", "minimax_endgame_search"}
    rules = {"next_boards_connectfour", "is_game_over_connectfour"}
    assert affected_by({"is_game_over_connectfour"}, model, bank) == rules
    hidden = model + "\ndef dfs_maximizing(state):\n    return _search(state)\n_search = minimax_search\n"
    assert "dfs_maximizing" in affected_by({"minimax_search"}, hidden, bank)


def test_there_are_enough_labs() -> None:
    assert len(RIGHT_LABS) >= 5
    assert len(load_wrong_labs()) >= 30
