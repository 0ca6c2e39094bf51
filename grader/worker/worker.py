"""The child process: imports lab.py, then runs one case after another and sends the results up.

It reads one line of JSON a case from its standard input, and writes one line of JSON a call, and an
empty line at the end, to what was its standard output when it started.  What a student prints goes
to standard error, with CALL_BEGINS before that of each call.  With fork, every case runs in a
process of its own that is forked from here, and how that process ended goes up a second pipe, which
the student's code never holds.
"""

import _thread
import contextlib
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from grader.calls.calling import make_call, stand_in
from grader.calls.raised import safely_described
from grader.calls.written import NotWritten, Spies
from grader.protocol.limits import CALL_BEGINS, IMPORT_SECONDS, PRINTS_END
from grader.protocol.raised import Raised
from grader.worker.confine import limit_cpu, shut_in
from grader.worker.importing import close_import_path, flush_prints, import_lab, readable_files, survey_of
from grader.worker.keeper import adopt_orphans, enclose

END_OF_REPLY = b"\n"
SERVICE_SECONDS = 3600
MOST_TRIES, SECONDS_BETWEEN = 200, 0.01
LONGEST_PATH = 4096

_write, _exit, _limit_digits = os.write, os._exit, sys.set_int_max_str_digits
_in_json = json.JSONEncoder(ensure_ascii=False).encode


def main(lab: str, status: int | None, *others: int) -> None:
    """Serve the cases of one lab.py.  `status` is the second pipe, or None without fork.

    `others` are four pipes for each of the processes like this one that wait until they are told to go on.
    """
    gc.freeze()
    gc.enable()
    if status is not None and others:
        status = _with_others(status, others)
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
    module = import_lab(lab)
    _mark_prints(PRINTS_END)
    limit_cpu(SERVICE_SECONDS, for_good=False, last_words=replies)
    if isinstance(module, Raised):
        _send(replies, {"raised": vars(module)})
        _write(replies, END_OF_REPLY)
        return
    _send(replies, {"raised": None, "survey": survey_of(module), "threads": _thread._count() > 0})
    _write(replies, END_OF_REPLY)
    gc.freeze()
    if status is None:
        for line in requests:
            run_case(module, lab, json.loads(line), replies)
    else:
        _fork_cases(module, lab, requests, replies, status)


def _with_others(status: int, others: Sequence[int]) -> int:
    """Fork processes like this one, each with four pipes of its own; the second pipe of whichever this is.

    They are nobody's children, in sessions of their own: what ends one of them ends that one only.
    """
    pipes, rest = others[:4], others[4:]
    if between := os.fork():
        os.waitpid(between, 0)
        for pipe in pipes:
            os.close(pipe)
        return _with_others(status, rest) if rest else status
    if os.fork():
        _exit(0)
    os.setsid()
    for number, pipe in enumerate(pipes[:3]):
        os.dup2(pipe, number)
    for pipe in (status, *pipes[:3], *rest):
        os.close(pipe)
    _write(pipes[3], b"%d\n" % os.getpid())
    if not (folder := os.read(0, LONGEST_PATH)):
        _exit(0)
    os.chdir(folder)
    return pipes[3]


def _fork_cases(module: ModuleType, lab: str, requests: IO[bytes], replies: int, status: int) -> None:
    """Run each case in a process of its own, and say how that ended.

    The worker buries its children itself, whatever lab.py wants done with its own.
    """
    handler = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for line in requests:
        request = json.loads(line)
        if child := fork_patiently():
            _, ended = os.waitpid(child, 0)
            _send(status, {"ended": ended, "survivors": _somebody_survives()}, for_case=request["case"])
            continue
        if handler is not None:
            signal.signal(signal.SIGCHLD, handler)
        os.close(status)
        os.close(requests.fileno())
        os.chdir(request["folder"])
        limit_cpu(request["seconds"], for_good=True, last_words=replies)
        run_case(module, lab, request, replies)
        _exit(0)


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
    spies = Spies(module, request["watch"], stand_in)
    for call, inputs in enumerate(request["calls"]):
        _mark_prints(CALL_BEGINS.format(call))
        try:
            with spies.in_place(call):
                outcome = make_call(module, request["kind"], request["function"], inputs)
        except NotWritten as missing:
            outcome = {"missing": missing.args[1]}
        except BaseException as error:
            outcome = {"raised": vars(safely_described(error, lab))}
        _send(replies, {"case": request["case"], "outcome": outcome | spies.report()})
        if "raised" in outcome or "missing" in outcome:
            break
    _mark_prints(PRINTS_END)
    _write(replies, END_OF_REPLY)


def _mark_prints(mark: str) -> None:
    """Say in standard error, as far as it is there, how far what is printed has come."""
    flush_prints()
    with contextlib.suppress(OSError):
        _write(2, mark.encode())


def _send(pipe: int, message: dict[str, Any], for_case: str = "") -> None:
    """Write a line of JSON; half a character, in a name of the student's, becomes a question mark."""
    limit = sys.get_int_max_str_digits()  # which lab.py may have lowered
    _limit_digits(0)
    data = f"{for_case}{_in_json(message)}\n".encode("utf-8", "replace")
    _limit_digits(limit)
    while data:
        data = data[_write(pipe, data) :]
