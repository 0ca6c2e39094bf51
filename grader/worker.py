"""The child process: imports lab.py, then runs one case after another and sends the results up.

It reads one line of JSON a case from its standard input, and writes one line of JSON a call, and an
empty line at the end, to what was its standard output when it started.  What a student prints goes
to standard error.  With fork, every case runs in a process of its own that is forked from here, and
how that process ended goes up a second pipe, which the student's code never holds.
"""

import _thread
import contextlib
import gc
import importlib.machinery
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import boards
from grader.calls import NotWritten, make_call
from grader.confine import limit_cpu, shut_in
from grader.encode import encode
from grader.finder import look_no_longer
from grader.keeper import adopt_orphans, enclose
from grader.spies import Spies
from grader.survey import survey_of

KIT = Path(boards.__file__).parent.parent
END_OF_REPLY = b"\n"
IMPORT_SECONDS, SERVICE_SECONDS = 5, 3600
MOST_TRIES, SECONDS_BETWEEN = 200, 0.01

_write, _exit, _limit_digits = os.write, os._exit, sys.set_int_max_str_digits
_handlers: dict[ModuleType, Any] = {}


def main(lab: str, status: int | None) -> None:
    """Serve the cases of one lab.py.  `status` is the second pipe, or None without fork."""
    if hasattr(os, "fork"):
        enclose()
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.argv = [lab]
    adopt_orphans()
    close_import_path()
    locks = shut_in(readable_files(Path(lab)), writable=Path.cwd())
    limit_cpu(IMPORT_SECONDS, for_good=False, last_words=replies)
    _write(replies, locks.line())
    module, failure = import_lab(lab)
    flush_prints()
    limit_cpu(SERVICE_SECONDS, for_good=False, last_words=replies)
    threads = _thread._count() > 0
    _send(replies, {"imported": failure is None, "raised": failure, "survey": survey_of(module), "threads": threads})
    _write(replies, END_OF_REPLY)
    if module is None:
        return
    gc.freeze()
    if status is not None:  # the worker buries its children itself, whatever lab.py wants done with its own
        _handlers[module] = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for line in requests:
        request = json.loads(line)
        if status is None:
            run_case(module, lab, request, replies)
        else:
            _fork_case(module, lab, request, replies, status, requests.fileno())


def readable_files(lab: Path) -> list[Path]:
    """The files of the kit that lab.py may read, one by one: the cases stand in a folder below."""
    return [*KIT.glob("api/*.py"), *KIT.glob("boards/*.py"), *KIT.glob("boards/*.yaml"), lab]


def _fork_case(module: ModuleType, lab: str, request: Any, replies: int, status: int, requests: int) -> None:
    child = fork_patiently()
    if child == 0:
        if (handler := _handlers.get(module)) is not None:
            signal.signal(signal.SIGCHLD, handler)
        os.close(status)
        os.close(requests)
        os.chdir(request["folder"])
        limit_cpu(request["seconds"], for_good=True, last_words=replies)
        run_case(module, lab, request, replies)
        _exit(0)
    _, ended = os.waitpid(child, 0)
    _send(status, {"ended": ended, "survivors": _somebody_survives()}, for_case=request["case"])


def fork_patiently() -> int:
    """Fork, and wait for it where other processes of this user leave no room for the moment."""
    for _ in range(MOST_TRIES):
        try:
            return os.fork()
        except BlockingIOError:
            time.sleep(SECONDS_BETWEEN)
    return os.fork()


def _somebody_survives() -> bool:
    """Whether a process that the student's code started is still alive."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def run_case(module: ModuleType, lab: str, request: dict[str, Any], replies: int) -> None:
    """Send up the outcomes of a case's calls, in order, up to the first that raises."""
    spies = Spies(module, request["watch"])
    for call, inputs in enumerate(request["calls"]):
        try:
            with spies.in_place(call):
                outcome = make_call(module, request["function"], inputs)
        except NotWritten as missing:
            outcome = {"missing": str(missing)}
        except BaseException as error:
            outcome = {"raised": safely_described(error, lab)}
        _send(replies, {"case": request["case"], "outcome": outcome | spies.report()})
        if "raised" in outcome or "missing" in outcome:
            break
    flush_prints()
    _write(replies, END_OF_REPLY)


def flush_prints() -> None:
    """Send on what was printed and is still held back."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()


def import_lab(lab: str) -> tuple[ModuleType | None, dict[str, Any] | None]:
    """The module, or what its import raised."""
    loader = importlib.machinery.SourceFileLoader("lab", lab)
    module = ModuleType("lab")
    module.__file__ = lab
    module.__loader__ = loader
    sys.modules["lab"] = module
    try:
        exec(loader.source_to_code(loader.get_data(lab), lab), module.__dict__)
    except BaseException as error:
        return None, safely_described(error, lab)
    return module, None


def safely_described(error: BaseException, lab: str) -> dict[str, Any]:
    """What `describe` says; of an exception that does not let itself be described, only that."""
    try:
        return describe(error, lab)
    except BaseException:
        return {"type": "an exception that cannot be shown", "bases": [], "text": "", "frames": []}


def describe(error: BaseException, lab: str) -> dict[str, Any]:
    """An exception as plain data: its type, its text, and the student's frames, innermost last."""
    try:
        text = str(error)
    except BaseException:
        text = ""
    frames: list[list[Any]] = []
    here = error.__traceback__
    while here is not None:
        if here.tb_frame.f_code.co_filename == lab:
            frames = [*frames[-5:], [here.tb_lineno, here.tb_frame.f_code.co_name]]
        here = here.tb_next
    if isinstance(error, SyntaxError) and error.filename == lab:
        frames = [[error.lineno or 0, "the module"]]
        text = f"{error.msg}: `{(error.text or '').strip()}`"
    names = [base.__name__ for base in type(error).__mro__]
    return {"type": names[0], "bases": names, "text": encode(text[:2_000]), "frames": frames}


class _ImportGate:
    """The last finder that is asked for a module: says what lab.py may import."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name.partition(".")[0] not in sys.stdlib_module_names:
            raise ModuleNotFoundError(
                f"lab.py may import the standard library, api, boards and yaml, and `{name}` is none of them", name=name
            )


def close_import_path() -> None:
    """Leave only the standard library on the import path; api, boards and yaml are loaded already."""
    library = os.path.dirname(os.__file__)
    sys.path[:] = [
        entry for entry in sys.path if entry.startswith((library, sys.base_prefix)) and "site-packages" not in entry
    ]
    look_no_longer()
    sys.meta_path.append(_ImportGate())
    for name in list(sys.modules):
        if name.partition(".")[0] == "grader":
            del sys.modules[name]


def _send(pipe: int, message: dict[str, Any], for_case: str = "") -> None:
    """Write a line of JSON; half a character, in a name of the student's, becomes a question mark."""
    limit = sys.get_int_max_str_digits()  # which lab.py may have lowered
    _limit_digits(0)
    data = f"{for_case}{json.dumps(message, ensure_ascii=False)}\n".encode("utf-8", "replace")
    _limit_digits(limit)
    while data:
        data = data[_write(pipe, data) :]
