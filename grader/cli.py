"""The command line of the kit: finds the verb among the words, and has the module of
that verb do the work.

If the verb cannot be carried out, the command line says why in one line.
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
    """Carry out the verb that is among `words`, and return the exit status.

    As with make, words such as K=dfs may stand before the verb.  A verb of students
    works on lab.py.  If the environment variable LAB names another file, the verb works
    on that file.  For --help, and if there are no words, this function lists the verbs.

    Raises Refusal if there is no such verb, or if the verb cannot be carried out.
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
    """Print the list of verbs, and return the exit status.

    For --help, the list goes to standard output, and the status is 0.  If nobody named
    a verb, the list goes to standard error, and the status is 2.
    """
    lines = "\n".join(f"  {name:14}{verb.meaning}" for name, verb in verbs.items())
    print(lines, file=sys.stdout if is_asked_for else sys.stderr)
    return 0 if is_asked_for else 2


def enter(words: list[str]) -> int:
    """Carry out what was typed, and return the exit status.

    If a Refusal is raised, or if a file or a library cannot be used, this function
    prints one line on standard error, and the status is 2.  The status is 130 after
    Ctrl-C, and 1 if nobody reads the output any more.  Any other error is a fault of
    the kit, and Python shows its traceback.
    """
    _end_as_by_ctrl_c()
    for stream in (sys.stdout, sys.stderr):
        # If a console cannot show a letter, it shows the number of the letter instead.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = main(words)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        # Libraries run code with exec(), for example to make a dataclass.  If Ctrl-C
        # interrupts such code, Python remembers that, and later ends its own process by
        # SIGINT.  Another exec() makes Python forget it.
        exec("")
        return 130
    except Refusal as error:
        tell(error)
    except ModuleNotFoundError as error:
        tell(_how_to_find(error))
    except OSError as error:
        # Python may still hold back some output.  Writing it could fail once more, for
        # example if the disk is full.  So from now on, standard output leads nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):  # nobody reads the output any more
            return 1
        tell(_in_words(error))
    return 2


def _in_words(error: OSError) -> str:
    """Return an error of the operating system in words.

    If the error is about a file, the text names the file, and leaves out the number of
    the error.
    """
    if error.errno and error.filename:
        return f"{error.strerror}: {error.filename!r}"
    return str(error)


def _how_to_find(missing: ModuleNotFoundError) -> str:
    """Return a sentence that says how to get a module that is missing.

    The module may be a part of the kit or an installed library.
    """
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
    """Have SIGTERM and SIGHUP raise KeyboardInterrupt, as Ctrl-C does.

    So the grader ends its processes and removes its folders before it ends.  A signal
    that was ignored before is still ignored.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
