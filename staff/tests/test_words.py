"""What is said is true, and says what is there: several wrong labs, and the words that they are told."""

import subprocess
import sys
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session
from grader.judging.verdict import Verdict
from grader.protocol.words import harmless_lines
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


def typed(words: str, lab: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "grader", *words.split()]
    return subprocess.run(command, cwd=KIT, capture_output=True, text=True, env={"LAB": str(lab)})


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
