"""What people type: every command of the README, make and its verbs, a fresh clone, broken set-ups."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from staff.chaffs import with_body
from staff.tests.conftest import KIT

TEN_BY_ONE_OR_TWO = "".join(f"{n}: {'LOSE' if n % 3 == 0 else 'WIN'}\n" for n in range(10, -1, -1))


def run(command: str, cwd: Path = KIT, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as a person does, with the environment that these tests run in."""
    keep = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return subprocess.run(
        command, shell=True, cwd=cwd, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
        env={**keep, "VENV": sys.prefix, **environment},
    )  # fmt: skip


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tracked and new files, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("a clone") / "kit"
    listed = run("git ls-files --cached --others --exclude-standard").stdout.splitlines()
    for name in listed:
        if (KIT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(KIT / name, folder / name)
    return folder


def test_make_run_prints_the_eleven_lines(clone: Path) -> None:
    done = run('make run ARGS="zero_by 10 1 2"', clone)
    assert done.stdout == TEN_BY_ONE_OR_TWO
    assert done.returncode == 0


def test_make_run_stays_clean_below_another_make(clone: Path) -> None:
    (clone / "outer.mk").write_text("all:\n\t@$(MAKE) run ARGS='zero_by 10 1 2'\n")
    assert run("make --no-print-directory -f outer.mk", clone).stdout == TEN_BY_ONE_OR_TWO


def test_make_run_of_a_lab_that_prints_everywhere(clone: Path, model: str, tmp_path: Path) -> None:
    noise = "import os\nprint('noise')\nos.write(1, b'more noise')\n"
    text = noise + model.replace("values = {}\n", "values = {}\n    print('solving')\n    os.write(1, b'x')\n", 1)
    lab = tmp_path / "lab.py"
    lab.write_text(text, encoding="utf-8")
    done = run('make run ARGS="zero_by 10 1 2"', clone, LAB=str(lab))
    assert done.stdout == TEN_BY_ONE_OR_TWO
    assert "solving" in done.stderr


def test_make_run_of_a_lab_that_fails(clone: Path, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("solve", "return 1 / 0", model), encoding="utf-8")
    done = run('make run ARGS="zero_by 10 1 2"', clone, LAB=str(lab))
    assert done.stdout == ""
    assert "ZeroDivisionError: division by zero (lab.py:" in done.stderr


def test_make_test_grades_the_model(clone: Path) -> None:
    done = run("make test", clone)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "100 of 100 points: everything passes."
    assert (clone / "build" / "results.json").exists()
    assert done.stdout.isascii()
    assert len(done.stdout.splitlines()) <= 24


def test_part_and_word_and_every_case(clone: Path) -> None:
    (clone / "build" / "results.json").unlink(missing_ok=True)
    part = run("make test PART=2", clone)
    assert part.returncode == 0
    assert "2  Searches" in part.stdout
    assert "1  Connect Four" not in part.stdout
    word = run("make test K=alphabeta V=1", clone)
    assert "pass        alphabeta/" in word.stdout
    assert "dfs/" not in word.stdout
    assert not (clone / "build" / "results.json").exists()
    nothing = run("make test K=nonsense", clone)
    assert nothing.returncode == 2
    assert "no case fits" in nothing.stderr


@pytest.mark.parametrize(
    ("words", "complaint"), [("test PART=x", "invalid int value: 'x'"), ("test PART=9", "no case")]
)
def test_bad_words(words: str, complaint: str, clone: Path) -> None:
    done = run(f"make {words}", clone)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_a_wrong_lab_is_explained(clone: Path, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model.replace("if alpha >= beta:", "if alpha > beta:"), encoding="utf-8")
    done = run("make test", clone, LAB=str(lab))
    assert done.returncode == 2
    assert "(make adds `Error 1` to this" in done.stdout.splitlines()[-1]
    assert f"```\n{done.stdout}```" in (KIT / "README.md").read_text(encoding="utf-8")


def test_pytest_alone_shows_the_same(clone: Path, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("dfs_maximizing", "return None", model), encoding="utf-8")
    done = run(f'"{sys.executable}" -m pytest tests -q', clone, LAB=str(lab))
    failed = re.findall(r"^FAILED .*::test_(\w+)", done.stdout, re.MULTILINE)
    assert set(failed) == {"dfs_maximizing"}
    assert "returned nothing (None)" in done.stdout


def test_no_lab_at_all(clone: Path) -> None:
    done = run("make test", clone, LAB="missing.py")
    assert done.returncode == 2
    assert "missing.py is not there" in done.stderr


def test_a_bad_case_file_is_one_line(clone: Path) -> None:
    file = clone / "boards" / "cases" / "2a-dfs.yaml"
    kept = file.read_text(encoding="utf-8")
    file.write_text(kept.replace("says:", "say:", 1), encoding="utf-8")
    done = run("make test", clone)
    file.write_text(kept, encoding="utf-8")
    assert done.returncode == 2
    assert "boards/cases/2a-dfs.yaml:" in done.stderr
    assert "did you mean `says`?" in done.stderr


def test_make_alone_lists_the_commands(clone: Path) -> None:
    done = run("make", clone)
    for words in ("make test", "make run", "make expectations", "make check", "make bench"):
        assert words in done.stdout


def test_the_same_verbs_without_make(clone: Path) -> None:
    done = run(f'"{sys.executable}" -m grader', clone)
    assert done.returncode == 2
    for verb in ("test", "run", "expectations", "check", "bench"):
        assert f"  {verb} " in done.stderr


def test_an_old_python_says_so(clone: Path) -> None:
    old = next(Path.home().glob(".pyenv/versions/3.[6-9].*/bin/python"), None)
    if old is None:
        pytest.skip("no old Python here")
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        ["make", "test", f"PYTHON={old}"], cwd=clone, capture_output=True, text=True, env=environment
    )  # fmt: skip
    assert "is too old; the lab needs 3.11 or newer" in done.stderr


def test_no_network_says_so(clone: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(
        ["make", "run", "ARGS=zero_by 10 1 2", f"PYTHON={sys.executable}"],
        cwd=clone, capture_output=True, text=True, env=environment,
    )  # fmt: skip
    shutil.rmtree(clone / ".venv", ignore_errors=True)
    assert done.stdout == ""
    assert "is there a network?" in done.stderr


def readme_commands() -> list[str]:
    """The lines of the README's shell blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", (KIT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    lines = (line.partition("   #")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line]


SLOW = ("make check", "make bench")


@pytest.mark.parametrize("command", readme_commands())
def test_every_command_of_the_readme(command: str, clone: Path) -> None:
    assert not command.startswith("git clone")
    # make check runs this very test, and make bench must have the machine for itself
    done = run(f"{command} --dry-run" if command in SLOW else command, clone)
    assert done.returncode == 0, done.stdout + done.stderr
