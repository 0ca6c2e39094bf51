"""`make run`: the strong solution on standard output, to the last character, and nothing else there.

The graded cases stand in boards/cases/0c-make-run.yaml.  Bad arguments carry no points: there the
kit answers, not your code.
"""

import subprocess
import sys
from pathlib import Path

import pytest

KIT = Path(__file__).parent.parent


def test_make_run(case, grade):
    """Your game and your `solve`, printed."""
    grade(case)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "which game?"),
        (["chess"], "there is no game 'chess'"),
        (["zero_by"], "needs a number of items and at least one removal"),
        (["zero_by", "10"], "needs a number of items and at least one removal"),
        (["zero_by", "0", "1"], "'0' is not a positive whole number"),
        (["zero_by", "10", "-1"], "'-1' is not a positive whole number"),
        (["zero_by", "10", "1.5"], "'1.5' is not a positive whole number"),
        (["zero_by", "ten", "1"], "'ten' is not a positive whole number"),
    ],
)
def test_bad_arguments(words, complaint):
    """One line on standard error, with the usage; nothing on standard output; exit status 2."""
    run = subprocess.run([sys.executable, "grader", "run", *words], cwd=KIT, capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stdout == ""
    assert complaint in run.stderr
    assert "usage: make run" in run.stderr
    assert len(run.stderr.splitlines()) == 1
