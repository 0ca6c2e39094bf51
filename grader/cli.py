"""The command line: carries out a verb, and says in one line why that could not be
done.
"""

import importlib
import io
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from grader.finder import PACKAGES
from grader.kit import BRINGS_BACK, KIT
from grader.refusal import Refusal, like, show_progress, tell
from grader.verbs import VERBS, Verb, all_verbs


def main(words: list[str]) -> int:
    """Carry out the verb among the words; the exit status.  Raises Refusal.

    As with make, words such as K=dfs may stand before the verb.  A verb of students is
    carried out on lab.py, or on the file that the environment names in LAB.
    """
    verbs = all_verbs()
    name = next((word for word in words if "=" not in word), "".join(words[:1]))
    if name in ("", "--help", "-h"):
        return _list_verbs(verbs, is_asked_for=name != "")
    if name not in verbs:
        otherwise = f"there are {', '.join(verbs)}"
        raise Refusal(
            f"there is no command {name[:40]!r}{like(name, verbs, otherwise)}"
        )
    verb = verbs[name]
    words.remove(name)
    words = [*verb.first, *words]
    show_progress("reading the cases" if name == "test" else "")
    carry_out: Callable[..., int] = importlib.import_module(verb.module).main
    if name in VERBS:
        return carry_out(words, Path(os.environ.get("LAB", KIT / "lab.py")))
    return carry_out(words)


def _list_verbs(verbs: dict[str, Verb], is_asked_for: bool) -> int:
    """Print what can be typed: an answer to --help, and a complaint if no verb is
    named.
    """
    lines = "\n".join(f"  {name:14}{verb.meaning}" for name, verb in verbs.items())
    print(lines, file=sys.stdout if is_asked_for else sys.stderr)
    return 0 if is_asked_for else 2


def enter(words: list[str]) -> int:
    """Carry out what was typed; the exit status.

    This is the one place that turns a Refusal into a line on standard error and exit
    status 2.  It does the same for a file or a library that cannot be used.  Any other
    exception is a fault of the kit, and shows its traceback.
    """
    _end_as_by_ctrl_c()
    for stream in (sys.stdout, sys.stderr):
        # A console that lacks a letter shows the number of the letter.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = main(words)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        # If Ctrl-C meets code that a library runs with exec(), as for a dataclass,
        # Python still ends its own process by SIGINT.  The next exec() prevents that.
        exec("")
        return 130
    except Refusal as error:
        tell(error)
    except ModuleNotFoundError as error:
        tell(_how_to_find(error))
    except OSError as error:
        # Python still holds back some output, for which there may be no room.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):  # nobody reads the output any more
            return 1
        tell(_in_words(error))
    return 2


def _in_words(error: OSError) -> str:
    """What the system says of a file, without the number of the error."""
    if error.errno and error.filename:
        return f"{error.strerror}: {error.filename!r}"
    return str(error)


def _how_to_find(missing: ModuleNotFoundError) -> str:
    """How to get a module that is missing: a file of the kit, or a library."""
    if (missing.name or "").partition(".")[0] in PACKAGES:
        return f"The kit is not whole ({missing}): {BRINGS_BACK}"
    python = r".venv\Scripts\python" if os.name == "nt" else ".venv/bin/python"
    install = f"{python} -m staff.environment staff"
    if missing.name in ("pytest", "pytest_timeout", "yaml"):
        install = (
            "python grader/environment.py .venv requirements.txt, "
            f"and then {python} in place of python"
        )
    return f"{missing.name} is missing here: {install}"


def _end_as_by_ctrl_c() -> None:
    """Let SIGTERM and SIGHUP end the grader as Ctrl-C does, so that the grader still
    ends its processes and removes its folders.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
