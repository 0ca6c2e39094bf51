"""The one door to everything that make does: what each verb means, and what is said where the kit is broken."""

import errno
import importlib
import importlib.util
import io
import os
import re
import sys
from pathlib import Path

from grader.damage import sentence_for_damage
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
OTHERS = "OTHER_NAMES"  # which make was given: some are for other programs, such as NO_COLOR


def main(words: list[str]) -> int:
    """Carry out a verb: by main(words, lab) of its module, or one of the staff's as a program.  The exit status."""
    verbs = VERBS | (importlib.import_module("staff.verbs").VERBS if (KIT / "staff" / "verbs.py").exists() else {})
    if words and words[0] not in verbs and words[0][:1] != "-":
        raise Refusal(f"there is no command {words[0][:40]!r}{like(words[0], verbs, 'there are ' + ', '.join(verbs))}")
    if not words or words[0] not in verbs:
        for verb, (_, meaning) in verbs.items():
            print(f"  {verb:14}{meaning}", file=sys.stderr)
        return 2
    _check_names(os.environ.get(OTHERS, "").split())
    verb, *words = as_options(words)
    if words and verb in WITHOUT_WORDS:
        raise Refusal(f"make {verb} takes no words, but got {words[0][:40]!r}")
    if verb != "update":
        _check_what_is_needed(verb, of_staff=verbs[verb][0].startswith("staff."))
    if verb in VERBS:
        lab = Path(os.environ.get("LAB", KIT / "lab.py"))
        status: int = importlib.import_module(verbs[verb][0]).main(words, lab)
        return status
    import runpy  # which no verb of a student's needs

    sys.argv = [verb, *words]
    with ending_in_order():
        runpy.run_module(verbs[verb][0], run_name="__main__", alter_sys=True)
    return 0


def _check_names(names: list[str]) -> None:
    """Raise Refusal where a name that make was given is one of ours but for a slip."""
    for name in names:
        from difflib import get_close_matches  # which nothing else needs

        ours = (*NAMES, "PYTHON", "VENV")
        if near := [one for one in ours if sorted(one) == sorted(name)] or get_close_matches(name, ours, 1, 0.8):
            raise Refusal(f"there is no {name}=; do you mean {near[0]}?")


def _check_what_is_needed(verb: str, of_staff: bool) -> None:
    """Raise Refusal where a library is missing, or the name of lab.py."""
    wanted = "pyproject.toml" if of_staff else "requirements.txt"
    for_test = ("pytest", "pytest_timeout") if verb == "test" else ()
    for module in ("yaml", *for_test, *(("ruamel", "jsonschema") if of_staff else ())):
        if importlib.util.find_spec(module) is None:
            python = r".venv\Scripts\python" if os.name == "nt" else ".venv/bin/python"
            fix = f"python grader/environment.py .venv {wanted}, and then {python} in place of python"
            raise Refusal(f"{module} is missing here: {fix}")
    if os.environ.get("LAB") == "":
        raise Refusal("LAB is empty; name a file, or leave LAB out to take the lab.py here")


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
    """Carry out what was typed, whatever state the kit and the streams are in; the exit status."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a console that lacks a letter shows its number
            stream.reconfigure(errors="backslashreplace")
    try:
        status = main(words)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except Exception as error:
        is_sentence = isinstance(error, Refusal) or (isinstance(error, OSError) and error.errno is None)
        sentence = str(error) if is_sentence else sentence_for_damage(error, updating=words[:1] == ["update"])
        if not sentence and not isinstance(error, OSError):
            raise
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:  # nor is there room for what is still held back
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        plain = f"{error.strerror}: {error.filename!r}" if isinstance(error, OSError) and error.filename else error
        tell(sentence or plain)
        return 2
    return status


def _open_what_is_closed() -> None:
    """Let a stream that is closed (`make test >&-`) lead nowhere, so that no other file takes its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: the stream's own
            setattr(sys, name, os.fdopen(null, "w" if number else "r", closefd=False, encoding="utf-8"))
