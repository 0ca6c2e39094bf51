"""Whatever the handout says can be typed: it exists, it works, and it prints what
stands there.
"""

import os
import re
import shlex
import subprocess
import sys

import pytest

from grader.cli import VERBS
from staff.tests.conftest import KIT
from staff.tests.support.handouts import SUBSETS, WHOLE, blocks, rendered
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


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_exist(command: str) -> None:
    words = [word for word in command.split() if not word.startswith("ITEMIZED=")]
    if words[0] == "make":
        makefile = (KIT / "Makefile").read_text(encoding="utf-8")
        assert words[1:] == [] or re.search(rf"^{words[1]}:", makefile, re.MULTILINE), (
            words[1]
        )
        for name in re.findall(r"(\w+)=", command.removeprefix("ITEMIZED=")):
            assert f"$({name})" in makefile, name
    elif words[:2] == [".venv/bin/python", "grader"]:
        assert words[2] in VERBS
    else:
        assert words[0] in ("python", ".venv/bin/python")
        assert all(
            (KIT / word).exists()
            for word in words[1:]
            if word not in (".venv", "-m", "doctest")
        )


def shown_by(command: str, typed: str = "") -> str:
    """What `make play` or `make run` prints with these words, to somebody who types
    this.
    """
    settings, _, words = command.partition("make ")
    verb, *arguments = shlex.split(words)
    given = "".join(word.removeprefix("ARGS=") for word in arguments)
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
        assert lines in shown_by(command, typed)
