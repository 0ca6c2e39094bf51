"""Two checkouts are compared by their verdicts."""

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

from staff.compare import differences, results
from staff.tests.conftest import KIT


def test_a_checkout_is_like_itself() -> None:
    words = [sys.executable, "-m", "staff.compare", str(KIT), "--labs", "model"]
    done = subprocess.run(words, cwd=KIT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "labs compared: 1; with differences: 0\n")


def test_each_difference_is_a_line() -> None:
    (before,) = results(KIT, [Path(KIT / "lab.py")])
    after: dict[str, Any] = copy.deepcopy(before)
    assert differences(before, after) == []
    assert "seconds" not in before["cases"][0] and "most_processes" not in before["locks"]  # as many as there are now
    after["score"] = 99
    after["cases"][0]["message"] = "No."
    first = before["cases"][0]["id"]
    said = before["cases"][0]["message"]
    assert differences(before, after) == ["score: 100.0 -> 99", f"{first}: message: {said} -> No."]
    assert differences(before, {**before, "cases": before["cases"][1:]})[-1].startswith(f"{first}: ")
