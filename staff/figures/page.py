"""Fills in page.md, the template of docs/figures.md."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2

from staff.course import read_course
from staff.figures import fresh
from staff.figures.counting import by_function
from staff.figures.measured import Measured
from staff.figures.mutants import Change
from staff.figures.outcome import LAST_LINES, Outcome

TEMPLATE = "page.md"


@dataclass(frozen=True)
class Figures:
    """Everything that the page shows."""

    measured: Measured
    mutants: Sequence[Outcome]
    # Why a mutant keeps a full score, for each mutant with a reason.
    reasons: Mapping[Change, str]
    without_reason: Sequence[Change]  # the other mutants that keep a full score
    # The outcomes of the incorrect submissions in this repository.
    incorrect: Sequence[Outcome]
    # The outcomes of the correct submissions in this repository.
    correct: Sequence[Outcome]
    # The results for fresh mistakes; None if nobody has read their screens.
    fresh: fresh.Results | None


def page(figures: Figures) -> str:
    """Write the text of docs/figures.md."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    values = {
        "version": read_course().version,
        "cosmic_ray": version("cosmic-ray"),
        "last_lines": LAST_LINES,
        "measured": figures.measured,
        "mutants": by_function(figures.mutants),
        "without_reason": figures.without_reason,
        "reasons": _by_reason(figures.reasons),
        "incorrect": by_function(figures.incorrect),
        "correct": figures.correct,
        "accused": [
            outcome.submission.label for outcome in figures.correct if outcome.lost
        ],
        "fresh": figures.fresh,
    }
    if figures.fresh:
        values |= _of_fresh_ones(figures.fresh)
    text = environment.get_template(TEMPLATE).render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _by_reason(reasons: Mapping[Change, str]) -> dict[tuple[str, str], list[Change]]:
    """Group mutants by function and reason, in the order of the mutants."""
    groups: dict[tuple[str, str], list[Change]] = {}
    for change, reason in reasons.items():
        groups.setdefault((change.function, reason), []).append(change)
    return groups


def _of_fresh_ones(results: fresh.Results) -> dict[str, Any]:
    """The values for the page's section about fresh mistakes."""
    shares = {"named or located": results.share("named", "located")}
    shares |= {verdict: results.share(verdict) for verdict in fresh.VERDICTS}
    rows = []
    for function in dict.fromkeys(mistake.function for mistake in results.mistakes):
        verdicts = Counter(
            mistake.verdict
            for mistake in results.mistakes
            if mistake.function == function
        )
        counts = {verdict: verdicts[verdict] for verdict in fresh.VERDICTS}
        rows.append({"function": function, "mistakes": verdicts.total(), **counts})
    without_loss = sum(not mistake.loses_points for mistake in results.mistakes)
    return {"shares": shares.items(), "fresh_rows": rows, "without_loss": without_loss}
