"""The command line: what each verb means, and the line that says why something could
not be done.
"""

import importlib
import io
import os
import re
import signal
import sys
from itertools import pairwise
from pathlib import Path

from grader.finder import PACKAGES
from grader.kit import BRINGS_BACK, KIT
from grader.refusal import AS_OPTIONS, Refusal, like, show_progress, tell

VERBS = {
    "test": (
        "grader.commands.testing",
        'grade lab.py    PART=2, K=alphabeta, V=1, OUT=file, ARGS="--lf"',
    ),
    "watch": ("grader.commands.watching", "grade lab.py again on every save"),
    "run": (
        "grader.commands.run",
        'solve a game with lab.py and print it    ARGS="zero_by 10 1 2"',
    ),
    "play": (
        "grader.tools.play",
        'play against lab.py    ARGS="nim --minnie minimax:3"',
    ),
    "debug": ("grader.tools.debug", "a case in the debugger    CASE=name, CALL=2"),
    "trace": ("grader.tools.trace", "play a search back    CASE=name, CALL=2, PLAIN=1"),
    "report": (
        "grader.tools.report",
        "the whole score sheet as a page, with what failed played back",
    ),
    "board": (
        "grader.tools.board.server",
        "the same games in a browser page    PORT=8000",
    ),
    "update": (
        "grader.commands.update",
        "take the kit's newest version; lab.py stays as it is",
    ),
    "workflow": (
        "grader.commands.workflow",
        "grade a checkout as the workflow on GitHub does    CHECKOUT",
    ),
}
FOR_THE_ENVIRONMENT = ("LAB", "ITEMIZED", "PORT", "COURSE", "FAST", "RIVALS")
OF_MAKE_ALONE = ("PYTHON", "VENV", "NO_COLOR")


def main(words: list[str]) -> int:
    """Carry out a verb: by main(words, lab) of its module, or one of the staff's as a
    program.  The exit status.
    """
    staff = (
        importlib.import_module("staff.verbs")
        if (KIT / "staff" / "verbs.py").exists()
        else None
    )
    verbs = VERBS | (staff.VERBS if staff else {})
    of_staff = staff.AS_OPTIONS if staff else ()
    verb, *words = as_options(words, of_staff) or [""]
    for before, word in pairwise(("", verb, *words)):
        if not before.startswith("-"):  # of which it may be the value
            _refuse_unknown(word, of_staff)
    if verb in ("", "--help", "-h"):
        is_asked_for = verb != ""
        lines = "\n".join(
            f"  {name:14}{meaning}" for name, (_, meaning) in verbs.items()
        )
        print(lines, file=sys.stdout if is_asked_for else sys.stderr)
        return 0 if is_asked_for else 2
    if verb not in verbs:
        raise Refusal(
            f"there is no command {verb[:40]!r}{like(verb, verbs, 'there are ' + ', '.join(verbs))}"
        )
    module, *first = verbs[verb][0].split()
    if verb in VERBS:
        show_progress("reading the cases" if verb == "test" else "")
        tool, lab = (
            importlib.import_module(module),
            Path(os.environ.get("LAB", KIT / "lab.py")),
        )
        bank = (
            importlib.import_module("staff.bank").bank
            if staff and verb in staff.VERBS
            else lambda: None
        )
        return int(
            tool.main(words, lab, *filter(None, [bank()]))
        )  # no frame keeps what is expected
    import runpy  # which no verb of a student's needs

    sys.argv = [verb, *first, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


def as_options(words: list[str], of_staff: tuple[str, ...] = ()) -> list[str]:
    """The words of make, such as K=dfs, as options of ours.  Some go into the
    environment.

    >>> as_options(["test", "PART=2", "K=", "V=1"]), as_options(["run", "ARGS=zero_by 10 1 2"])
    (['test', '--part=2', '--v'], ['run', 'zero_by', '10', '1', '2'])
    """
    options = []
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name in FOR_THE_ENVIRONMENT:
            os.environ[name] = value
        elif equals and name == "ARGS":
            options += _quoted_words(value)
        elif not equals or name not in AS_OPTIONS + of_staff:
            options.append(word)
        elif value and not (value == "0" and name in ("V", "PLAIN")):
            options.append("--v" if name == "V" else f"--{name.lower()}={value}")
    return options


def _refuse_unknown(word: str, of_staff: tuple[str, ...]) -> None:
    """Raise Refusal for a word such as k=dfs, whose name is like that of a word which
    make takes.
    """
    name, equals, _ = word.partition("=")
    names = ("ARGS", *FOR_THE_ENVIRONMENT, *AS_OPTIONS, *OF_MAKE_ALONE, *of_staff)
    if equals and name.isidentifier() and name not in names:
        meant = like(name, names, "")
        if meant.endswith("?"):
            raise Refusal(f"there is no {name}={meant.removesuffix('?')}=?")


def _quoted_words(text: str) -> list[str]:
    r"""The words of a text, in which quotes hold some together; a backslash is one, as in Windows' paths.

    >>> _quoted_words(r'-k "alphabeta or dfs" tests\x.py')
    ['-k', 'alphabeta or dfs', 'tests\\x.py']
    """
    quoted = re.findall(r"""((?:[^\s"']|"[^"]*"|'[^']*')+)""", text)
    return [word.replace('"', "").replace("'", "") for word in quoted]


def enter(words: list[str]) -> int:
    """Carry out what was typed; the exit status.  A line says what could not be
    done.
    """
    _end_as_by_ctrl_c()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, io.TextIOWrapper
        ):  # a console that lacks a letter shows its number
            stream.reconfigure(errors="backslashreplace")
    try:
        status = main(words)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except OSError as error:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), 1
        )  # for what is still held back there may be no room
        if isinstance(error, BrokenPipeError):  # whoever read the output has had enough
            return 1
        tell(
            f"{error.strerror}: {error.filename!r}"
            if error.errno and error.filename
            else error
        )
    except ModuleNotFoundError as error:
        tell(_how_to_find(error))
    except Refusal as error:
        tell(error)
    except ValueError as error:
        from boards.reading import (
            BadFile,
        )  # not before, since make update brings a broken kit back

        if not isinstance(error, BadFile):
            raise
        tell(error)
    return 2


def _how_to_find(missing: ModuleNotFoundError) -> str:
    """What to say of a module that is not there: it belongs to the kit, or to its
    environment.
    """
    if (missing.name or "").partition(".")[0] in PACKAGES:
        return f"The kit is not whole ({missing}): {BRINGS_BACK}"
    python = r".venv\Scripts\python" if os.name == "nt" else ".venv/bin/python"
    install = f"{python} -m staff.environment staff"
    if missing.name in ("pytest", "pytest_timeout", "yaml"):
        install = f"python grader/environment.py .venv requirements.txt, and then {python} in place of python"
    return f"{missing.name} is missing here: {install}"


def _end_as_by_ctrl_c() -> None:
    """Let a signal that asks the grader to end stop it as Ctrl-C does, so that its
    processes and folders go.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
