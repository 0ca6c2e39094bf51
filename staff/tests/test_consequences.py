"""One mistake costs once: who rightly calls a wrong function keeps the points, or waits, and is never blamed."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from boards.cases import Bank, Case
from grader.grading.asking import Asking
from grader.grading.consequences import Watch, answers_for
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status
from grader.kit import KIT
from grader.protocol.answer import Answer
from grader.sandbox.sandbox import Sandbox
from grader.showing.console import report
from grader.showing.style import Style
from grader.tools.trace import played
from staff.tests.conftest import score_of
from staff.wrong_labs import with_body

IS_OVER = "is_game_over_connectfour"
OWN_FAULT = {Status.FAIL, Status.PARTIAL, Status.CRASH, Status.TIME_OUT, Status.NOT_STARTED}


def sheet_of(text: str, functions: tuple[str, ...], bank: Bank, tmp_path: Path, fork: bool = True) -> ScoreSheet:
    """The sheet of a lab, with verdicts on these functions' cases."""
    lab = tmp_path / "lab.py"
    lab.write_text(text, encoding="utf-8")
    with Session(lab, bank, fork) as session:
        return session.sheet_of([case for case in bank.cases if case.function in functions and not case.advice])


def statuses(sheet: ScoreSheet, function: str) -> set[Status]:
    return {sheet.verdict(case).status for case in sheet.bank.of(function) if not case.advice}


PAIRS = [
    ("is_game_over_connectfour", "return False", "next_boards_connectfour"),
    ("is_game_over_connectfour", "return None", "next_boards_connectfour"),
    ("is_game_over_connectfour", "raise NotImplementedError", "next_boards_connectfour"),
    ("is_game_over_connectfour", "return 1 / 0", "next_boards_connectfour"),
    ("endgame_score_connectfour", "return 1000", "endgame_score_connectfour_faster"),
    ("endgame_score_connectfour", "raise NotImplementedError", "endgame_score_connectfour_faster"),
    ("minimax_search_alphabeta", "return None", "progressive_deepening"),
    ("minimax_search_alphabeta", "raise NotImplementedError", "progressive_deepening"),
    (
        "minimax_search_alphabeta",
        "return minimax_search(state, heuristic_fn, depth_limit, maximize)",
        "progressive_deepening",
    ),
]


@pytest.mark.parametrize(
    ("function", "body", "caller", "fork"),
    [*((*pair, True) for pair in PAIRS), *((*PAIRS[at], False) for at in (0, 7))],
)
def test_a_right_caller_keeps_its_points(
    function: str, body: str, caller: str, fork: bool, bank: Bank, model: str, tmp_path: Path
) -> None:
    sheet = sheet_of(with_body(function, body, model), (function, caller), bank, tmp_path, fork)
    assert statuses(sheet, caller) == {Status.PASS}
    assert statuses(sheet, function) & OWN_FAULT
    told = {sheet.verdict(case).message for case in bank.of(caller)}
    assert f"Right, with the asked answers in place of {function}." in told


SEARCHES = ("minimax_search", "minimax_endgame_search", "minimax_search_alphabeta")
OTHER_NAMES = {
    "an alias": ("_over = is_game_over_connectfour", "_over"),
    "a table": ("RULES = {'over': is_game_over_connectfour}", "RULES['over']"),
    "a class": ("class Rules:\n    over = staticmethod(is_game_over_connectfour)", "Rules.over"),
    "a cache": ("import functools\n_over = functools.cache(is_game_over_connectfour)", "_over"),
    "a default": ("_by_default = lambda board, over=is_game_over_connectfour: over(board)", "_by_default"),
    "a memory": (
        "def _remembered(rule):\n    seen = {}\n    def over(board):\n        seen[board] = rule(board)\n"
        "        return seen[board]\n    return over\n"
        "_over = is_game_over_connectfour = _remembered(is_game_over_connectfour)",
        "_over",
    ),
    "its own": (
        "_rule = is_game_over_connectfour\ndef _over(board):\n    return _rule(board)\n"
        "is_game_over_connectfour = _over",
        "_over",
    ),
}


@pytest.mark.parametrize("body", ["return len(board.get_all_chains()) > 3", "return 1 / 0"])
@pytest.mark.parametrize("by", OTHER_NAMES)
def test_a_right_caller_may_call_by_another_name(by: str, body: str, bank: Bank, model: str, tmp_path: Path) -> None:
    before, name = OTHER_NAMES[by]
    text = with_body("is_game_over_connectfour", body, model)
    text += f"\n{before}\ndef next_boards_connectfour(board):\n    columns = () if {name}(board) else range(7)\n"
    text += "    return [board.add_piece(column) for column in columns if not board.is_column_full(column)]\n"
    sheet = sheet_of(text, ("is_game_over_connectfour", "next_boards_connectfour"), bank, tmp_path)
    assert statuses(sheet, "next_boards_connectfour") == {Status.PASS}
    assert statuses(sheet, "is_game_over_connectfour") & OWN_FAULT


@pytest.mark.parametrize("fork", [True, False], ids=["fork", "no-fork"])
def test_a_right_caller_may_call_what_lab_py_has_no_more(fork: bool, bank: Bank, model: str, tmp_path: Path) -> None:
    asked = ("endgame_score_connectfour", "endgame_score_connectfour_faster")
    sheet = sheet_of(f"{model}\ndel endgame_score_connectfour\n", asked, bank, tmp_path, fork)
    assert [statuses(sheet, function) for function in asked] == [{Status.NOT_STARTED}, {Status.PASS}]


LEAVES_BY_MINIMAX = """
def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    if state.is_game_over() or depth_limit <= 0:
        return minimax_search(state, heuristic_fn, 0, maximize)
    best, count = None, 0
    for child in state.generate_next_states():
        found = minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)
        count += found[2]
        if best is None or (found[1] > best[1] if maximize else found[1] < best[1]):
            best = found
        alpha, beta = (max(alpha, found[1]), beta) if maximize else (alpha, min(beta, found[1]))
        if alpha >= beta:
            break
    return [state, *best[0]], best[1], count
"""


@pytest.mark.parametrize("body", ["return None", "return [state], 7, 1"])
def test_a_right_caller_of_one_that_waits_keeps_its_points(body: str, bank: Bank, model: str, tmp_path: Path) -> None:
    functions = ("minimax_search", "minimax_search_alphabeta", "progressive_deepening")
    sheet = sheet_of(with_body("minimax_search", body, model) + LEAVES_BY_MINIMAX, functions, bank, tmp_path)
    assert [statuses(sheet, function) for function in functions] == [{Status.FAIL}, {Status.WAITS}, {Status.PASS}]


@pytest.mark.parametrize("body", ["return 1000", "return 1 / 0", "return None"])
def test_who_is_called_by_nobody_is_not_asked_about(body: str, bank: Bank, model: str, tmp_path: Path) -> None:
    """The rule runs on the score, which names nobody that it calls; so no question leads back to the rule."""
    functions = (IS_OVER, "next_boards_connectfour", "endgame_score_connectfour")
    text = with_body(IS_OVER, BY_THE_SCORE, with_body("endgame_score_connectfour", body, model))
    sheet = sheet_of(text, functions, bank, tmp_path)
    assert [statuses(sheet, function) for function in functions[:2]] == [{Status.WAITS}, {Status.PASS}]
    assert statuses(sheet, "endgame_score_connectfour") & OWN_FAULT


RULES_IN_A_CLASS = """
class Rules:
    @staticmethod
    def over(board):
        return len(board.get_all_chains()) > 3
    @classmethod
    def after(cls, board):
        columns = () if cls.over(board) else range(7)
        return [board.add_piece(column) for column in columns if not board.is_column_full(column)]
is_game_over_connectfour, next_boards_connectfour = Rules.over, Rules.after
"""
RULES_OF_AN_OBJECT = """
class Rules:
    def __init__(self, most):
        self.most = most
    def over(self, board):
        return len(board.get_all_chains()) > self.most
    def after(self, board):
        Rules(7).over(board)
        columns = () if self.over(board) else range(7)
        return [board.add_piece(column) for column in columns if not board.is_column_full(column)]
rules = Rules(3)
is_game_over_connectfour, next_boards_connectfour = rules.over, rules.after
"""


@pytest.mark.parametrize("rules", [RULES_IN_A_CLASS, RULES_OF_AN_OBJECT], ids=["class", "object"])
def test_the_functions_may_stand_in_a_class(rules: str, bank: Bank, model: str, tmp_path: Path) -> None:
    asked = ("is_game_over_connectfour", "next_boards_connectfour")
    sheet = sheet_of(f"{model}{rules}", asked, bank, tmp_path)
    assert statuses(sheet, "is_game_over_connectfour") & OWN_FAULT
    assert statuses(sheet, "next_boards_connectfour") == {Status.PASS}


LOOKED_AT = """
import sys, types
from grader.calls.written import in_place
lab = types.ModuleType("lab")
exec("def around(n):\\n    def f():\\n        return n\\n    return f\\nf = g = around(7)", vars(lab))
with in_place(lab, ["f"], lambda name, f: lambda: (f(), len(sys._getframe(1).f_locals))):
    print(lab.g())
print(lab.g())
"""


def test_the_locals_of_what_hands_on_may_be_looked_at() -> None:
    """A debugger does so; the process outlives it."""
    done = subprocess.run([sys.executable, "-c", LOOKED_AT], cwd=KIT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.split("\n")[1:]) == (0, ["7", ""])


def test_one_function_may_have_two_names(bank: Bank, model: str, tmp_path: Path) -> None:
    wrong = with_body("minimax_search", "return None", model)
    sheet = sheet_of(f"{wrong}\nminimax_endgame_search = minimax_search\n", SEARCHES, bank, tmp_path)
    found = [statuses(sheet, function) for function in SEARCHES]
    assert found == [{Status.FAIL}, {Status.WAITS}, {Status.PASS}]


COUNTED = """
class Counted:
    def __init__(self, function):
        self.function, self.counts = function, {}
    def __getattr__(self, name):
        return self.__dict__["counts"][name]
    def __call__(self, *words, **named):
        self.counts["calls"] = self.counts.get("calls", 0) + 1
        return self.function(*words, **named)
minimax_search_alphabeta = Counted(minimax_search_alphabeta)
"""


def test_an_object_in_place_of_a_function_may_answer_with_any_error(bank: Bank, model: str, tmp_path: Path) -> None:
    """Its caller keeps its points, and its search is played back."""
    wrong, lab = with_body("minimax_search_alphabeta", "return None", model), tmp_path / "lab.py"
    sheet = sheet_of(wrong + COUNTED, ("minimax_search_alphabeta", "progressive_deepening"), bank, tmp_path)
    assert statuses(sheet, "progressive_deepening") == {Status.PASS}
    lab.write_text(model + COUNTED, encoding="utf-8")
    assert played(next(case for case in bank.cases if case.id == "alphabeta/two-by-two"), lab, 0)[0].sides["yours"]


CLEARED = """
import functools
is_game_over_connectfour = functools.cache(is_game_over_connectfour)
def next_boards_connectfour(board):
    is_game_over_connectfour.cache_clear()
    columns = () if is_game_over_connectfour(board) else range(7)
    return [board.add_piece(column) for column in columns if not board.is_column_full(column)]
"""


def test_the_cache_of_a_wrong_function_may_be_cleared(bank: Bank, model: str, tmp_path: Path) -> None:
    wrong, asked = with_body(IS_OVER, "return False", model), (IS_OVER, "next_boards_connectfour")
    sheet = sheet_of(wrong + CLEARED, asked, bank, tmp_path)
    assert statuses(sheet, "next_boards_connectfour") == {Status.PASS}


DEATHS = {"exit": "import os\nos._exit(0)", "crash": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"}


@pytest.mark.parametrize("death", DEATHS)
@pytest.mark.parametrize(
    ("function", "caller", "becomes"),
    [
        (IS_OVER, "next_boards_connectfour", Status.PASS),
        ("minimax_search_alphabeta", "progressive_deepening", Status.PASS),
        ("minimax_search", "minimax_endgame_search", Status.WAITS),
    ],
)
def test_a_function_that_ends_the_process_is_the_guilty_one(
    death: str, function: str, caller: str, becomes: Status, bank: Bank, model: str, tmp_path: Path
) -> None:
    sheet = sheet_of(with_body(function, DEATHS[death], model), (function, caller), bank, tmp_path)
    assert statuses(sheet, function) == {Status.CRASH}
    assert statuses(sheet, caller) == {becomes}


def test_a_function_that_hangs_takes_no_other_with_it(bank: Bank, model: str, tmp_path: Path, hasty_bank: Bank) -> None:
    text = with_body(IS_OVER, "while True:\n    pass", model)
    sheet = sheet_of(text, (IS_OVER, "next_boards_connectfour"), hasty_bank, tmp_path)
    assert statuses(sheet, IS_OVER) == {Status.TIME_OUT}
    assert statuses(sheet, "next_boards_connectfour") == {Status.PASS}


def test_two_that_hang_are_told_the_seconds_that_they_had(
    model: str, tmp_path: Path, hasty_bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After two slow failures a case has fewer, also where an asked answer stands in."""
    monkeypatch.setattr("grader.grading.patience.IMPATIENT_SECONDS", 0.1)
    text = with_body("next_boards_connectfour", "while True:\n    pass", with_body(IS_OVER, "while True: pass", model))
    sheet = sheet_of(text, (IS_OVER, "next_boards_connectfour"), hasty_bank, tmp_path)
    last = sheet.verdict([case for case in hasty_bank.of("next_boards_connectfour") if not case.advice][-1])
    assert last.message.startswith("It was stopped after 0.1 seconds of computing")


@pytest.mark.parametrize("body", ["while True:\n    pass", DEATHS["exit"]])
def test_who_calls_it_on_boards_far_from_that_of_the_case_waits(
    body: str, model: str, tmp_path: Path, few: Bank
) -> None:
    """Answers for the boards near that of the case stand in; further on the wrong function itself is called."""
    looks_ahead = """
    own, rival = (sum(len(chain) ** 3 for chain in board.get_all_chains(mine)) for mine in (True, False))
    later = [board.add_piece(one).add_piece(two) for one, two in ((0, 1), (5, 6)) if not board.is_column_full(one)]
    threat = 0 if is_game_over_connectfour(board) else any(map(is_game_over_connectfour, later))
    estimate = max(-999, min(999, own - rival + 100 * threat))
    return estimate if is_current_player_maximizer else -estimate
    """
    text = with_body(IS_OVER, body, with_body("heuristic_connectfour", looks_ahead, model))
    sheet = sheet_of(text, (IS_OVER, "heuristic_connectfour"), few, tmp_path)
    assert statuses(sheet, "heuristic_connectfour") == {Status.WAITS}


BY_A_SEARCH = {
    "heuristic_connectfour": """
    def _eye(board, flag):
        own, rival = (sum(len(chain) ** 3 for chain in board.get_all_chains(mine)) for mine in (flag, not flag))
        return max(-999, min(999, own - rival))
    def heuristic_connectfour(board, is_current_player_maximizer):
        _, score, _ = minimax_search(connect_four_state(board), _eye, 0)
        return score if is_current_player_maximizer else -score
    """,
    "MinimaxPlayer": """
    class MinimaxPlayer(MinimaxPlayer):
        def search(self, depth, state):
            game = self.game
            def over(now): return game.status(now[1]) is not IN_PLAY
            def after(now): return [(move, game.make_move(now[1], move)) for move in game.moves(now[1])]
            def score(now, flag): return Definitely(game.status(now[1]).outcome)
            tree = AbstractGameState((None, state), over, after, score)
            flag = game.player(state) is Player.MAXIE
            path, best, _ = minimax_search(tree, lambda now, flag: self.estimate(now[1]), depth, flag)
            return path[1].snapshot[0], best
    """,
}


@pytest.mark.parametrize("caller", BY_A_SEARCH)
@pytest.mark.parametrize(
    "wrong",
    ["raise NotImplementedError", "return None", "return _right(state, heuristic_fn, depth_limit, not maximize)"],
)
def test_a_function_of_another_kind_may_run_on_a_search(
    caller: str, wrong: str, model: str, tmp_path: Path, bank: Bank
) -> None:
    right = model + textwrap.dedent(BY_A_SEARCH[caller])
    text = right + "\n_right = minimax_search\n" + textwrap.dedent(WRONG_SEARCH.format(wrong))
    assert statuses(sheet_of(right, (caller,), bank, tmp_path), caller) == {Status.PASS}
    sheet = sheet_of(text, ("minimax_search", caller), bank, tmp_path)
    assert statuses(sheet, caller) <= {Status.WAITS, Status.PASS} and caller not in sheet.diagnoses


def test_a_player_may_run_on_the_solver(model: str, tmp_path: Path, few: Bank) -> None:
    player = """
    class MinimaxPlayer(MinimaxPlayer):
        def search(self, depth, state):
            return super().search(depth, state) if solve(ZeroBy(1, (1,)))[1] is Value.WIN else None
    """
    text = with_body("solve", "return None", model) + textwrap.dedent(player)
    assert Status.CRASH not in statuses(sheet_of(text, ("solve", "MinimaxPlayer"), few, tmp_path), "MinimaxPlayer")


WRONG_SEARCH = """
def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    {}
"""

BY_THE_SCORE = "return endgame_score_connectfour(board, True) != 0 or board.count_pieces() == 42"


def test_a_question_within_a_question_does_not_lead_back(
    model: str, tmp_path: Path, hasty_bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rule waits for the score, which hangs; to find that out, nobody asks of the moves, which run on the rule."""
    ran, plain = set[str](), Asking.plain

    def noted(asking: Asking, case: Case, seconds: float) -> Answer:
        ran.add(case.function)
        return plain(asking, case, seconds)

    monkeypatch.setattr(Asking, "plain", noted)
    lab = tmp_path / "lab.py"
    hangs = with_body("endgame_score_connectfour", "while True:\n    pass", model)
    lab.write_text(with_body(IS_OVER, BY_THE_SCORE, hangs), encoding="utf-8")
    with Session(lab, hasty_bank) as session:
        assert session.verdict(hasty_bank.of(IS_OVER)[0]).status is Status.WAITS
    assert ran == {IS_OVER, "endgame_score_connectfour"}


CALLERS_WITH_A_MISTAKE = [
    (IS_OVER, "return False", "next_boards_connectfour", "return [*reversed(_right(board))]"),
    (IS_OVER, "return False", "next_boards_connectfour", "return [] if is_game_over_connectfour(board) else None"),
    (
        "endgame_score_connectfour",
        "return 1000",
        "endgame_score_connectfour_faster",
        "return endgame_score_connectfour(board, is_current_player_maximizer)",
    ),
]


@pytest.mark.parametrize(("function", "body", "caller", "mistake"), CALLERS_WITH_A_MISTAKE)
def test_a_caller_with_a_mistake_of_its_own_loses_points(
    function: str, body: str, caller: str, mistake: str, bank: Bank, model: str, tmp_path: Path
) -> None:
    text = with_body(function, body, model) + f"\n_right = {caller}\n"
    text += f"def {caller}(board, is_current_player_maximizer=None):\n    {mistake}\n"
    sheet = sheet_of(text, (function, caller), bank, tmp_path)
    assert score_of(sheet, caller) < bank.parts[1].functions[caller] / 2
    assert Status.FAIL in statuses(sheet, caller)


PROGRESSIVE = """
def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    anytime = AnytimeValue()
    for depth in range(1, depth_limit + 1):
        anytime.set_value(minimax_search_alphabeta(state, {arguments}))
    return anytime
"""
RIGHT = "-INF, INF, heuristic_fn, depth, maximize"


@pytest.mark.parametrize(
    ("body", "arguments", "may_pass"),
    [
        ("raise NotImplementedError", RIGHT, True),
        ("raise NotImplementedError", "-INF, INF, always_zero, depth, maximize", False),
        ("return None", RIGHT, True),
        (
            "return None",
            "heuristic_fn=lambda *words: heuristic_fn(*words), depth_limit=depth, maximize=maximize",
            True,
        ),
        ("return None", "-INF, INF, always_zero, depth, maximize", False),
        ("return None", "-INF, INF, heuristic_fn, depth, True", False),
        ("return None", "-INF, INF, heuristic_fn, depth - 1, maximize", False),
        ("return None", "-1, INF, heuristic_fn, depth, maximize", False),
        ("return None", "-INF, 9, heuristic_fn, depth, maximize", False),
        ("return None", "-INF, INF, lambda board, flag: heuristic_fn(board, not flag), depth, maximize", False),
    ],
)
def test_alpha_beta_is_stood_in_only_where_it_is_called_rightly(
    body: str, arguments: str, may_pass: bool, bank: Bank, model: str, tmp_path: Path
) -> None:
    text = with_body("minimax_search_alphabeta", body, model) + PROGRESSIVE.format(arguments=arguments)
    sheet = sheet_of(text, ("minimax_search_alphabeta", "progressive_deepening"), bank, tmp_path)
    found = statuses(sheet, "progressive_deepening")
    assert (found == {Status.PASS}) is may_pass
    assert found <= {Status.PASS, Status.WAITS}


@pytest.mark.parametrize("body", ["return None", "return [state], 0, 1", "raise NotImplementedError"])
def test_who_only_hands_on_waits(body: str, bank: Bank, model: str, tmp_path: Path) -> None:
    functions = ("minimax_endgame_search", "minimax_search")
    sheet = sheet_of(with_body("minimax_search", body, model), functions, bank, tmp_path)
    assert statuses(sheet, "minimax_endgame_search") == {Status.WAITS}
    verdict = sheet.verdict(bank.of("minimax_endgame_search")[0])
    assert verdict.message == "Waits for minimax_search, which it calls and which is not right yet."
    assert score_of(sheet, "minimax_endgame_search") == 0


@pytest.mark.parametrize(("function", "body", "caller"), [*PAIRS[:1], *PAIRS[4:5], *PAIRS[6:7]])
def test_the_first_screen_is_the_guilty_one(
    function: str, body: str, caller: str, bank: Bank, model: str, tmp_path: Path
) -> None:
    functions = (caller, function, "minimax_endgame_search", "minimax_search")
    sheet = sheet_of(with_body(function, body, model), functions, bank, tmp_path)
    shown = report(sheet, False, Style(False, True))
    assert f"FAIL  {sheet.bank.of(function)[0].id}" in shown
    assert caller not in shown


def test_a_caller_of_two_that_call_each_other_keeps_its_points(bank: Bank, model: str, tmp_path: Path) -> None:
    over = "return endgame_score_connectfour(board, True) != 0 or board.count_pieces() == 42"
    score = "return -1000 if is_game_over_connectfour(board) else 0"
    lab = with_body("endgame_score_connectfour", score, with_body(IS_OVER, over, model))
    asked = (IS_OVER, "next_boards_connectfour", "endgame_score_connectfour")
    sheet = sheet_of(lab, asked, bank, tmp_path)
    assert [statuses(sheet, function) for function in asked] == [{Status.WAITS}, {Status.PASS}, {Status.CRASH}]


def test_no_advice_on_what_runs_on_one_that_waits(bank: Bank, model: str, tmp_path: Path) -> None:
    hands_on = "return minimax_search(state, heuristic_fn, depth_limit, maximize)"
    lab = tmp_path / "lab.py"
    lab.write_text(
        with_body("minimax_search", "return None", with_body(SEARCHES[2], hands_on, model)), encoding="utf-8"
    )
    with Session(lab, bank) as session:
        (advice, *_) = [case for case in bank.of("progressive_deepening") if case.advice]
        assert not session.is_due(advice)
        assert {session.verdict(case).status for case in session.known_to(advice, SEARCHES[2])} == {Status.WAITS}
        found = {session.verdict(case).status for case in session.known_to(advice, "progressive_deepening")}
    assert found == {Status.PASS}


def test_two_that_call_each_other_do_not_both_wait(bank: Bank, model: str, tmp_path: Path) -> None:
    text = with_body("minimax_endgame_search", "return minimax_search(state, maximize=maximize)", model)
    text += "\n_right = minimax_search\ndef minimax_search(state, *words, **named):\n"
    text += "    if state.is_game_over():\n        return None\n"
    text += "    return minimax_endgame_search(state.generate_next_states()[0])\n"
    sheet = sheet_of(text, ("minimax_endgame_search", "minimax_search"), bank, tmp_path)
    found = statuses(sheet, "minimax_endgame_search") | statuses(sheet, "minimax_search")
    assert found & OWN_FAULT


def test_no_stand_in_tells_a_function_its_own_answer(bank: Bank) -> None:
    order = [function.name for function in bank.functions]
    graded = {function.name: function for function in bank.functions}
    for case in bank.cases:
        for earlier in case.graded.may_call if not case.advice else ():
            assert order.index(earlier) < order.index(case.function)
            assert len(answers_for(case, [graded[earlier]])[earlier]["calls"]) == len(case.calls)


def test_spies_leave_lab_py_as_it_was(bank: Bank, model: str, tmp_path: Path) -> None:
    """Without fork, a case that runs later in the same process finds the functions themselves."""
    text = with_body(IS_OVER, "return False", model) + "\n_own = is_game_over_connectfour\n"
    text += "def endgame_score_connectfour(board, flag):\n    return 7 if is_game_over_connectfour is _own else 8\n"
    sheet = sheet_of(text, (IS_OVER, "next_boards_connectfour", "endgame_score_connectfour"), bank, tmp_path, False)
    rows = {row for case in bank.of("endgame_score_connectfour") for row in sheet.verdict(case).rows}
    assert {yours for _, _, yours in rows} == {"7"}


@pytest.mark.parametrize(
    ("function", "watched"), [("minimax_search", set[str]()), ("minimax_search_alphabeta", {"progressive_deepening"})]
)
def test_only_who_names_another_function_is_watched(
    function: str, watched: set[str], bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case that fails in a function that cannot come to another one runs once."""
    ran, plain = set[str](), Asking.answer

    def answer(asking: Asking, case: Case, watch: Watch | None = None) -> Answer:
        ran.update({case.function} if watch else ())
        return plain(asking, case, watch)

    monkeypatch.setattr(Asking, "answer", answer)
    sheet_of(with_body(function, "return None", model), (function, "progressive_deepening"), bank, tmp_path)
    assert ran == watched


@pytest.mark.parametrize("fork", [True, False])
def test_a_watched_run_has_a_process_that_runs_no_other_case(
    fork: bool, bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked answers stand in its memory."""
    ran, ask = set[tuple[bool, Sandbox]](), Asking._ask

    def noted(asking: Asking, case: Case, sandbox: Sandbox, watch: Watch | None = None) -> Answer:
        ran.add((watch is not None, sandbox))
        return ask(asking, case, sandbox, watch)

    monkeypatch.setattr(Asking, "_ask", noted)
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("minimax_search_alphabeta", "return None", model), encoding="utf-8")
    cases = [case for case in bank.cases if case.graded.kind == "search"]
    with Session(lab, bank, fork) as session:
        session.begin(cases)
        session.sheet_of(cases)
    watched, plain = ({sandbox for was_watched, sandbox in ran if was_watched is one} for one in (True, False))
    assert (len(watched), len(plain), watched & plain) == (1, 2 if fork else 1, set())


def test_who_is_known_to_fail_stands_in_at_once(
    bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case that fails for the sake of another function runs once more, not twice."""
    watched, ask = list[str](), Asking._ask

    def noted(asking: Asking, case: Case, sandbox: Sandbox, watch: Watch | None = None) -> Answer:
        watched.extend([case.id] if watch else [])
        return ask(asking, case, sandbox, watch)

    monkeypatch.setattr(Asking, "_ask", noted)
    text = with_body("minimax_search_alphabeta", "return None", model)
    sheet = sheet_of(text, ("minimax_search_alphabeta", "progressive_deepening"), bank, tmp_path)
    assert statuses(sheet, "progressive_deepening") == {Status.PASS}
    assert sorted(watched) == sorted({*watched}) != []
