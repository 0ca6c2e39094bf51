"""What came back from a player of part 4, read, typed and judged: its move and its
estimate.

If something is wrong and it took another number of estimates, that is shown too; no
point depends on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from boards.played import Played, read_played
from grader.bank.cases import Call
from grader.judging.verdict import RIGHT, Finding, Row, wrong
from grader.protocol.plain import Garbled, is_number, read_as, value_of
from grader.protocol.words import returned, show, show_estimate

UNKNOWN = "unknown"  # what a call returned that raised something
Place = tuple[int, ...]


@dataclass(frozen=True)
class Request:
    """A call of a method about a state, the calls that it made itself, and what it
    returned.
    """

    method: Literal["search", "evaluate", "next_move"]
    place: Place | None
    depth: float | None
    requests: tuple["Request", ...]
    value: Any


@dataclass(frozen=True)
class Made:
    """Whether making a player was refused with a ValueError."""

    refused: bool


@dataclass(frozen=True)
class Said:
    """What a player answered, as plain data, how many estimates it took for that, and
    its calls if they were traced.
    """

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


def judge_player(call: Call, answer: PlayerAnswer) -> Finding:
    """What came back from a call of `search`, `evaluate` or `next_move`, or from making
    a player.
    """
    played, expect = read_played(call.inputs), call.expect
    if isinstance(answer, Made) is not ("refused" in expect):
        raise Garbled
    if isinstance(answer, Made):
        return _judge_refusal(expect["refused"], played.maker.made_for, answer.refused)
    value, is_search = answer.value, played.asked.call == "search"
    is_pair = isinstance(value, list) and len(value) == 2
    move, estimate = value if is_pair else (value, value)
    if is_search and (
        not is_pair or (_is_some_estimate(move) and not _is_some_estimate(estimate))
    ):
        return wrong(f"It {returned(value)}; search returns (move, estimate).")
    if is_pair and played.asked.call == "next_move" and _is_some_estimate(estimate):
        return wrong("It returned a move and an estimate, not the move alone.")
    if not is_search:
        move = estimate = value
    rows = _rows(
        expect, {"move": move, "estimate": estimate, "estimates": answer.estimates}
    )
    if "move" in expect and not _is_move(move, expect["move"]):
        return wrong(_wrong_move(played, move), rows)
    if "estimate" in expect and not _is_estimate(estimate, expect["estimate"]):
        no_estimate = f"It is {show(estimate)}; an estimate is Definitely(outcome) or Guess(score)."
        return wrong(
            "The estimate is wrong." if _is_some_estimate(estimate) else no_estimate,
            rows,
        )
    return RIGHT


def _rows(expect: Mapping[str, Any], yours: Mapping[str, Any]) -> tuple[Row, ...]:
    """What is expected beside what came back."""
    rows = []
    for name, value in yours.items():
        if name in expect and not (name == "estimates" and value == expect[name]):
            expected = (
                show_estimate(expect[name])
                if name == "estimate"
                else show(expect[name])
            )
            what = "calls of estimate (no points)" if name == "estimates" else name
            rows.append((what, expected, show(value)))
    return tuple(rows)


def _judge_refusal(expected: bool, depth: int, refused: bool) -> Finding:
    if refused is expected:
        return RIGHT
    made = {True: "ValueError", False: "a player"}
    rows = ((f"made for depth {depth}", made[expected], made[refused]),)
    outcome = f"should raise {'ValueError' if expected else 'no exception'}."
    return wrong(f"Making a player for depth {depth} {outcome}", rows)


def _is_move(value: Any, expected: Any) -> bool:
    """Whether this is the expected move."""
    return type(value) is type(expected) and value == expected


def _is_some_estimate(value: Any) -> bool:
    return isinstance(value, dict) and "$estimate" in value


def _is_estimate(value: Any, expected: Mapping[str, Any]) -> bool:
    """Whether this is the expected estimate."""
    if not _is_some_estimate(value):
        return False
    estimate = value["$estimate"]
    if "guess" in expected:
        return is_number(estimate.get("guess")) and bool(
            estimate["guess"] == expected["guess"]
        )
    return bool(estimate.get("sure") == expected["sure"])


def _wrong_move(played: Played, move: Any) -> str:
    if move is None:
        return "No move was chosen: the move is None."
    game, state = played.game_at(played.asked)
    is_possible = any(_is_move(move, each) for each in game.moves(state))
    return (
        "Another move was expected."
        if is_possible
        else f"{show(move)} is not one of the moves here."
    )
