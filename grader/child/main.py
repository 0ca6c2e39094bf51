"""Runs in the child process: imports lab.py once, and forks a process for each
function.

The first line that the child reads holds the named boards and trees.  Every other line
is a request: cases of one function, or a turn of a game, as JSON.  Each function gets a
process of its own, which runs these cases.  A game gets a process of its own, too.  If
the system cannot fork, or if lab.py has started threads, the child does the work
itself, and serves only one function or game.  The replies are lines of JSON too
(protocol/replies.py).  What lab.py prints goes into a file that the grader has opened.
CALL_BEGINS stands before the prints of each call.
"""

import _thread
import functools
import gc
import itertools
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

import boards
from grader.child.calling import WORKERS
from grader.child.importing import (
    close_import_path,
    flush_prints,
    forget_prints,
    import_lab,
    readable_files,
    survey_of,
)
from grader.child.isolation import (
    filter_of_a_function,
    limit_cpu,
    put_on,
    shut_in,
    tie_to_parent,
)
from grader.child.raised import safely_described
from grader.child.turns import play_turns
from grader.child.written import Note, spies_in_place
from grader.protocol.answer import Raised
from grader.protocol.limits import (
    BROKEN,
    CALL_BEGINS,
    IMPORT_SECONDS,
    KEPT_OUTPUT,
    OUT_OF_MEMORY,
)
from grader.protocol.plain import Data

NO_LIMIT = 0.0

# These names keep the original functions and classes, because lab.py may replace them
# in their modules.
_Anything, _NoMemory = BaseException, MemoryError
_write, _exit, _wait, _cpu = os.write, os._exit, os.waitpid, time.process_time
_once = functools.cache  # makes a function that does nothing the second time
_limit_digits = sys.set_int_max_str_digits
_in_json = json.JSONEncoder(ensure_ascii=False).encode


def main(lab: str, *wishes: str) -> None:
    """Serve the requests about the lab.py at the path `lab`.

    The child may write to the folder in which this process starts.  If the wishes
    contain "fork", each function gets a process of its own where this is possible.  If
    the wishes contain "games", the import of lab.py gets the same random numbers every
    time.
    """
    tie_to_parent()
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.dup(1)
    prints = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.argv = [lab]
    folder = os.getcwd()
    # If the user of this process may not read lab.py, the child fails here.  If it
    # failed later, during the import, that would look like a mistake in lab.py.
    Path(lab).read_bytes()
    close_import_path()
    isolation = shut_in(readable_files(Path(lab)), Path(folder))
    _send(replies, what="shut in", isolation=asdict(isolation))
    # The filter for the processes of functions is made now.  Later lab.py could have
    # changed the code that makes filters.
    refuse_processes = filter_of_a_function() if isolation.seccomp else b""
    boards.define(*json.loads(requests.readline()))
    try:
        _serve(lab, wishes, requests, replies, prints, folder, refuse_processes)
    except _NoMemory:
        _exit(OUT_OF_MEMORY)
    except _Anything:
        # Student code has broken something that the code of the child needs.  The child
        # prints no traceback, which would look like output of lab.py.
        _exit(BROKEN)


def _serve(
    lab: str,
    wishes: tuple[str, ...],
    requests: BinaryIO,
    replies: int,
    prints: int,
    folder: str,
    refuse_processes: bytes,
) -> None:
    """Import lab.py, and then read `requests` line by line.

    A line may hold the cases of a function.  Then these cases are run.  A line may also
    hold a turn of a game.  Then lab.py makes a move.
    """
    if "games" in wishes:
        import random  # this import takes long, and grading does not need it

        random.seed(0)
    limit_cpu(IMPORT_SECONDS, prints)
    module = import_lab(lab)
    flush_prints()
    limit_cpu(NO_LIMIT, prints)
    if isinstance(module, Raised):
        _send(replies, what="imported", raised=vars(module))
        return
    # A forked process would lack the threads that lab.py has started, so the child does
    # not fork then.
    forks = "fork" in wishes and hasattr(os, "fork") and not _thread._count()
    _send(replies, what="imported", survey=survey_of(module), forks=forks)
    if forks:
        # lab.py may have told the system to ignore SIGCHLD.  Then the child could not
        # wait for the process of a function.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    gc.freeze()
    # The grader sends a request only after the process of the previous function has
    # ended.
    for line in requests:
        request = json.loads(line)
        process = os.fork() if forks else 0
        if process:
            _report_end(process, request["run"], replies)
            continue
        os.chdir(folder)  # The import may have changed the folder.
        if forks:
            _begin_process()
        if refuse_processes:
            put_on(refuse_processes)
        if "cases" in request:
            requests.close()
            _run(module, lab, request, replies, prints)
        else:
            turns = itertools.chain([request], map(json.loads, requests))
            play_turns(module, turns, functools.partial(_send, replies), prints)
        _exit(0)


def _begin_process() -> None:
    """Prepare the new process of a function.

    On Linux, the process ends together with the child.  It works in a new folder of its
    own.
    """
    tie_to_parent()
    folder = f"function-{os.getpid()}"
    os.mkdir(folder, 0o700)
    os.chdir(folder)


def _run(
    module: ModuleType, lab: str, request: Data, replies: int, prints: int
) -> None:
    """Run the cases of a function, and send a reply for each call and for each case.

    Each case has its own seconds of CPU.
    """
    run = request["run"]
    for case in request["cases"]:
        forget_prints(prints)
        limit_cpu(case["seconds"], prints)
        began = _cpu()
        note = _once(lambda what, name: _send(replies, what=what, name=name, run=run))
        for outcome in _outcomes(module, lab, case, prints, note):
            _send(replies, what="outcome", outcome=outcome, run=run)
        limit_cpu(NO_LIMIT, prints)
        cpu = _cpu() - began
        _send(replies, what="answered", cpu=cpu, printed=_printed(prints), run=run)


def _outcomes(
    module: ModuleType, lab: str, case: Data, prints: int, note: Note
) -> Iterator[Data]:
    """Make the calls of a case, and yield the outcome of each call.

    If a call raises an exception, no further call is made.
    """
    for call, inputs in enumerate(case["calls"]):
        _write(prints, CALL_BEGINS.format(call).encode())
        try:
            with spies_in_place(module, case["watch"], call, WORKERS, note):
                worker = WORKERS[case["kind"]]
                outcome = worker.call(module, case["function"], inputs)
        except BaseException as error:
            outcome = {"raised": vars(safely_described(error, lab))}
        flush_prints()
        yield outcome
        if "raised" in outcome:
            break


def _report_end(process: int, run: str, replies: int) -> None:
    """Wait until the process of a function has ended, and tell the grader how it
    ended.
    """
    _, status = _wait(process, 0)
    code = os.waitstatus_to_exitcode(status)
    # This newline ends a line that the process may have left unfinished.
    _write(replies, b"\n")
    _send(replies, what="ended", run=run, status=max(0, code), signal=max(0, -code))


def _printed(prints: int) -> str:
    """Return the last part of what student code has printed into the file `prints`."""
    size = os.lseek(prints, 0, os.SEEK_END)
    os.lseek(prints, max(0, size - KEPT_OUTPUT), os.SEEK_SET)
    return os.read(prints, KEPT_OUTPUT).decode("utf-8", "replace")


def _send(pipe: int, **message: Any) -> None:
    """Write a message to the pipe, as a line of JSON.

    A text of lab.py may contain half of a surrogate pair, which cannot be written.
    That half becomes a question mark.
    """
    _limit_digits(sys.int_info.default_max_str_digits)
    data = f"{_in_json(message)}\n".encode("utf-8", "replace")
    while data:
        data = data[_write(pipe, data) :]
