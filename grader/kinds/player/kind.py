"""Judges players of two-player games: classes that inherit from Player.

Most cases judge the move that a player returns, or its estimate, or both.  Other cases
judge whether making a player raises ValueError.

A finding on a wrong answer may also show how often the player called estimators, and
how often the reference did.  No point depends on these two numbers.
"""

from typing import Any

from boards.played import Played, read_played
from grader.bank.cases import Call
from grader.kinds.kind import Kind
from grader.kinds.player import drawing
from grader.kinds.player.answer import Expected, PlayerAnswer, read_answer
from grader.kinds.player.divergence import find_divergence
from grader.protocol.plain import alike
from grader.protocol.text import returned, show
from grader.verdicts.verdict import RIGHT, Finding, Row, wrong

# What making a player led to, in words.  The key says whether ValueError was raised.
MADE = {True: "ValueError", False: "a player"}


def _judge_answer(played: Played, expected: Expected, answer: PlayerAnswer) -> Finding:
    """Return the finding on what a method of a player returned."""
    value = answer.value
    move = estimate = value
    is_pair = isinstance(value, list) and len(value) == 2
    if played.asked.call == "search":
        if is_pair:
            move, estimate = value
        if not is_pair or (_is_estimate(move) and not _is_estimate(estimate)):
            return wrong(f"It {returned(value)}; search returns (move, estimate).")
    if played.asked.call == "next_move" and is_pair and _is_estimate(value[1]):
        return wrong("It returned a move and an estimate, not the move alone.")
    return _judge_parts(played, expected, answer, move, estimate)


def _judge_parts(
    played: Played, expected: Expected, answer: PlayerAnswer, move: Any, estimate: Any
) -> Finding:
    """Return the finding on a move and an estimate.  A case may expect only one of the
    two.
    """
    rows: list[Row] = []
    message = ""
    if expected.move is not None:
        rows.append(("move", show(expected.move), show(move)))
        if not _is_move(move, expected.move):
            message = _wrong_move(played, move)
    if expected.estimate is not None:
        right = {"$estimate": expected.estimate}
        rows.append(("estimate", show(right), show(estimate)))
        if alike(estimate) != alike(right):
            message = f"{message} {_wrong_estimate(estimate)}".lstrip()
    if expected.estimates not in (None, answer.estimates):
        what = "calls to estimate (no points)"
        rows.append((what, show(expected.estimates), show(answer.estimates)))
    return wrong(message, tuple(rows)) if message else RIGHT


def _is_move(value: Any, move: Any) -> bool:
    return type(value) is type(move) and value == move


def _wrong_move(played: Played, move: Any) -> str:
    if move is None:
        return "No move was chosen: the move is None."
    game, state = played.game_at(played.asked)
    if any(_is_move(move, possible) for possible in game.moves(state)):
        return "The move is wrong."
    return f"{show(move)} is not a legal move here."


def _is_estimate(value: Any) -> bool:
    return isinstance(value, dict) and "$estimate" in value


def _wrong_estimate(estimate: Any) -> str:
    if _is_estimate(estimate):
        return "The estimate is wrong."
    return f"An estimate is Definitely(outcome) or Guess(score), not {show(estimate)}."


class Player(Kind):
    """How a student's class of players is judged and shown.

    A player has the methods next_move, search and evaluate, and plays every two-player
    game.
    """

    methods = ("__init__", "next_move", "search", "evaluate")
    calls = ("solver", "search")
    most_traced = 1_000

    read = staticmethod(read_answer)
    signature = staticmethod(drawing.signature)
    pasted = staticmethod(drawing.pasted)
    picture = staticmethod(drawing.draw_state)
    divergence = staticmethod(find_divergence)

    def judge(self, call: Call, answer: PlayerAnswer) -> Finding:
        played = read_played(call.inputs)
        expected = Expected(**call.expect)
        if expected.refused is None:
            return _judge_answer(played, expected, answer)
        if answer.value is expected.refused:
            return RIGHT
        made_for = f"for depth {played.maker.made_for}"
        row = (f"made {made_for}", MADE[expected.refused], MADE[bool(answer.value)])
        should = "raise ValueError" if expected.refused else "raise no exception"
        return wrong(f"Making a player {made_for} should {should}.", (row,))

    def fingerprint(self, call: Call, answer: PlayerAnswer) -> str:
        """Return the answer as text, without the number of estimates."""
        return alike(answer.value)


KIND = Player()
