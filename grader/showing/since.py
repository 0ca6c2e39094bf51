"""What has changed since the same lab.py was graded before: points, and cases newly right and newly wrong."""

import json
from pathlib import Path
from typing import Any

from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status
from grader.protocol.words import plural

SAME = ("format", "lab", "version", "cases_sha256")


def read_results(file: Path) -> Any:
    """What a results.json says; nothing when there is none that can be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def since(last: str, earlier: Any, sheet: ScoreSheet) -> str:
    """What has changed since then, in a sentence; empty when nothing has, or when two runs cannot be compared.

    `earlier` is what an earlier sheet of all cases had in its results.json, and `last` names that run.
    """
    now = sheet.data
    if sheet.import_failure or any(earlier.get(key) != now[key] for key in SAME):
        return ""
    passed_before = {case["id"]: case["status"] == Status.PASS.value for case in earlier["cases"]}
    passes = {case["id"]: case["status"] == Status.PASS.value for case in now["cases"]}
    right = sum(passes[case] and not passed_before.get(case, True) for case in passes)
    wrong = sum(passed_before.get(case, False) and not passes[case] for case in passes)
    gained = round(now["score"] - earlier["score"], 2)
    changes = [f"{gained:+g} point{'' if abs(gained) == 1 else 's'}"] if gained else []
    changes += [f"{plural(right, 'case')} newly right"] if right else []
    changes += [f"{plural(wrong, 'case')} newly wrong"] if wrong else []
    return f"Since the last {last}: {', '.join(changes)}." if changes else ""
