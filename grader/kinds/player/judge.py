"""What came back from a player of part 4, read, typed and judged: its move and its estimate.

The number of estimates that it took is shown where something is wrong, and never judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from boards.cases import Call
from boards.played import Played, read_played
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.protocol.plain import is_number, read_as, unpack, value_of
from grader.protocol.words import plural, returned, show, show_estimate

UNKNOWN = "unknown"  # what a call returned that raised something
Place = tuple[int, ...]
_Rows = tuple[tuple[str, str, str], ...]

_HINTS = {
    "guess": "A game that is in play at the depth is estimated, and nothing more is known of it.",
    "sure": "What the best moves lead to is sure within the depth: a game that is over is Definitely its outcome.",
}


@dataclass(frozen=True)
class Estimated:
    """An estimate that was taken of a state: by an estimator with this name, or the game's, which has none."""

    by: str
    place: Place | None
    value: Any


@dataclass(frozen=True)
class Request:
    """A call of a method about a state, the calls and the estimates that it made itself, and what it returned."""

    method: Literal["search", "evaluate", "next_move"]
    place: Place | None
    depth: float | None
    requests: tuple["Request", ...]
    estimates: tuple[Estimated, ...]
    value: Any


@dataclass(frozen=True)
class Made:
    """Whether making a player was refused with a ValueError."""

    refused: bool


@dataclass(frozen=True)
class Said:
    """What a player answered, as plain data, how many estimates it took for that, and what it asked where that
    was traced."""

    value: Any
    estimates: int
    trace: Request | None = None


PlayerAnswer = Made | Said


def read_answer(outcome: dict[str, Any]) -> PlayerAnswer:
    """The answer that the child sent.  Raises Garbled for what it would not send."""
    if "refused" in outcome:
        return Made(read_as(bool, outcome["refused"]))
    trace = read_as(Request | None, unpack(outcome["trace"])) if "trace" in outcome else None
    return Said(value_of(outcome), read_as(int, outcome.get("estimates")), trace)


def judge_player(call: Call, answer: PlayerAnswer) -> Finding:
    """What came back from a call of `search`, `evaluate` or `next_move`, or from making a player."""
    played, expect = read_played(call.inputs), call.expect
    if isinstance(answer, Made):
        return _judge_refusal(expect["refused"], played.maker.made_for, answer.refused)
    value, searches = answer.value, played.asked.call == "search"
    pair = value if isinstance(value, list) and len(value) == 2 else [None, None]
    are_estimates = [_is_some_estimate(each) for each in pair]
    if searches and (pair is not value or are_estimates == [True, False]):
        order = ", in this order" if pair is value else ""
        what = "(move, estimate)" if pair is value else "a tuple (move, estimate)"
        return Finding(NOTHING, f"It {returned(value)}; search returns {what}{order}.", malformed=True)
    if are_estimates[1] and played.asked.call == "next_move":
        said = "It returned a move and an estimate; next_move returns the move alone."
        return Finding(NOTHING, said, malformed=True)
    move, estimate = pair if searches else (value, value)
    rows, taken = _Rows(), answer.estimates
    if "estimates" in expect:
        rows = (("calls of estimate", show(expect["estimates"]), show(taken)),)
    counted = "" if expect.get("estimates", taken) == taken else " (How often estimate was called is never judged.)"
    if "move" in expect and not is_move(move, expect["move"]):
        beside = (("estimate", show_estimate(expect["estimate"]), show(estimate)),) if searches else ()
        is_same = searches and is_estimate(estimate, expect["estimate"])
        why = _why_not(played, expect["move"], move, is_same)
        return _wrong_move(expect["move"], move, (*beside, *rows), f"{why}{counted}")
    if "estimate" in expect and not is_estimate(estimate, expect["estimate"]):
        beside = (("move", show(expect["move"]), show(move)),) if searches else ()
        return _wrong_estimate(expect, estimate, (*beside, *rows), counted)
    return RIGHT


def _judge_refusal(wanted: bool, depth: int, refused: bool) -> Finding:
    if refused is wanted:
        return RIGHT
    made, ahead = {True: "ValueError", False: "a player"}, f"{plural(depth, 'move')} ahead"
    rows = ((f"made for depth {depth}", made[wanted], made[refused]),)
    if wanted:
        return Finding(NOTHING, f"A player who looks {ahead} cannot be; raise ValueError.", rows)
    return Finding(NOTHING, f"It raised ValueError, but a player may well look {ahead}.", rows)


def is_move(value: Any, wanted: Any) -> bool:
    """Whether this is the wanted move."""
    return type(value) is type(wanted) and value == wanted


def _is_some_estimate(value: Any) -> bool:
    return isinstance(value, dict) and "$estimate" in value


def is_estimate(value: Any, wanted: Mapping[str, Any]) -> bool:
    """Whether this is the wanted estimate."""
    if not _is_some_estimate(value):
        return False
    estimate = value["$estimate"]
    if "guess" in wanted:
        return is_number(estimate.get("guess")) and bool(estimate["guess"] == wanted["guess"])
    return bool(estimate.get("sure") == wanted["sure"])


def _why_not(played: Played, wanted: Any, value: Any, is_same: bool) -> str:
    """Why a move is wrong: it is none, or where it `is_same` in its estimate, the wanted one is the first of the
    best."""
    game, state = played.game_at(played.asked)
    moves = list(game.moves(state))
    if not any(is_move(value, move) for move in moves):
        return f" {show(value)} is none of the moves here."
    if not is_same:
        return ""
    if any(is_move(value, move) for move in moves[: moves.index(wanted)]):
        return " It is not worth the estimate beside it."
    return " Where several moves are worth the estimate beside it, the first of them is taken."


def _wrong_move(wanted: Any, value: Any, rows: _Rows, why: str) -> Finding:
    message = f"Another move was chosen.{why}"
    if value is None:
        message = "No move was chosen: where the move should be, there is None."
    return Finding(NOTHING, message, (("move", show(wanted), show(value)), *rows))


def _wrong_estimate(expect: Mapping[str, Any], value: Any, rows: _Rows, counted: str) -> Finding:
    wanted = expect["estimate"]
    rows = (("estimate", show_estimate(wanted), show(value)), *rows)
    if not _is_some_estimate(value):
        said = f"It is {show(value)}; an estimate is Definitely(outcome) or Guess(score)."
        return Finding(NOTHING, said, rows, malformed=True)
    kind = next(iter(wanted))
    # What is sure where estimates were taken may be so because an estimate says it.
    tells = kind not in value["$estimate"] and (kind == "guess" or expect.get("estimates") == 0)
    hint = f" {_HINTS[kind]}" if tells else ""
    return Finding(NOTHING, f"The estimate is wrong.{hint}{counted}", rows)
