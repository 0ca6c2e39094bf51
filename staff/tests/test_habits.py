"""What whoever carries on relies on: CONTRIBUTING.md works as it stands, and the kit's own workflow."""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from staff.check import QUICK, STEPS
from staff.release.tree import OF_THE_MASTER
from staff.tests.conftest import KIT, adds_part_5
from staff.tests.support.handouts import blocks
from staff.tests.support.masters import change, copy_master, decide, release_from, with_few_cases

CONTRIBUTING = (KIT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = [line.partition("  #")[0].strip() for block in blocks("sh", CONTRIBUTING) for line in block.splitlines()]


def section(heading: str) -> str:
    """What stands below a heading of CONTRIBUTING.md."""
    found = re.search(rf"^## {heading}\n(.*?)(?=^## (?:Add|Change|Cut|The) )", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


# --- the environment of the tests -------------------------------------------------------------------


def test_the_tests_are_the_same_below_make_on_a_service_and_in_a_hook_of_git() -> None:
    """Three tests that would see it: a command in a hint, what git knows of a folder, and whose process grades."""
    tests = (
        "test_places.py::test_hints_below_make_cmd_are_those_of_make",
        "test_user.py::test_without_the_variable_nothing_changes",
        "test_check.py::test_a_step_that_fails_is_named_and_the_others_run",
    )
    odd = {
        "MAKELEVEL": "2", "MAKE_CMD": "1", "MAKEFLAGS": "n", "LAB": "gone.py", "FAST": "1", "COURSE": "1", "CI": "true",
        "GITHUB_ACTIONS": "true", "NO_COLOR": "1", "COLUMNS": "20", "TERM": "dumb", "GRADER_USER": "nobody-there",
        "GIT_DIR": "nowhere", "PYTHONBREAKPOINT": "0",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *(f"staff/tests/{test}" for test in tests)],
        cwd=KIT, env=os.environ | odd, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


# --- CONTRIBUTING.md ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", sorted(set(COMMANDS)))
def test_commands_exist(command: str) -> None:
    words = shlex.split(command)
    if words[0] == "make":
        makefiles = "".join((KIT / name).read_text(encoding="utf-8") for name in ("Makefile", "staff/Makefile"))
        assert re.search(rf"^([\w ]+ )?{words[1]}\b[\w ]*:", makefiles, re.MULTILINE)
        for word in words[2:]:
            assert re.search(rf"\b{word.partition('=')[0]}=", makefiles), word
    elif words[0] != "git":
        assert words[:2] == [".venv/bin/python", "-m"]
        assert importlib.util.find_spec(words[2])
        assert [word for word in words[3:] if "/" in word and not (KIT / word).exists()] == []


def test_files_that_it_names_exist() -> None:
    names = re.findall(r"`((?:\.github|boards|grader|staff|tests)/[\w./]*)`", CONTRIBUTING.partition("## The rooms")[0])
    written = {"tests/test_part5.py", "staff/handout/part5.md", "staff/handout/partN.md"}
    assert [name for name in names if name not in written and not (KIT / name).exists()] == []


@adds_part_5
def test_a_function_is_added_as_it_says(tmp_path: Path) -> None:
    text = section("Add a function")
    written = re.findall(r"\bIn `([\w/.-]+)`[^\n]*(?:\n[^\n]+)*\n\n```\w+\n(.*?)^```$", text, re.M | re.S)
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
        done = subprocess.run([sys.executable, "-m", "grader", *words], cwd=master, capture_output=True, text=True)
        assert printed in done.stdout, done.stdout + done.stderr
    still = [sys.executable, "-m", "pytest", "-q", "--doctest-modules", "boards"]
    done = subprocess.run(still, cwd=master, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    release = release_from(master, tmp_path / "release")
    assert "def negamax_search(state, maximize=True):" in (release / "lab.py").read_text("utf-8")
    assert "best(after, -sign)" not in (release / "lab.py").read_text("utf-8")
    assert "## Part 5: negamax" in (release / "README.md").read_text("utf-8")


def test_a_kind_has_the_files_that_it_says() -> None:
    named = set(re.findall(r"^\| `([\w.]+)` \|", section("Add a kind"), re.MULTILINE))
    for file in (KIT / "grader" / "kinds").glob("*/kind.py"):
        assert named <= {each.name for each in file.parent.iterdir()}, file.parent.name


def test_the_misconception_is_one_of_those_there() -> None:
    wrong_lab, name = blocks("yaml", section("Add a misconception"))
    assert wrong_lab in (KIT / "staff" / "wrong_labs.yaml").read_text(encoding="utf-8")
    assert name in (KIT / "staff" / "misconceptions.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(wrong_lab)[0]["id"] in yaml.safe_load(name)[0]["wrong_labs"]
    assert any(command.endswith(f"-k {yaml.safe_load(wrong_lab)[0]['id']}") for command in COMMANDS)


# --- CHANGELOG.md ---------------------------------------------------------------------------------


def test_the_changelog_keeps_its_form() -> None:
    text = (KIT / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *versions = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert first == "[Unreleased]"
    found = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)", version) for version in versions]
    numbers = [tuple(map(int, each.groups()[:3])) for each in found if each]
    assert len(numbers) == len(versions)
    assert numbers == sorted(numbers, reverse=True)
    headings = set(re.findall(r"^###+ (.*)$", text, re.MULTILINE))
    assert headings <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


# --- the hooks ------------------------------------------------------------------------------------

(LOCAL,) = yaml.safe_load((KIT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
HOOKS = {hook["id"]: hook for hook in LOCAL["hooks"]}


def test_the_hooks_are_steps_of_make_check() -> None:
    assert LOCAL["repo"] == "local"
    assert HOOKS.keys() == {"format", "lint", "types", "expectations", "end-of-file"}
    for name in HOOKS.keys() - {"end-of-file"}:
        assert HOOKS[name]["entry"].replace(".venv/bin/python", sys.executable).split() == STEPS[name]


@pytest.mark.parametrize("name", ["format", "lint"])  # make check itself takes the others
def test_what_a_hook_asks_is_so_here(name: str) -> None:
    done = subprocess.run(STEPS[name], cwd=KIT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_files_end_with_one_end_of_line() -> None:
    ending = re.compile(HOOKS["end-of-file"]["entry"].encode(), re.MULTILINE)
    assert all(ending.search(text) for text in (b"no end", b"two\n\n", b"\n"))
    assert not any(ending.search(text) for text in (b"", b"one\n", b"a\n\nb\n"))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=KIT, capture_output=True, check=True).stdout.decode()
    texts = {name: (KIT / name).read_bytes() for name in listed.split("\0") if name and (KIT / name).is_file()}
    assert [name for name, text in texts.items() if b"\0" not in text and ending.search(text)] == []


def test_mypy_sees_all_but_other_peoples_labs() -> None:
    mypy = tomllib.loads((KIT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert mypy["strict"]
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=KIT, capture_output=True, check=True, text=True).stdout
    assert {name.partition("/")[0].removesuffix(".py") for name in listed.split()} == {
        *mypy["packages"],
        *mypy["modules"],
    }
    assert mypy["exclude"] == ["grader/environment.py", "staff/right_labs/"]
    assert not [over for over in mypy["overrides"] if "staff" in str(over["module"])]


# --- the kit's own workflow -----------------------------------------------------------------------

FILE = KIT / ".github" / "workflows" / "kit.yml"
WORKFLOW: dict[Any, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
JOB = WORKFLOW["jobs"]["check"]


def test_the_workflow_runs_on_three_systems_and_every_python() -> None:
    assert set(WORKFLOW[True]) == {"push", "pull_request", "workflow_dispatch"}  # `on` is true in YAML 1.1
    matrix = JOB["strategy"]["matrix"]
    assert re.findall(r"\w+-latest", matrix["os"])[1:] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    project = tomllib.loads((KIT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={matrix['python'][0]}"
    assert matrix["python"] == [f"3.{minor}" for minor in range(11, 15)]


def test_the_workflow_is_as_careful_as_the_students() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert JOB["steps"][0]["with"] == {"persist-credentials": False}
    classroom = FILE.with_name("classroom.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", FILE.read_text(encoding="utf-8"))
    assert used
    assert set(used) <= set(re.findall(r"uses: (.*)", classroom))
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in used)
    assert not any("${{" in step.get("run", "") for step in JOB["steps"])


def test_the_workflow_checks_everywhere() -> None:
    set_up, check, on_windows = (step for step in JOB["steps"] if "run" in step)
    assert set_up["run"] == "python grader/environment.py .venv pyproject.toml"
    assert (check["if"], check["run"]) == ("runner.os != 'Windows'", "make check")
    assert on_windows["if"] == "runner.os == 'Windows'"
    assert on_windows["run"] == r".venv\Scripts\python grader check FAST=1"


def test_the_quick_tests_run_on_windows_too() -> None:
    needs = re.compile(r'\["(?:make|bash)", *"|shell=True|^import (?:fcntl|pty|pwd|termios)$', re.MULTILINE)
    files = {name: KIT / "staff" / "tests" / f"test_{name}.py" for name in QUICK}
    assert [name for name, file in files.items() if needs.search(file.read_text(encoding="utf-8"))] == []


def test_what_only_the_master_has_is_there() -> None:
    assert {"CONTRIBUTING.md", "CHANGELOG.md", ".pre-commit-config.yaml", ".github/workflows/kit.yml"} <= OF_THE_MASTER
    assert [name for name in OF_THE_MASTER if not (KIT / name).exists()] == []


def test_no_test_hangs_on_what_this_course_decides() -> None:
    """So that `make check` passes in a master copy whose course.yaml is no longer the one that was handed out."""
    tests = {file.name: file.read_text("utf-8") for file in (KIT / "staff" / "tests").rglob("*.py")}
    asking = {name for name, text in tests.items() if "read_course(" + ")" in text}
    assert asking == {"masters.py"}  # whose copies have a course of the tests
