"""Whatever the handout says can be typed: it exists, it works, and it prints what
stands there.
"""

import functools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from grader.verbs import VERBS
from staff.tests.conftest import KIT
from staff.tests.support.handouts import (
    SUBSETS,
    WHOLE,
    blocks,
    rendered,
    rendered_files,
)
from staff.tests.support.waiting import LONG


def commands() -> list[str]:
    """The commands of the handout, whatever parts a course chooses.

    They are the lines of its shell blocks, and the commands within its sentences.
    """
    lines: set[str] = set()
    for parts in SUBSETS:
        text = rendered(parts)
        lines.update(re.findall(r"`((?:make|\.venv/bin/python) [a-z-][^`]*)`", text))
        for block in blocks("sh", text):
            for line in block.splitlines():
                lines.add(line.partition("  #")[0].strip())
    return sorted(lines - {""})


COMMANDS = commands()


OF_MAKE = ("ARGS", "ITEMIZED", "PYTHON", "VENV")  # make reads these itself
PYTHON = ".venv/bin/python"
MAKEFILE = (KIT / "Makefile").read_text(encoding="utf-8")


@functools.cache
def help_of(verb: str) -> str:
    command = [sys.executable, "-m", "grader", verb, "--help"]
    return subprocess.run(command, cwd=KIT, capture_output=True, text=True).stdout


def verbs_of_make() -> set[str]:
    """The verbs that the Makefile knows."""
    (verbs,) = re.findall(r"^VERBS = (.*)$", MAKEFILE, re.MULTILINE)
    return {*verbs.split()}


def commands_with(*first_words: str) -> list[str]:
    """The commands that begin with one of these words, behind their settings."""
    return [
        command
        for command in COMMANDS
        if re.sub(r"^[A-Z]+=\S+ ", "", command).startswith(first_words)
    ]


MAKE = commands_with("make")
GRADER = commands_with(f"{PYTHON} grader")
OTHER_PYTHON = sorted({*commands_with("python", PYTHON)} - {*GRADER})


def test_every_command_is_tried() -> None:
    """The test of handing in types the commands of git."""
    tried = {*MAKE, *GRADER, *OTHER_PYTHON, *commands_with("git", "cd")}
    assert tried == {*COMMANDS}


@pytest.mark.parametrize("command", MAKE)
def test_make_knows_the_verb_and_its_settings(command: str) -> None:
    verb = re.search(r"\bmake ?(\w*)", command)
    assert verb
    assert verb[1] in {"", *verbs_of_make()}
    for name in re.findall(r"\b([A-Z_]+)=", command):
        assert name in OF_MAKE or f"--{name.lower()}" in help_of(verb[1]), name


@pytest.mark.parametrize("command", GRADER)
def test_the_grader_knows_the_verb(command: str) -> None:
    assert command.split()[2] in VERBS


@pytest.mark.parametrize("command", OTHER_PYTHON)
def test_python_finds_the_files(command: str) -> None:
    _, *words = command.split()
    files = [word for word in words if word not in (".venv", "-m", "doctest")]
    assert [file for file in files if not (KIT / file).exists()] == []


# --- handing in ----------------------------------------------------------------------


class Student:
    """A student who has never used git, and a repository on a server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = folder / "student.git"
        self.environment = os.environ | {"GIT_CONFIG_GLOBAL": str(folder / "gitconfig")}
        template = folder / "template"
        template.mkdir()
        (template / "lab.py").write_text("# nothing yet\n", "utf-8")
        for line in (
            "git config --global init.defaultBranch main",
            "git config --global user.name me",
            "git config --global user.email me",
            "git init -q",
            "git add .",
            "git commit -q -m Template",
            f"git clone -q --bare . {self.server}",
        ):
            self.type(line, template)

    def type(self, line: str, folder: Path) -> str:
        """Type a line in a folder; what it prints."""
        words = shlex.split(line)
        done = subprocess.run(
            words, cwd=folder, env=self.environment, check=True, stdout=subprocess.PIPE
        )
        return done.stdout.decode()


def lines_of_git() -> list[str]:
    """The lines of git in the README of students, in their order."""
    lines = "".join(blocks("sh", rendered_files()["README.md"])).splitlines()
    return [
        line.partition("  #")[0] for line in lines if line.startswith(("git ", "cd "))
    ]


def test_work_is_handed_in_with_the_git_commands_of_the_handout(
    tmp_path: Path,
) -> None:
    """Those who have never used git type them in their order."""
    student = Student(tmp_path)
    clone, change_folder, *others = lines_of_git()
    assert clone.startswith("git clone ")
    assert change_folder.split()[:2] == ["cd", "games-lab"]
    student.type(clone.replace("ADDRESS", str(student.server)), tmp_path)
    lab = tmp_path / "games-lab" / "lab.py"
    lab.write_text("# my work\n", "utf-8")
    for line in others:
        student.type(line, lab.parent)
    assert student.type("git show main:lab.py", student.server) == "# my work\n"


# --- games ---------------------------------------------------------------------------


def shown_by(command: str, typed: str = "") -> str:
    """What `make play` or `make run` prints with these words, to somebody who types
    this.
    """
    setting, _, words = command.partition("make ")
    verb, *arguments = shlex.split(words)
    given = " ".join(word.removeprefix("ARGS=") for word in arguments)
    environment = dict(os.environ)
    if setting:
        name, _, value = setting.strip().partition("=")
        environment[name] = value
    done = subprocess.run(
        [sys.executable, "-m", "grader", verb, *given.split()],
        cwd=KIT, input=typed, env=environment, capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "command", [line for line in MAKE if re.search("make (play|run .)", line)]
)
def test_games_can_be_played_and_solved(command: str) -> None:
    printed = shown_by(command)
    assert "ITEMIZED=0" not in command or printed.startswith("WIN: ")
    assert 'make run ARGS="tic_tac_toe' not in command or "TOTAL: 5478\n" in printed
    assert "ITEMIZED=1" not in command or "X...O....: TIE\n" in printed


SCREENS = [
    screen
    for screen in blocks("text", WHOLE)
    if screen.startswith(("$ make play", "$ make run"))
]


def test_the_handout_has_a_screen_of_play_and_one_of_run() -> None:
    assert len(SCREENS) == 2


@pytest.mark.parametrize("screen", SCREENS, ids=["first", "second"])
def test_screens_of_play_and_run_are_real(screen: str) -> None:
    command, _, lines = screen.removeprefix("$ ").partition("\n")
    answers = re.findall(r"your move.*: (\d+)$", lines, re.MULTILINE)
    typed = "".join(f"{answer}\n" for answer in answers)
    assert lines.removeprefix("...\n") in shown_by(command, typed)
