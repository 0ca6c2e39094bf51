"""What came back from a player of part 4, read, typed and judged: its move and its estimate.

The number of estimates that it took is shown where something is wrong, and never judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from boards.cases import Call, Function
from boards.played import Played, read_played
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.protocol.plain import Garbled, is_number, read_as, value_of
from grader.protocol.words import returned, show, show_estimate

UNKNOWN = "unknown"  # what a call returned that raised something
Place = tuple[int, ...]


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
    trace = read_as(Request | None, outcome["trace"]) if "trace" in outcome else None
    return Said(value_of(outcome), read_as(int, outcome.get("estimates")), trace)


def judge_player(function: Function, call: Call, answer: PlayerAnswer) -> Finding:
    """What came back from a call of `search`, `evaluate` or `next_move`, or from making a player."""
    played, expect = read_played(call.inputs), call.expect
    if isinstance(answer, Made) is not ("refused" in expect):
        raise Garbled
    if isinstance(answer, Made):
        return _judge_refusal(expect["refused"], played.maker.made_for, answer.refused)
    value, searches = answer.value, played.asked.call == "search"
    pair = value if isinstance(value, list) and len(value) == 2 else [None, None]
    are_estimates = [_is_some_estimate(each) for each in pair]
    if searches and (pair is not value or are_estimates == [True, False]):
        return Finding(NOTHING, f"It {returned(value)}; search returns (move, estimate).")
    if are_estimates[1] and played.asked.call == "next_move":
        return Finding(NOTHING, "It returned a move and an estimate, not the move alone.")
    move, estimate = pair if searches else (value, value)
    rows = _rows(expect, move, estimate, answer.estimates)
    if "move" in expect and not is_move(move, expect["move"]):
        return Finding(NOTHING, _wrong_move(played, move), rows)
    if "estimate" in expect and not is_estimate(estimate, expect["estimate"]):
        if _is_some_estimate(estimate):
            return Finding(NOTHING, "The estimate is wrong.", rows)
        said = f"It is {show(estimate)}; an estimate is Definitely(outcome) or Guess(score)."
        return Finding(NOTHING, said, rows)
    return RIGHT


def _rows(expect: Mapping[str, Any], move: Any, estimate: Any, taken: int) -> tuple[tuple[str, str, str], ...]:
    """What is expected beside what came back."""
    came = {"move": move, "estimate": estimate, "estimates": taken}
    names = {"estimates": "calls of estimate (never judged)"}
    shown = {"estimate": show_estimate}
    return tuple(
        (names.get(key, key), shown.get(key, show)(expect[key]), show(came[key])) for key in came if key in expect
    )


def _judge_refusal(expected: bool, depth: int, refused: bool) -> Finding:
    if refused is expected:
        return RIGHT
    made = {True: "ValueError", False: "a player"}
    rows = ((f"made for depth {depth}", made[expected], made[refused]),)
    return Finding(
        NOTHING, f"Making a player for depth {depth} should raise {'ValueError' if expected else 'nothing'}.", rows
    )


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


def _wrong_move(played: Played, move: Any) -> str:
    if move is None:
        return "No move was chosen: where the move should be, there is None."
    game, state = played.game_at(played.asked)
    is_possible = any(is_move(move, each) for each in game.moves(state))
    return "Another move was chosen." if is_possible else f"{show(move)} is none of the moves here."
