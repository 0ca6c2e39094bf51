"""Judges the answers of a player: a move, an estimate, or both.

A wrong answer shows how many estimates it took, if the reference takes another number.
No point depends on that.
"""

from collections.abc import Mapping
from typing import Any

from boards.played import Played, read_played
from grader.bank.cases import Call
from grader.kinds.player.answer import (
    Expected,
    Made,
    PlayerAnswer,
    Said,
    read_expected,
)
from grader.protocol.plain import Garbled, is_number
from grader.protocol.text import returned, show, show_estimate
from grader.verdicts.verdict import RIGHT, Finding, Row, wrong


def judge_player(call: Call, answer: PlayerAnswer) -> Finding:
    """The finding on an answer.

    Raises Garbled for an answer to another question than the call asks.
    """
    played = read_played(call.inputs)
    expected = read_expected(call.expect)
    if isinstance(answer, Made) and expected.refused is not None:
        depth = played.maker.made_for
        return _judge_refusal(expected.refused, depth, answer.refused)
    if isinstance(answer, Said) and expected.refused is None:
        return _judge_answer(played, expected, answer)
    raise Garbled


def _judge_refusal(expected: bool, depth: int, refused: bool) -> Finding:
    if refused is expected:
        return RIGHT
    made = {True: "ValueError", False: "a player"}
    row = (f"made for depth {depth}", made[expected], made[refused])
    should = f"Making a player for depth {depth} should raise"
    if expected:
        return wrong(f"{should} ValueError.", (row,))
    return wrong(f"{should} no exception.", (row,))


def _judge_answer(played: Played, expected: Expected, answer: Said) -> Finding:
    value = answer.value
    asked = played.asked.call
    is_pair = isinstance(value, list) and len(value) == 2
    move = estimate = value
    if asked == "search":
        if not is_pair:
            return wrong(_no_pair(value))
        move, estimate = value
        if _is_some_estimate(move) and not _is_some_estimate(estimate):
            return wrong(_no_pair(value))
    if asked == "next_move" and is_pair and _is_some_estimate(value[1]):
        return wrong("It returned a move and an estimate, not the move alone.")
    rows = _rows(expected, move, estimate, answer.estimates)
    if expected.move is not None and not _is_move(move, expected.move):
        return wrong(_wrong_move(played, move), rows)
    if expected.estimate is not None and not _is_estimate(estimate, expected.estimate):
        return wrong(_wrong_estimate(estimate), rows)
    return RIGHT


def _rows(
    expected: Expected, move: Any, estimate: Any, estimates: int
) -> tuple[Row, ...]:
    """What is expected beside what came back."""
    rows: list[Row] = []
    if expected.move is not None:
        rows.append(("move", show(expected.move), show(move)))
    if expected.estimate is not None:
        right = show_estimate(expected.estimate)
        rows.append(("estimate", right, show(estimate)))
    if expected.estimates not in (None, estimates):
        what = "calls of estimate (no points)"
        rows.append((what, show(expected.estimates), show(estimates)))
    return tuple(rows)


def _no_pair(value: Any) -> str:
    return f"It {returned(value)}; search returns (move, estimate)."


def _is_move(value: Any, move: Any) -> bool:
    return type(value) is type(move) and value == move


def _wrong_move(played: Played, move: Any) -> str:
    if move is None:
        return "No move was chosen: the move is None."
    game, state = played.game_at(played.asked)
    if any(_is_move(move, possible) for possible in game.moves(state)):
        return "Another move was expected."
    return f"{show(move)} is not one of the moves here."


def _is_some_estimate(value: Any) -> bool:
    return isinstance(value, dict) and "$estimate" in value


def _is_estimate(value: Any, expected: Mapping[str, Any]) -> bool:
    if not _is_some_estimate(value):
        return False
    estimate = value["$estimate"]
    if "guess" in expected:
        guess = estimate.get("guess")
        return is_number(guess) and bool(guess == expected["guess"])
    return bool(estimate.get("sure") == expected["sure"])


def _wrong_estimate(estimate: Any) -> str:
    if _is_some_estimate(estimate):
        return "The estimate is wrong."
    return (
        f"It is {show(estimate)}; an estimate is Definitely(outcome) or Guess(score)."
    )
