"""What has changed since the same lab.py was graded before: points, and cases newly right and newly wrong."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.grading.rounding import shown
from grader.grading.sheet import ScoreSheet
from grader.judging.status import Status
from grader.pipe.words import plural

SAME = ("lab", "version", "cases_sha256")


def read_results(file: Path) -> Any:
    """What a results.json says; nothing where there is none that can be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def since(last: str, earlier: Any, sheet: ScoreSheet) -> str:
    """What has changed since then, in a sentence; empty where nothing has, or where two runs cannot be compared.

    `earlier` is what an earlier sheet of all cases had in its results.json, and `last` names that run.
    """
    now = sheet.as_data()
    try:
        if any(earlier[key] != now[key] for key in SAME):
            return ""
        before, after = _passed(earlier), _passed(now)
        gained = Fraction(round(100 * (now["score"] - earlier["score"])), 100)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        return ""
    right = [case for case, passed in after.items() if passed and before.get(case) is False]
    wrong = [case for case, passed in after.items() if before.get(case) and not passed]
    told = [f"{'+' if gained > 0 else ''}{shown(gained)} points"] if gained else []
    told += [f"{plural(len(right), 'case')} newly right"] if right else []
    told += [f"{plural(len(wrong), 'case')} newly wrong"] if wrong else []
    return f"Since the last {last}: {', '.join(told)}." if told else ""


def _passed(results: Mapping[str, Any]) -> dict[str, bool]:
    return {case["id"]: case["status"] == Status.PASS.value for case in results["cases"]}
