"""What is said is true, and says what is there: several wrong labs, and the words that they are told."""

import subprocess
import sys
from pathlib import Path

import pytest

from api import (
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    TicTacToe,
    as_game_state,
    parse_tree,
    pretty_print_dfs_type,
    tree_state,
)
from boards.cases import Bank
from grader.commands.testing import _parse
from grader.grading.session import Session
from grader.judging.sentences import sentence_for_exception
from grader.judging.verdict import Verdict
from grader.protocol.raised import Raised
from grader.protocol.words import harmless_lines
from grader.showing.console import report
from grader.showing.style import Style
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body


def verdict_on(text: str, case_id: str, bank: Bank, folder: Path) -> Verdict:
    lab = folder / "lab.py"
    lab.write_text(text, encoding="utf-8")
    with Session(lab, bank) as session:
        return session.verdict(next(case for case in bank.cases if case.id == case_id))


TABLES = [
    ("del found['top']", "solve/one-good-move", "`top` is missing from the table."),
    ("found['stranger'] = Value.WIN", "solve/one-good-move", "The table holds a position that cannot be reached"),
    ("found['top'] = 'WIN'", "solve/one-good-move", "The value of `top` is no Value: WIN, TIE or LOSE."),
    ("found['top'] = Value.TIE", "solve/one-good-move", "The value of `top` is wrong."),
    (
        "found |= {n: Value.WIN for n in range(200)}",
        "solve/one-good-move",
        "The table has 207 positions; the game has 7",
    ),
    ("found = {'': 'WIN', **found}", "solve/one-good-move", "The value of `''` is no Value: WIN, TIE or LOSE."),
    ("del found['end']", "solve/several-ways", "`end` is missing from the table."),
    ("found = {7: Value.WIN}", "solve/one-good-move", "No key of the table is a position that can be reached."),
    (
        "found = {str((one,)): found[one] for one in found}",
        "solve/one-good-move",
        "No key of the table is a position that can be reached.",
    ),
    ("found.pop(120, 0)", "solve/several-ways", "The table has 240 positions; the game has 241, so some are"),
    (
        "found[999] = Value.WIN",
        "solve/several-ways",
        "The table has 242 positions; the game has 241",
    ),
    ("found[999] = 'WIN'", "solve/several-ways", "The value of 999 is no Value: WIN, TIE or LOSE."),
    ("found[1.5] = Value.WIN", "solve/several-ways", "The table holds `1.5`, which is no position of this game."),
    (
        "found = {1: Value.WIN, 0: Value.LOSE}",
        "solve/several-ways",
        "The table has 2 positions; the game has 241",
    ),
]


@pytest.mark.parametrize(("change", "case", "said"), TABLES)
def test_a_wrong_table(change: str, case: str, said: str, model: str, bank: Bank, tmp_path: Path) -> None:
    big = "len(found) > 200" if "several" in case and "end" not in said else "'top' in found"
    wrong = (
        f"\n\n_right = solve\ndef solve(game):\n    found = _right(game)\n    if {big}: {change}\n    return found\n"
    )
    assert verdict_on(model + wrong, case, bank, tmp_path).message.startswith(said)


BY_ESTIMATE = """
if state.is_game_over():
    return [state], state.get_endgame_score(maximize), 1
if not alpha <= heuristic_fn(state.get_snapshot(), maximize) <= beta:  # always_zero, which nobody watches
    return [state], heuristic_fn(state.get_snapshot(), maximize), 1
best, score, evaluations = None, None, 0
for child in state.generate_next_states():
    path, found, count = minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)
    evaluations += count
    if best is None or (found > score if maximize else found < score):
        best, score = [state, *path], found
    alpha, beta = (max(alpha, found), beta) if maximize else (alpha, min(beta, found))
    if alpha >= beta:
        break
return best, score, evaluations
"""


def test_what_nobody_watched_may_have_been_evaluated(model: str, bank: Bank, tmp_path: Path) -> None:
    lab = with_body("minimax_search_alphabeta", BY_ESTIMATE, model)
    said = verdict_on(lab, "alphabeta/two-by-two", bank, tmp_path).message
    assert said == "You report 3, but 2 positions were seen to be evaluated."


SETTLED_TOO_EARLY = """
values, waiting = {}, [game.start()]
while waiting:
    position = waiting.pop()
    values[position] = game.terminal_value(position)
    if values[position] is None:
        after = [game.do_move(position, move) for move in game.get_moves(position)]
        found = [values.get(one) for one in after]
        values[position] = Value.WIN if Value.LOSE in found else Value.LOSE
        waiting += after
return values
"""


def test_a_position_that_is_settled_before_those_it_leads_to(model: str, bank: Bank, tmp_path: Path) -> None:
    wrong = verdict_on(with_body("solve", SETTLED_TOO_EARLY, model), "solve/whose-turn-it-is", bank, tmp_path)
    assert wrong.message == (
        "The value of `one` is wrong. It leads, in your table, to `none` (LOSE), for the player to move there. "
        "In your dict it stands before `none`: was it settled before that was known?"
    )
    wrong = verdict_on(
        with_body("solve", "return {'none': Value.LOSE, 'one': Value.LOSE}", model),
        "solve/whose-turn-it-is",
        bank,
        tmp_path,
    )
    assert "`none` (LOSE)" in wrong.message and "In your dict" not in wrong.message


def test_one_item_is_no_items(model: str, bank: Bank, tmp_path: Path) -> None:
    text = model.replace("return Value.LOSE if position == 0 else None", "return Value.LOSE if position < 2 else None")
    said = verdict_on(text, "zeroby/ten-by-one-or-two", bank, tmp_path).message
    assert said == "terminal_value is wrong with 1 item left."
    assert harmless_lines("a\nb", 1) == ["b"]


class Told:
    prev_move_string = "an attribute"

    def describe_previous_move(self) -> str:
        return "said by itself"


class OnlyAnAttribute:
    prev_move_string = "an attribute"


def test_the_previous_move_is_what_the_snapshot_says() -> None:
    def state(snapshot: object) -> AbstractGameState:
        return AbstractGameState(snapshot, lambda s: True, lambda s: [], lambda s, flag: 0)

    assert state(Told()).describe_previous_move() == "said by itself"
    assert state(OnlyAnAttribute()).describe_previous_move() == ""
    assert state(3).describe_previous_move() == ""
    board = ConnectFourBoard().add_piece(4)
    assert state(board).describe_previous_move() == board.prev_move_string() != ""
    assert as_game_state(TicTacToe()).generate_next_states()[4].describe_previous_move() == "Put X in the middle."


def test_an_anytime_value_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    anytime = AnytimeValue()
    assert str(anytime) == "<AnytimeValue: no result yet>"
    anytime.set_value(([], 3, 7))
    assert str(anytime) == "<AnytimeValue: result 1, score 3, evaluations: 7>"
    anytime.set_value((None, None, None))
    assert str(anytime).startswith("<AnytimeValue: result 2,")
    pretty_print_dfs_type(None)
    pretty_print_dfs_type(AnytimeValue().get_value())
    assert capsys.readouterr().out == "No result yet.\n" * 2


def test_sentences_name_nothing_of_the_kits_own() -> None:
    tree = tree_state(parse_tree("root\n  3\n  4\n"))
    with pytest.raises(ValueError, match=r"not over here \(is_game_over_fn says so\)"):
        tree.get_endgame_score()
    text = "_call_player.<locals>.counting.<locals>.estimate() takes 1 positional argument but 2 were given"
    raised = Raised("TypeError", ("TypeError",), text, ((12, "search"),))
    _, said = sentence_for_exception(raised, ("MinimaxPlayer", "search", "evaluate"))
    assert said == "TypeError: estimate() takes 1 positional argument but 2 were given (lab.py:12, in search)"


def typed(words: str, lab: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "grader", *words.split()]
    return subprocess.run(command, cwd=KIT, capture_output=True, text=True, env={"LAB": str(lab)})


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("", "run zero_by 3 1", "lab.py has no ZeroBy, which this command runs on"),
        ("", "run tic_tac_toe", "lab.py has no solve, which this command runs on"),
        ("def solve(game): raise NotImplementedError", "run tic_tac_toe", "solve is not written yet."),
        ("def solve(game): exit()", "run tic_tac_toe", "solve ended the program, as exit and sys.exit do"),
        ("def solve(game): return help_()\ndef help_(): raise NotImplementedError", "run tic_tac_toe",
         "solve calls help_, which is not written yet."),
    ],
)  # fmt: skip
def test_make_run_says_which_function(text: str, words: str, said: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(text, encoding="utf-8")
    done = typed(words, lab)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("body", "begun"), [("return {}", True), ("return None", True), ("raise NotImplementedError", False)]
)
def test_advice_for_what_is_wrong_is_not_that_for_nothing(
    body: str, begun: bool, model: str, bank: Bank, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("remoteness", body, model), encoding="utf-8")
    first, *_ = bank.of("solve")
    small = Bank(bank.parts, (first, next(case for case in bank.of("solve") if case.advice)))
    with Session(lab, small) as session:
        screen = " ".join(report(session.sheet(), small.cases, False, Style(False, True)).split())
    assert "Advice, without points (solve/remoteness)" in screen
    assert ("remoteness returned nothing" in screen or "The remoteness of" in screen) is begun


def test_advice_alarms_nobody(model: str, bank: Bank, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model.replace("(depth_limit < INF or estimated_at == depth)", "True"), encoding="utf-8")
    *_, last = (case for case in bank.of("progressive_deepening") if not case.advice)
    advice = next(case for case in bank.of("progressive_deepening") if case.advice)
    small = Bank(bank.parts, (last, advice))
    with Session(lab, small) as session:
        sheet = session.sheet()
    for every in (False, True):
        screen = " ".join(report(sheet, small.cases, every, Style(False, True)).split())
        assert "would change nothing. Yours went on until it was stopped. That costs nothing." in screen
        assert "never end" not in screen


def test_several_parts_and_words() -> None:
    options = _parse(["--part=0,1", "-x", "--k=two words", "-k", "word"])
    assert (options.part, options.k) == ({0, 1}, ["two", "words"])
    assert options.for_pytest == ["-x", "-k", "word"]
    assert _parse([]).k is None


def test_several_words_choose_what_has_one_of_them(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "grader", "test", "--part", "0,3", "--k", "zeroby/eleven question-2", "--v"],
        cwd=KIT, capture_output=True, text=True,
    )  # fmt: skip
    assert "zeroby/eleven-by-five" in done.stdout and "questions/question-2" in done.stdout
    assert "in 2 chosen cases" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--k", "alphabta"], "no case fits; do you mean alphabeta"),
        (["--k", "minimx_search"], "no case fits; do you mean minimax_search, "),
        (["--part", "0", "--k", "dfs"], "no case fits; the parts are 0, 1, "),
        (["--part", "0,9"], "there is no part 9; the parts are 0, 1, "),
    ],
)
def test_what_chooses_nothing_is_not_passed_over(words: list[str], said: str) -> None:
    done = subprocess.run([sys.executable, "grader", "test", *words], cwd=KIT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1


EMPTY_HANDED = [
    (
        "next_boards_connectfour",
        "return [board.add_piece(0) for _ in range(7)]",
        "next-boards/first-moves",
        "Column 0 has more than one board in the list.",
    ),
    ("solve", "return {}", "solve/whose-turn-it-is", "The table is empty; it should hold every position"),
    (
        "next_boards_connectfour",
        "new = board.copy()\nboards = []\nfor column in range(7):\n    new.add_piece(column)\n    boards.append(new)\n"
        "return boards",
        "next-boards/first-moves",
        "The 1st board in the list has no piece more than the given one; add_piece returns",
    ),
    (
        "next_boards_connectfour",
        "boards = [board := board.add_piece(column) for column in range(7)]\nreturn boards",
        "next-boards/first-moves",
        "The 2nd board in the list has 2 pieces more than the given one; add_piece returns",
    ),
]


@pytest.mark.parametrize(("function", "body", "case", "said"), EMPTY_HANDED)
def test_what_came_back_empty(
    function: str, body: str, case: str, said: str, model: str, bank: Bank, tmp_path: Path
) -> None:
    assert verdict_on(with_body(function, body, model), case, bank, tmp_path).message.startswith(said)


def test_a_stranger_in_the_place_of_a_position(model: str, bank: Bank, tmp_path: Path) -> None:
    wrong = "    if len(found) > 200:\n        found[999] = found.pop(120)\n    return found\n"
    text = f"{model}\n\n_right = solve\ndef solve(game):\n    found = _right(game)\n{wrong}"
    said = verdict_on(text, "solve/several-ways", bank, tmp_path)
    assert said.message == "The totals are right, but not every position of the game has its right value."


def test_moves_that_are_not_returned(model: str, bank: Bank, tmp_path: Path) -> None:
    text = model.replace("return {min(removal, position) for", "_ = {min(removal, position) for")
    said = verdict_on(text, "zeroby/ten-by-one-or-two", bank, tmp_path).message
    assert said == "TypeError: get_moves returned nothing (None), as it does where a `return` is missing"


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("return max(self.removals)", "TypeError: get_moves returned an int, and no collection of moves"),
        ("return self.removals", "With 1 item left a move leads to -1, and none should."),
    ],
)
def test_moves_that_are_none_or_go_on_without_end(
    moves: str, said: str, model: str, bank: Bank, tmp_path: Path
) -> None:
    text = model.replace("return {min(removal, position) for removal in self.removals}", moves)
    assert verdict_on(text, "zeroby/ten-by-one-or-two", bank, tmp_path).message == said


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("str(position)", "\"('end',)\""),
        ("position[0] if isinstance(position, tuple) else position", "'end'"),
        ("(position, 1)", "(('end',), 1)"),
    ],
)
def test_a_key_that_is_no_position_is_not_shown_as_one(
    key: str, shown: str, model: str, bank: Bank, tmp_path: Path
) -> None:
    text = model.replace("return values\n", f"return {{{key}: value for position, value in values.items()}}\n", 1)
    verdict = verdict_on(text, "solve/positions-made-anew", bank, tmp_path)
    assert verdict.rows[0][:2] == (shown, "not in the table")


@pytest.mark.parametrize(
    ("method", "case", "said"),
    [
        ("def do_move(self, position, move)", "zeroby/ten-by-one-or-two", "ZeroBy has no do_move of its own."),
        ("def next_move(self, state)", "player/nim-four", "MinimaxPlayer has no next_move of its own."),
    ],
)
def test_a_method_by_another_name_is_missed_by_its_own(
    method: str, case: str, said: str, model: str, bank: Bank, tmp_path: Path
) -> None:
    assert model.count(method) == 1
    text = model.replace(method, method.replace("_move", "Move"))
    assert verdict_on(text, case, bank, tmp_path).message == f"Not started: {said}"


def test_who_counts_two_moves_to_one_position_once_reads_it_in_a_drawing(
    model: str, bank: Bank, tmp_path: Path
) -> None:
    body = (
        "kids, left, values, above, todo = {}, {}, {}, {}, [game.start()]\n"
        "while todo:\n"
        "    place = todo.pop()\n"
        "    if place not in kids:\n"
        "        moves = () if game.terminal_value(place) else game.get_moves(place)\n"
        "        kids[place] = [game.do_move(place, move) for move in moves]\n"
        "        left[place] = len(kids[place])\n"
        "        for after in kids[place]:\n"
        "            above.setdefault(after, set()).add(place)\n"
        "        todo += kids[place]\n"
        "ready = [place for place in kids if not left[place]]\n"
        "for place in ready:\n"
        "    values[place] = game.terminal_value(place) or _best_for_mover([values[after] for after in kids[place]])\n"
        "    for before in above.get(place, ()):\n"
        "        left[before] -= 1\n"
        "        ready += [before] * (not left[before])\n"
        "return values"
    )
    text = with_body("solve", body, model)
    verdict = verdict_on(text, "solve/several-ways", bank, tmp_path)
    assert verdict.message == "`left_bridge` is missing from the table. A move leads there from `left`."
    assert "left_bridge -> end end" in verdict.picture
