"""Walk: the asked search of a case, event by event, as data that `make expectations` stores in boards/walks/.

It is read only where a case has failed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from boards.cases import CASES, Case
from grader.kinds.search.path import Place
from grader.kinds.search.trace import Event, read_events
from grader.pipe.plain import Garbled

WALKS = CASES.with_name("walks")


@dataclass(frozen=True)
class Walk:
    """The events of the asked search, and the score that plain minimax finds at every place within its depth limit.

    `swapped` is the path and the score that minimax finds with the other player to move first, and how many
    evaluations the asked search makes then.  There are no values for a search that returns a history, and nothing is
    swapped where nobody plays against anybody.
    """

    events: tuple[Event, ...]
    values: Mapping[Place, float]
    swapped: list[Any] | None = None


def walk_of(case: Case, at: int) -> Walk | None:
    """The walk of a call of a case; None where there is none: it is too long, nobody watched it, or nothing ships."""
    try:
        stored = stored_walk(case, at)
        values = {tuple(place): score for place, score in stored["values"]}
        return Walk(read_events(stored["events"]), values, stored["swapped"])
    except (OSError, ValueError, LookupError, TypeError, Garbled):
        return None


def stored_walk(case: Case, at: int) -> Any:
    """What is stored of a call of a case.  OSError, ValueError, LookupError or TypeError where nothing is."""
    (file,) = WALKS.glob(f"*-{case.id.partition('/')[0]}.json")
    return _read(file)[case.id][at]


@lru_cache(maxsize=1)
def _read(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))
