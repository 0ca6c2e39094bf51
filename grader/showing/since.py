"""What has changed since the same lab.py was graded before: points, and cases newly right and newly wrong."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.grading.rounding import shown
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status
from grader.protocol.words import plural

SAME, PASS = ("lab", "version", "cases_sha256"), Status.PASS.value


def read_results(file: Path) -> Any:
    """What a results.json says; nothing where there is none that can be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, ValueError, RecursionError):
        return {}


def since(last: str, earlier: Any, sheet: ScoreSheet) -> str:
    """What has changed since then, in a sentence; empty where nothing has, or where two runs cannot be compared.

    `earlier` is what an earlier sheet of all cases had in its results.json, and `last` names that run.
    """
    now = sheet.data
    try:
        if any(earlier[key] != now[key] for key in SAME):
            return ""
        before = {case["id"]: case["status"] for case in earlier["cases"]}
        gained = Fraction(round(100 * (now["score"] - earlier["score"])), 100)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        return ""
    passes = {case["id"]: case["status"] == PASS for case in now["cases"]}
    right = [case for case, passed in passes.items() if passed and before.get(case, PASS) != PASS]
    wrong = [case for case, passed in passes.items() if not passed and before.get(case) == PASS]
    told = [f"{'+' if gained > 0 else ''}{shown(gained)} point{'' if abs(gained) == 1 else 's'}"] if gained else []
    told += [f"{plural(len(right), 'case')} newly right"] if right else []
    told += [f"{plural(len(wrong), 'case')} newly wrong"] if wrong else []
    return f"Since the last {last}: {', '.join(told)}." if told else ""
