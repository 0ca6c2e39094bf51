"""The worker: imports lab.py once, and forks one process a function, which runs the cases of that.

A request comes in as its length and a line of JSON, and holds all cases of a function.  Lines of JSON go out, which
protocol/replies.py explains.
Without fork, or where lab.py has started threads, the worker runs the cases itself, and serves one function only.
What is printed goes into a file that the grader has opened, with CALL_BEGINS before that of each call.
"""

import _thread
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from grader.calls.calling import make_call, stand_in
from grader.calls.raised import safely_described
from grader.calls.written import NotWritten, Spies
from grader.protocol.limits import CALL_BEGINS, IMPORT_SECONDS, KEPT_OUTPUT
from grader.protocol.raised import Raised
from grader.worker.filter import refuse_processes
from grader.worker.importing import close_import_path, flush_prints, import_lab, readable_files, survey_of
from grader.worker.isolation import limit_cpu, limit_cpu_for_good, shut_in, tie_to_parent

NO_LIMIT = 0.0

# What lab.py makes of these names does not reach the functions below.
_write, _exit, _wait, _cpu = os.write, os._exit, os.waitpid, time.process_time
_limit_digits, _digits_limit = sys.set_int_max_str_digits, sys.get_int_max_str_digits
_in_json = json.JSONEncoder(ensure_ascii=False).encode


def main(lab: str, wants_fork: bool) -> None:
    """Serve the functions of one lab.py, in a folder that this process was started in."""
    tie_to_parent()
    requests, replies, prints = os.fdopen(os.dup(0), "rb", buffering=0), os.dup(1), os.dup(2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.argv, folder = [lab], os.getcwd()
    Path(lab).read_bytes()  # if this user cannot, that is no mistake in lab.py
    close_import_path()
    isolation = shut_in(readable_files(Path(lab)), Path(folder))
    _send(replies, what="shut in", isolation=asdict(isolation))
    limit_cpu(IMPORT_SECONDS, prints)
    module = import_lab(lab)
    flush_prints()
    limit_cpu(NO_LIMIT, prints)
    end = {"cpu": _cpu(), "printed": _printed(prints)}
    if isinstance(module, Raised):
        _send(replies, what="imported", raised=vars(module), **end)
        return
    forks = wants_fork and hasattr(os, "fork") and not _thread._count()  # a fork would leave threads behind
    _send(replies, what="imported", survey=survey_of(module), forks=forks, **end)
    gc.freeze()
    functions = Functions(module, lab, replies, prints, isolation.seccomp)
    if forks:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    while request := _next_request(requests):
        child = os.fork() if forks else 0
        if child:
            _see_to_its_end(child, request["run"], replies)
            continue
        requests.close()
        os.chdir(folder)  # which the import may have left
        if forks:
            tie_to_parent()
            os.mkdir(request["run"], 0o700)
            os.chdir(request["run"])
        functions.run(request)
        _exit(0)


def _next_request(requests: IO[bytes]) -> dict[str, Any]:
    """The next request, and not a byte of what comes after it; empty at the end."""
    size = int(requests.read(8) or 0)
    data = b""
    while len(data) < size:
        data += requests.read(size - len(data))
    request: dict[str, Any] = json.loads(data or b"{}")
    return request


class Functions:
    """Runs the cases of functions, and says what comes of them."""

    def __init__(self, module: ModuleType, lab: str, replies: int, prints: int, is_filtered: bool) -> None:
        self._module, self._lab, self._replies, self._prints = module, lab, replies, prints
        self._is_filtered = is_filtered

    def run(self, request: dict[str, Any]) -> None:
        """Run the cases of a function, each with CPU seconds of its own."""
        if self._is_filtered:
            refuse_processes()
        cases = request["cases"]
        limit_cpu_for_good(sum(case["seconds"] for case in cases))
        for number, case in enumerate(cases, start=1):
            name = {"run": request["run"], "case": number}
            _clear(self._prints)
            limit_cpu(case["seconds"], self._prints)
            began = _cpu()
            for outcome in self._outcomes(case):
                _send(self._replies, what="outcome", outcome=outcome, **name)
            limit_cpu(NO_LIMIT, self._prints)
            _send(self._replies, what="answered", cpu=_cpu() - began, printed=_printed(self._prints), **name)

    def _outcomes(self, case: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The outcomes of a case's calls, in order, up to the first that raises."""
        module = self._module
        spies = Spies(module, case["watch"], stand_in)
        for call, inputs in enumerate(case["calls"]):
            _write(self._prints, CALL_BEGINS.format(call).encode())
            try:
                with spies.in_place(call):
                    outcome = make_call(module, case["kind"], case["function"], inputs)
            except NotWritten as missing:
                outcome = {"missing": missing.args[1]}
            except BaseException as error:
                outcome = {"raised": vars(safely_described(error, self._lab))}
            flush_prints()
            yield outcome | spies.report()
            if "raised" in outcome or "missing" in outcome:
                break


def _see_to_its_end(child: int, run: str, replies: int) -> None:
    """Wait for the process of a function, and say how it ended."""
    _, status = _wait(child, 0)
    code = os.waitstatus_to_exitcode(status)
    _write(replies, b"\n")  # which ends what it may have begun to write
    _send(replies, what="ended", run=run, status=max(0, code), signal=max(0, -code))


def _clear(prints: int) -> None:
    os.lseek(prints, 0, os.SEEK_SET)
    os.ftruncate(prints, 0)


def _printed(prints: int) -> str:
    """The end of what was printed."""
    size = os.lseek(prints, 0, os.SEEK_END)
    os.lseek(prints, max(0, size - KEPT_OUTPUT), os.SEEK_SET)
    return os.read(prints, KEPT_OUTPUT).decode("utf-8", "replace")


def _send(pipe: int, **message: Any) -> None:
    """Write a line of JSON; half a character, in a name of the student's, becomes a question mark."""
    limit = _digits_limit()  # which lab.py may have lowered
    _limit_digits(0)
    data = f"{_in_json(message)}\n".encode("utf-8", "replace")
    _limit_digits(limit)
    while data:
        data = data[_write(pipe, data) :]
