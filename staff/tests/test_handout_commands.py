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


OF_MAKE = ("ARGS", "PYTHON", "VENV")


@functools.cache
def help_of(verb: str) -> str:
    command = [sys.executable, "-m", "grader", verb, "--help"]
    return subprocess.run(command, cwd=KIT, capture_output=True, text=True).stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_exist(command: str) -> None:
    words = [word for word in command.split() if not word.startswith("ITEMIZED=")]
    if words[0] in ("git", "cd"):
        return  # the test of handing in types these
    if words[0] == "make":
        makefile = (KIT / "Makefile").read_text(encoding="utf-8")
        verbs = re.search(r"^VERBS = (.*)$", makefile, re.MULTILINE)
        assert verbs and {*words[1:2]} <= {*verbs[1].split()}
        for name in re.findall(r"\b([A-Z_]+)=", command):
            assert name in OF_MAKE or f"--{name.lower()}" in help_of(words[1]), name
    elif words[:2] == [".venv/bin/python", "grader"]:
        assert words[2] in VERBS
    else:
        assert words[0] in ("python", ".venv/bin/python")
        assert all(
            (KIT / word).exists()
            for word in words[1:]
            if word not in (".venv", "-m", "doctest")
        )


def test_work_is_handed_in_with_the_git_commands_of_the_handout(
    tmp_path: Path,
) -> None:
    """Those who have never used git type them in their order."""
    git = ["git", "-c", "init.defaultBranch=main"]
    template = tmp_path / "template"
    template.mkdir()
    (template / "lab.py").write_text("# nothing yet\n", "utf-8")
    environment = os.environ | {"GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig")}
    for setting in ("user.name", "user.email"):
        subprocess.run(
            [*git, "config", "--global", setting, "me"], check=True, env=environment
        )
    for words in (
        "init -q",
        "add .",
        "commit -q -m Template",
        "clone -q --bare . ../student.git",
    ):
        subprocess.run(
            [*git, *words.split()], cwd=template, check=True, env=environment
        )
    typed = [
        line.partition("  #")[0]
        for block in blocks("sh", rendered_files()["README.md"])
        for line in block.splitlines()
        if line.startswith(("git ", "cd "))
    ]
    assert [line.split()[:2] for line in typed[:2]] == [
        ["git", "clone"],
        ["cd", "games-lab"],
    ]
    clone = typed[0].replace("ADDRESS", str(tmp_path / "student.git"))
    subprocess.run(shlex.split(clone), cwd=tmp_path, check=True, env=environment)
    lab = tmp_path / "games-lab" / "lab.py"
    lab.write_text("# my work\n", "utf-8")
    for line in typed[2:]:
        subprocess.run(shlex.split(line), cwd=lab.parent, check=True, env=environment)
    shown = subprocess.run(
        ["git", "show", "main:lab.py"],
        cwd=tmp_path / "student.git", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert shown.stdout == "# my work\n"


def shown_by(command: str, typed: str = "") -> str:
    """What `make play` or `make run` prints with these words, to somebody who types
    this.
    """
    settings, _, words = command.partition("make ")
    verb, *arguments = shlex.split(words)
    given = " ".join(word.removeprefix("ARGS=") for word in arguments)
    done = subprocess.run(
        [sys.executable, "-m", "grader", verb, *given.split()],
        cwd=KIT, input=typed, env=os.environ | dict([settings.strip().split("=")] if settings else []),
        capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "command",
    [command for command in COMMANDS if re.search("make (play|run .)", command)],
)
def test_games_can_be_played_and_solved(command: str) -> None:
    printed = shown_by(command)
    assert "ITEMIZED=0" not in command or printed.startswith("WIN: ")
    assert 'make run ARGS="tic_tac_toe' not in command or "TOTAL: 5478\n" in printed
    assert "ITEMIZED=1" not in command or "X...O....: TIE\n" in printed


def test_screens_of_play_and_run_are_real() -> None:
    screens = [
        screen
        for screen in blocks("text", WHOLE)
        if re.match(r"\$ make (play|run)", screen)
    ]
    assert len(screens) == 2
    for screen in screens:
        command, _, lines = screen.removeprefix("$ ").partition("\n")
        typed = "".join(
            f"{answer}\n"
            for answer in re.findall(r"your move.*: (\d+)$", lines, re.MULTILINE)
        )
        assert lines.removeprefix("...\n") in shown_by(command, typed)
