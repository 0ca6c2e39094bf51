"""CONTRIBUTING.md works as it stands: its function is added to a copy of the master
copy, and released.
"""

import re
import subprocess
import sys
from pathlib import Path

from staff.tests.conftest import KIT, adds_part_5
from staff.tests.support.masters import (
    change,
    copy_master,
    decide,
    release_from,
    with_few_cases,
)


@adds_part_5
def test_a_function_is_added_as_it_says(tmp_path: Path) -> None:
    text = (
        (KIT / "CONTRIBUTING.md")
        .read_text("utf-8")
        .partition("## Add a function")[2]
        .partition("\n## Add a kind")[0]
    )
    written = re.findall(
        r"\bIn `([\w/.-]+)`[^\n]*(?:\n[^\n]+)*\n\n```\w+\n(.*?)^```$", text, re.M | re.S
    )
    assert len(written) == 5
    master = with_few_cases(copy_master(tmp_path / "master"))
    for name, block in written:
        if name == "lab.py":
            change(master / name, "\n\ndef try_it", f"\n\n{block}\n\ndef try_it")
        else:
            with (master / name).open("a", encoding="utf-8") as stream:
                stream.write(block)
    change(master / "boards" / "points.yaml", "total: 100", "total: 104")
    decide(master, parts="[0, 1, 2, 3, 4, 5]")
    for words, printed in (
        (["expectations"], ": minimizer-first: new: "),
        (["test", "--k", "negamax"], "4 of 4 points in 2"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "grader", *words],
            cwd=master,
            capture_output=True,
            text=True,
        )
        assert printed in done.stdout, done.stdout + done.stderr
    release = release_from(master, tmp_path / "release")
    assert "def negamax_search(state, maximize=True):" in (
        release / "lab.py"
    ).read_text("utf-8")
    assert "best(after, -sign)" not in (release / "lab.py").read_text("utf-8")
    assert "## Part 5: negamax" in (release / "README.md").read_text("utf-8")
