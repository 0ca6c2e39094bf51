"""Does anything that ships answer the lab?  Run on a release in a folder, where there is fork:

    PYTHONPATH=FOLDER python -P staff/release/stand_ins.py FOLDER

Each function, method and class of the release stands in for each graded function that is called
with as many arguments, in a lab that holds nothing else, and is asked what a few cases ask.  What is
right in one of them may be so by accident (a count of pieces is a number below 1000); what is right
in two is an answer, and a line of JSON is printed for it: [what it is, which function it answers].
"""

import contextlib
import gc
import importlib
import inspect
import itertools
import json
import os
import select
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from boards.cases import Bank, Case, load_bank
from grader.calls.calling import make_call
from grader.grading.judge import judge
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending
from grader.sandbox.watch import Watch, used_by
from grader.worker.confine import shut_in

ROOMS = ("api", "boards", "grader", "tests")
SECONDS = 0.5  # of CPU for all cases of a stand-in: they are short, and the model needs a tenth
PATIENCE = 2.0  # on the clock, for one that says nothing while nobody keeps it waiting: it waits for something
SHORT, LONGEST, MOST_CASES, ENOUGH = 2.0, 5_000, 4, 2

_StandIn = tuple[str, Callable[..., Any], list[Case]]
_told = os.dup(1)


class _TooLong(BaseException):
    """Raised in a stand-in whose time is up."""


def main(folder: Path) -> None:
    """Print what answers the lab in the release in this folder."""
    bank = load_bank()
    cases = [case for part in bank.parts for function in part.functions for case in telling_cases(bank, function)]
    stand_ins = dict(shipped_callables(folder))
    gc.freeze()
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        fit = [(name, stand_in, asked) for name, stand_in in stand_ins.items() if (asked := fitting(stand_in, cases))]
        for _, of_one_file in itertools.groupby(fit, key=lambda entry: entry[1].__module__):
            waiting = list(of_one_file)
            while waiting:
                del waiting[: _try_out(waiting, folder)]
        os.chdir(folder)


def telling_cases(bank: Bank, function: str) -> list[Case]:
    """A few short cases of a function which need no other one, those with many calls first."""
    cases = [case for case in bank.of(function) if not case.advice and not case.graded.needs and case.seconds <= SHORT]
    short = [case for case in cases if len(json.dumps([call.inputs for call in case.calls])) < LONGEST]
    return sorted(short, key=lambda case: -len(case.calls))[:MOST_CASES]


def shipped_callables(folder: Path) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every function and class of a release, and every method as a function, by its full name."""
    files = [file for room in ROOMS for file in sorted((folder / room).rglob("*.py"))]
    for file in [*files, folder / "lab.py"]:
        name = ".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
        if name.endswith("__main__"):
            continue
        for own in vars(importlib.import_module(name)).values():
            if callable(own) and getattr(own, "__module__", "") == name:
                yield f"{name}.{own.__qualname__}", own
                members = vars(own).items() if inspect.isclass(own) else ()
                yield from ((f"{name}.{own.__qualname__}.{key}", of) for key, of in members if inspect.isfunction(of))


def fitting(stand_in: Callable[..., Any], cases: list[Case]) -> list[Case]:
    """The cases that give as many arguments as it takes."""
    try:
        signature = inspect.signature(stand_in)
    except (TypeError, ValueError):
        return []
    return [
        case
        for case in cases
        if (inspect.isclass(stand_in) or not kind_of(case.graded).methods) and _takes(signature, case)
    ]


def _takes(signature: inspect.Signature, case: Case) -> bool:
    inputs = case.calls[0].inputs
    given = [None] * (2 if kind_of(case.graded).methods or "maximizer" in inputs else 1)
    named = {"heuristic_fn" if name == "heuristic" else name: None for name in inputs.get("arguments", ())}
    with contextlib.suppress(TypeError):
        signature.bind(*given, **named)
        return True
    return False


def earns(stand_in: Callable[..., Any], case: Case) -> bool:
    """Whether it earns anything in a case, in the place of the function that is asked for."""
    lab = ModuleType("lab")
    setattr(lab, case.function, stand_in)
    outcomes = []
    for call in case.calls:
        try:
            outcomes.append(json.loads(json.dumps(make_call(lab, case.graded.kind, case.function, call.inputs))))
        except _TooLong:
            raise
        except BaseException:
            return False
    return judge(case, Answer(Ending.ANSWERED, outcomes)).credit > 0


def answers(stand_in: Callable[..., Any], cases: list[Case]) -> bool:
    """Whether it earns something in enough of these cases, asked as long as it still can."""
    wanted = min(ENOUGH, len(cases))
    for number, case in enumerate(cases):
        wanted -= earns(stand_in, case)
        if not 0 < wanted < len(cases) - number:
            break
    return wanted <= 0


def _try_out(stand_ins: list[_StandIn], folder: Path) -> int:
    """Print what they answer, from a process of their own, which is shut in; how many it came to try.

    One that ends the process, or that waits for something, is the last.
    """
    progress, told_by_child = os.pipe()
    child = os.fork()
    if not child:
        try:
            _shut_in(folder)
            for stand_in in stand_ins:
                os.write(told_by_child, b".")
                _try_one(*stand_in)
        finally:
            os._exit(0)
    os.close(told_by_child)
    tried = 0
    while news := _news(progress, child):
        tried += len(news)
    for end in (os.kill, os.killpg):
        with contextlib.suppress(OSError):
            end(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(progress)
    return max(1, tried)


def _news(progress: int, child: int) -> bytes:
    """What a process says next; empty where it has ended, or has been silent for too long while it was let run."""
    watch = Watch(child, "", SECONDS, PATIENCE, used_by(child))
    while watch.seconds < PATIENCE:
        if select.select([progress], [], [], PATIENCE - watch.seconds)[0]:
            return os.read(progress, 1 << 10)
        watch.count()
    return b""


def _try_one(name: str, stand_in: Callable[..., Any], cases: list[Case]) -> None:
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.1)
    with contextlib.suppress(_TooLong):
        for function in dict.fromkeys(case.function for case in cases):
            asked = [case for case in cases if case.function == function]
            if answers(stand_in, asked):
                os.write(_told, json.dumps([name, function]).encode() + b"\n")


def _shut_in(folder: Path) -> None:
    """Leave the process nothing to harm: it reads the release, writes into the empty folder that it is in, and
    forks no more."""
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    tempfile.tempdir = os.getcwd()
    shut_in([folder], writable=Path.cwd())
    del os.fork
    signal.signal(signal.SIGPROF, _stop)


def _stop(*signal_and_frame: object) -> None:
    raise _TooLong


if __name__ == "__main__":
    main(Path(sys.argv[1]))
