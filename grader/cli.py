"""The command line: what each verb means, and how it is told that something could not be done."""

import errno
import importlib
import importlib.util
import io
import os
import re
import sys
from pathlib import Path

from grader.kit import KIT
from grader.refusal import Refusal, like, tell
from grader.signals import ending_in_order

VERBS = {
    "test": ("grader.commands.testing", 'grade lab.py    PART=2, K=alphabeta, V=1, ARGS="-x --lf"'),
    "watch": ("grader.commands.watching", "grade lab.py again on every save, what has changed first"),
    "run": ("grader.commands.run", 'solve a game with lab.py and print it    ARGS="zero_by 10 1 2"'),
    "play": ("grader.tools.play", 'play against lab.py    ARGS="nim --minnie minimax:3"'),
    "debug": ("grader.tools.debug", "a case in the debugger    CASE=name, CALL=2"),
    "trace": ("grader.tools.trace", "play a search back    CASE=name, CALL=2, PLAIN=1"),
    "report": ("grader.tools.report", "the whole score sheet as a page, with what failed played back"),
    "board": ("grader.tools.board.server", "the same games in a browser page    PORT=8000"),
    "update": ("grader.commands.update", "take the kit's newest version; lab.py stays as it is"),
    "workflow": ("grader.commands.workflow", "grade a checkout as the workflow on GitHub does    CHECKOUT"),
}
WITHOUT_WORDS = ("watch", "report", "board", "update")
FOR_THE_ENVIRONMENT = ("LAB", "ITEMIZED", "PORT", "COURSE", "FAST")
AS_WORDS = ("ARGS", "CALL", "CASE", "K", "OUT", "PART", "PLAIN", "V")
NAMES = AS_WORDS + FOR_THE_ENVIRONMENT


def main(words: list[str]) -> int:
    """Carry out a verb: by main(words, lab) of its module, or one of the staff's as a program.  The exit status."""
    verbs = VERBS | (importlib.import_module("staff.verbs").VERBS if (KIT / "staff" / "verbs.py").exists() else {})
    if words and words[0] not in verbs and words[0][:1] != "-":
        raise Refusal(f"there is no command {words[0][:40]!r}{like(words[0], verbs, 'there are ' + ', '.join(verbs))}")
    if not words or words[0] not in verbs:
        for verb, (_, meaning) in verbs.items():
            print(f"  {verb:14}{meaning}", file=sys.stderr)
        return 2
    verb, *words = as_options(words)
    if words and verb in WITHOUT_WORDS:
        raise Refusal(f"make {verb} takes no words, but got {words[0][:40]!r}")
    is_of_staff = verbs[verb][0].startswith("staff.")
    _check_libraries(verb, is_of_staff)
    if not os.environ.get("LAB", "lab.py"):
        raise Refusal("LAB is empty; name a file, or leave LAB out to take the lab.py here")
    if verb in VERBS:
        lab = Path(os.environ.get("LAB", KIT / "lab.py"))
        status: int = importlib.import_module(verbs[verb][0]).main(words, lab)
        return status
    import runpy  # which no verb of a student's needs

    sys.argv = [verb, *words]
    with ending_in_order():
        runpy.run_module(verbs[verb][0], run_name="__main__", alter_sys=True)
    return 0


def _check_libraries(verb: str, is_of_staff: bool) -> None:
    """Raise Refusal when a library is missing."""
    needed = ["yaml"] + ["pytest", "pytest_timeout"] * (verb == "test") + ["ruamel", "jsonschema"] * is_of_staff
    for module in needed if verb != "update" else ():
        if importlib.util.find_spec(module) is None:
            python = r".venv\Scripts\python" if os.name == "nt" else ".venv/bin/python"
            listed = "pyproject.toml" if is_of_staff else "requirements.txt"
            fix = f"python grader/environment.py .venv {listed}, and then {python} in place of python"
            raise Refusal(f"{module} is missing here: {fix}")


def as_options(words: list[str]) -> list[str]:
    """Words in the form of make, as make.cmd passes them on, in ours.  Some go into the environment.  Raises Refusal.

    >>> as_options(["test", "PART=2", "K=", "V=1"]), as_options(["run", "ARGS=zero_by 10 1 2"])
    (['test', '--part=2', '--v'], ['run', 'zero_by', '10', '1', '2'])
    """
    options = []
    for word in words:
        name, equals, value = word.partition("=")
        if equals and not name.isupper() and name.upper() in NAMES:
            raise Refusal(f"type {name.upper()} in capital letters")
        if equals and name.isalpha() and name.isupper() and name not in NAMES:
            raise Refusal(f"there is no {name[:20]}={like(name, NAMES, 'there are ' + ', '.join(NAMES))}")
        if not equals or name not in NAMES:
            options.append(word)
        elif name in FOR_THE_ENVIRONMENT:
            os.environ[name] = value
        elif name == "ARGS":
            options += _quoted_words(value)
        elif value and not (value == "0" and name in ("V", "PLAIN")):
            options.append("--v" if name == "V" else f"--{name.lower()}={value}")
    return options


def _quoted_words(text: str) -> list[str]:
    r"""The words of a text, in which quotes hold some together; a backslash is one, as in Windows' paths.

    >>> _quoted_words(r'-k "alphabeta or dfs" tests\x.py')
    ['-k', 'alphabeta or dfs', 'tests\\x.py']
    """
    found = re.findall(r"""((?:[^\s"']|"[^"]*"|'[^']*')+)""", text)
    return [word.replace('"', "").replace("'", "") for word in found]


def enter(words: list[str]) -> int:
    """Carry out what was typed; the exit status.  What cannot be done is told in a line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a console that lacks a letter shows its number
            stream.reconfigure(errors="backslashreplace")
    try:
        status = main(words)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever read the output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except OSError as error:
        if error.errno == errno.ENOSPC:  # nor is there room for what is still held back
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        tell(f"{error.strerror}: {error.filename!r}" if error.errno and error.filename else error)
        return 2
    except Refusal as error:
        tell(error)
        return 2
    except ValueError as error:
        from boards.reading import BadFile

        if not isinstance(error, BadFile):
            raise
        tell(error)
        return 2
