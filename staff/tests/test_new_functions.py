"""Two functions that the kit has never seen are added, graded and released.

new_functions.yaml has the steps.  If somebody leaves out a step, or makes a mistake in
a kind, one line says which.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest
import yaml

from staff.tests.conftest import adds_part_5
from staff.tests.support.masters import change, copy_master, decide, with_few_cases

pytestmark = adds_part_5
STEPS: dict[str, dict[str, str]] = yaml.safe_load(
    Path(__file__).with_name("new_functions.yaml").read_text("utf-8")
)
LEAVES = "grader/kinds/leaves"
KIND = f"{LEAVES}/kind.py"
WRITING = "staff/kinds/leaves.py"


def master_without(left_out: str, folder: Path) -> Path:
    """A copy of this master copy with the two functions, but without one step."""
    master = with_few_cases(copy_master(folder))
    decide(master, parts="[0, 1, 2, 3, 4, 5]")
    for step, files in STEPS.items():
        if step != left_out:
            for name, text in files.items():
                add(text, master, name)
    return master


def add(text: str, master: Path, name: str) -> None:
    """Add a text to a file, or write the file if it is new."""
    file = master / name
    if name == "lab.py":
        change(file, "\ndef try_it", f"\n{text}\n\ndef try_it")
    elif name == "boards/points.yaml":
        change(file, "total: 100", "total: 110")
        file.write_text(file.read_text("utf-8") + indent(text, "  "), "utf-8")
    else:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")


def typed(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "grader", *words], cwd=folder, capture_output=True, text=True
    )


def made(master: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    """Type the commands that make a release, up to the first one that fails."""
    expectations = typed(master, "expectations")
    if expectations.returncode:
        return expectations
    # A release has the files that git knows.
    subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    return typed(master, "release", "--out", str(out))


def refusal(done: "subprocess.CompletedProcess[str]") -> str:
    """The one line of a command that refuses; lines of progress do not count."""
    lines = [line for line in done.stderr.splitlines() if not line.startswith("... ")]
    assert (done.returncode, len(lines)) == (2, 1), done.stderr
    return lines[0]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with the two functions; its folder also has the model solution."""
    folder = tmp_path_factory.mktemp("new")
    master = master_without("", folder / "master")
    done = made(master, folder / "release")
    assert done.returncode == 0, done.stderr
    shutil.copy(master / "lab.py", folder / "model.py")
    return folder / "release"


@pytest.mark.parametrize(
    ("old", "new", "score"),
    [
        ("", "", 110),
        ("sum(map(count_leaves", "sum(min(1, n) for n in map(count_leaves", 107),
        ("sign * result[1]", "result[1]", 103),
    ],
)
def test_a_release_grades_both(release: Path, old: str, new: str, score: int) -> None:
    model = (release.parent / "model.py").read_text("utf-8")
    (release / "lab.py").write_text(model.replace(old, new), "utf-8")
    shown = typed(release, "test").stdout
    results = json.loads((release / "build" / "results.json").read_text("utf-8"))
    assert results["score"] == score, shown
    counts_children = "count_leaves" in old
    assert ("leaves 16 4" in " ".join(shown.split())) is counts_children


def test_what_is_staffs_does_not_ship(release: Path) -> None:
    names = {file.relative_to(release).as_posix() for file in release.rglob("*.py")}
    assert f"{LEAVES}/worker.py" in names
    assert not [name for name in names if "staff" in name]


def test_a_kind_is_a_short_folder() -> None:
    assert sum(len(text.splitlines()) for text in STEPS["kind"].values()) <= 150


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        (
            "lab",
            "boards/cases/5a-negamax.yaml:7: four-by-four: the model's negamax_search: lab.py has no neg",
        ),
        ("points", "boards/cases/5a-negamax.yaml:1: points.yaml has no part 5"),
        (
            "kind",
            "`count_leaves` is of the kind `leaves`; grader/kinds/ has board, command, ",
        ),
        (
            "negamax cases",
            "negamax_search has points but no case in boards/cases/; add one",
        ),
        (
            "tests",
            "tests/test_part5.py:1: part 5 has no test; write `def test_part5(case, grade):`",
        ),
        ("handout", "part 5 has no section"),
    ],
)
def test_a_step_left_out_is_one_line(left_out: str, said: str, tmp_path: Path) -> None:
    master = master_without(left_out, tmp_path / "master")
    assert said in refusal(made(master, tmp_path / "release"))
    assert not [*(tmp_path / "release").glob("*")]


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (WRITING, "WRITING = ", "OTHER = ", f"{WRITING}:1: AttributeError"),
        (WRITING, '{"leaves": ask(', '{"leaves": lambda: (', f"{WRITING}:1: RepresenterError"),
        (WRITING, "def check(self, function", "def check(self", f"{WRITING}:1: TypeError"),
        (KIND, "import returned, show", "import returns", f"{KIND}:1: ImportError: cannot import"),
        (KIND, "def judge(", "def jugde(", f"{KIND}:1: TypeError: Can't instantiate"),
        (f"{LEAVES}/worker.py", '{"value": ', '{"values": ', "kind.py of `leaves` cannot read what worker.py sends: {"),
        (f"{LEAVES}/schema.json", '"title": ', '"title" ', f"{LEAVES}/schema.json:1: JSONDecodeError"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_kind_is_one_line(
    name: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    master = master_without("", tmp_path / "master")
    change(master / name, old, new)
    assert said in refusal(typed(master, "expectations"))
    (master / name).unlink()
    assert f"there is no {name}; " in refusal(typed(master, "expectations"))
