"""The two functions of CONTRIBUTING.md and docs/kinds.md, which the kit has never seen,
are added, graded and released.

Each step that is left out, and each mistake in a kind, is one line that says which.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from staff.tests.conftest import adds_part_5
from staff.tests.support.masters import change, copy_master, with_few_cases
from staff.tests.support.recipes import Set, Written, steps_of

pytestmark = [adds_part_5, pytest.mark.long]
LEAVES = "grader/kinds/leaves"
KIND = f"{LEAVES}/kind.py"
WRITING = "staff/kinds/leaves.py"
NOT_COPIED = ("README.md", "staff/tests/")  # a release is cut without them


def steps() -> list[Written | Set]:
    """What the two recipes write into files of a copied master copy."""
    of_both = [
        *steps_of("CONTRIBUTING.md", "Add a function"),
        *steps_of("docs/kinds.md"),
    ]
    return [
        step
        for step in of_both
        if isinstance(step, Written | Set) and not step.file.startswith(NOT_COPIED)
    ]


def master_without(left_out: str, folder: Path) -> Path:
    """A copy of this master copy with the two functions, but for one file or folder."""
    master = with_few_cases(copy_master(folder))
    for step in steps():
        if not left_out or not step.file.startswith(left_out):
            step.do(master)
    return master


def typed(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "grader", *words], cwd=folder, capture_output=True, text=True
    )


def made(master: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    """What is typed to have a release of it, up to the first command that fails."""
    done = typed(master, "expectations")
    subprocess.run(
        ["git", "add", "--all"], cwd=master, check=True
    )  # a release contains only tracked files
    return done if done.returncode else typed(master, "release", "--out", str(out))


def refusal(done: "subprocess.CompletedProcess[str]") -> str:
    """The one line of a command that refuses, beside what it was doing."""
    said = [line for line in done.stderr.splitlines() if not line.startswith("... ")]
    assert (done.returncode, len(said)) == (2, 1), done.stderr
    return said[0]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with the two functions, whose model is beside it."""
    folder = tmp_path_factory.mktemp("new")
    master = master_without("", folder / "master")
    done = made(master, folder / "release")
    assert done.returncode == 0, done.stderr
    shutil.copy(master / "lab.py", folder / "model.py")
    return folder / "release"


def test_a_release_grades_both(release: Path) -> None:
    model = (release.parent / "model.py").read_text("utf-8")
    counts_children = model.replace(
        "sum(count_leaves(after) for after in state.generate_next_states())",
        "len(state.generate_next_states())",
    )
    ignores_the_sign = model.replace(
        "return path, sign * score,", "return path, score,"
    )
    for lab, score in ((model, 107), (counts_children, 104), (ignores_the_sign, 105)):
        (release / "lab.py").write_text(lab, "utf-8")
        shown = typed(release, "test").stdout
        assert (
            json.loads((release / "build" / "results.json").read_text("utf-8"))["score"]
            == score
        ), shown
        assert ("leaves 16 4" in " ".join(shown.split())) is (lab is counts_children)


def test_what_is_staffs_does_not_ship(release: Path) -> None:
    names = {file.relative_to(release).as_posix() for file in release.rglob("*.py")}
    assert f"{LEAVES}/worker.py" in names
    assert not [name for name in names if "staff" in name]


def test_a_kind_is_a_short_folder() -> None:
    files = (LEAVES, WRITING)
    kind = [
        step
        for step in steps()
        if isinstance(step, Written) and step.file.startswith(files)
    ]
    assert sum(len(step.text.splitlines()) for step in kind) <= 150


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        (
            "lab.py",
            "boards/cases/5-negamax.yaml:5: maximizer-first: the model's negamax_search: lab.py has no neg",
        ),
        (
            "boards/points.yaml",
            "boards/cases/5-negamax.yaml:2: points.yaml has no part 5",
        ),
        (
            LEAVES,
            "`count_leaves` is of the kind `leaves`; grader/kinds/ has board, command, ",
        ),
        (
            "boards/cases/5",
            "negamax_search has points but no case in boards/cases/; add one",
        ),
        (
            "tests/",
            "tests/test_part5.py:1: part 5 has no test; write `def test_part5(case, grade):`",
        ),
        ("staff/handout/", "part 5 has no section"),
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
