"""The recipes of CONTRIBUTING.md work as they stand: all of them are followed in one
clone, whose quick checks then pass.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from staff.tests.conftest import KIT, adds_part_5
from staff.tests.support.recipes import Set, Step, Typed, Written, steps_of
from staff.tests.support.typed import clone_into, run

pytestmark = pytest.mark.long

CONTRIBUTING = "CONTRIBUTING.md"
RECIPES: dict[str, list[Step]] = {
    "a case": steps_of("docs/cases.md", "Add a case"),
    "a function": steps_of(CONTRIBUTING, "Add a function"),
    "a kind": steps_of("docs/kinds.md"),
    "a misconception": steps_of(CONTRIBUTING, "Add a misconception"),
    "a change of the handout": steps_of(CONTRIBUTING, "Change the handout"),
}
END = steps_of(CONTRIBUTING, "The end of each recipe")
PRINTED = (
    "one-move-ahead: new: {'path': [0], 'score': 8, 'evaluations': 3}",
    "5-negamax.yaml:9: minimizer-first: new: ",
    "6-leaves.yaml:5: trees: new: {'leaves': 16}",
    "107 of 107 points: everything passes.",
    "running the wrong lab zero-by-never-exactly-all",
    "--- all is well",
)


def follow(steps: list[Step], clone: Path) -> str:
    """Do what a recipe says, in its order; what its commands print.

    The types of most files are known from this kit, so that the check takes less time.
    """
    printed = ""
    cache = str(KIT / ".mypy_cache")
    for step in steps:
        if isinstance(step, Typed):
            done = run(f"set -e\n{step.commands}", clone, MYPY_CACHE_DIR=cache)
            assert done.returncode == 0, step.commands + done.stdout + done.stderr
            printed += done.stdout
        else:
            step.do(clone)
    return printed


def raise_limits(clone: Path) -> None:
    """Raise the limits on tokens and words, as CONTRIBUTING says: the clone has more."""
    raised = {
        "tokens.py": [(r"^LIMIT = \w+", "LIMIT = 10**6")],
        "words.py": [
            (r"^    \"README.md\": \d+", '    "README.md": 10**6'),
            (r"^    HANDOUT: \d+", "    HANDOUT: 10**6"),
            (r"^LIMIT_BEFORE_PART_0 = \d+", "LIMIT_BEFORE_PART_0 = 10**6"),
        ],
    }
    for name, changes in raised.items():
        file = clone / "staff" / name
        text = file.read_text("utf-8")
        for old, new in changes:
            text, count = re.subn(old, new, text, flags=re.MULTILINE)
            assert count == 1, old
        file.write_text(text, "utf-8")


@adds_part_5
def test_all_recipes_work_to_the_end_in_one_clone(tmp_path: Path) -> None:
    clone = clone_into(tmp_path / "clone")
    (clone / ".venv").symlink_to(sys.prefix)
    subprocess.run(["git", "init", "--quiet"], cwd=clone, check=True)
    subprocess.run(["git", "add", "--all"], cwd=clone, check=True)
    printed = ""
    for steps in RECIPES.values():
        printed += follow(steps, clone)
    raise_limits(clone)
    printed += follow(END, clone)
    for words in PRINTED:
        assert words in printed
    stub = (clone / "build" / "release" / "lab.py").read_text("utf-8")
    assert "def negamax_search(state, maximize=True):" in stub
    assert "best(after, -sign)" not in stub


@pytest.mark.parametrize("recipe", RECIPES)
def test_each_recipe_writes_something(recipe: str) -> None:
    """A text that no longer has the form of a recipe would be followed by doing nothing."""
    assert any(isinstance(step, Written | Set) for step in RECIPES[recipe])
