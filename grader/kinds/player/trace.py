"""What a player's methods asked of each other, read and typed; grader/calls/requests.py says what is noted."""

from dataclasses import dataclass
from typing import Any

from grader.kinds.typed import read_as
from grader.pipe.plain import Garbled, encoded

UNKNOWN = "unknown"  # what a call returned that never did, or not in time to be noted
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

    method: str
    place: Place | None
    depth: int | None
    requests: tuple["Request", ...]
    estimates: tuple[Estimated, ...]
    value: Any


def read_trace(events: Any) -> Request:
    """The call that was asked for.  Raises Garbled for what the child would not send.

    >>> read_trace([["call", "evaluate", [], 0], ["estimate", "", [], 3], ["return", 3]]).estimates
    (Estimated(by='', place=(), value=3),)
    """
    calls: list[tuple[list[Any], list[Request], list[Estimated]]] = [([], [], [])]
    for event in [*(events if isinstance(events, list) else ()), ["end"]]:
        match event:
            case ["call", "search" | "evaluate" | "next_move" as method, place, int() | None as depth]:
                calls.append(([method, read_as(Place | None, place), depth], [], []))
            case ["estimate", str(by), place, value]:
                calls[-1][2].append(Estimated(by, read_as(Place | None, place), encoded(value)))
            case ["return", _] | ["raise"] | ["end"]:
                if len(calls) == 1 and event != ["end"]:
                    raise Garbled
                for _ in range(len(calls) - 1 if event == ["end"] else 1):
                    (method, place, depth), requests, estimates = calls.pop()
                    value = encoded(event[1]) if len(event) > 1 else UNKNOWN
                    calls[-1][1].append(Request(method, place, depth, tuple(requests), tuple(estimates), value))
            case _:
                raise Garbled
    if not calls[0][1]:
        raise Garbled
    return calls[0][1][0]
