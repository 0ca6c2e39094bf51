"""`make debug`: a case in this very process, in a debugger that stops where the student's function begins.

    python grader debug --case alphabeta/equal-bounds
    python grader debug --case alphabeta/equal-bounds --call 2

There are no limits here, and nothing is judged.  What an earlier call of the case leaves behind is there: in pdb, those
before the chosen one are made first, without a stop, and one that does not end is stopped.  The debugger is pdb, which
steps through lab.py and passes over the kit around it; PYTHONBREAKPOINT names another one, and an editor may bring its
own.
Exit status 0 where the call came to its end or somebody left it, 1 where lab.py failed.
"""

import _thread
import ast
import bdb
import os
import pdb
import sys
import threading
from pathlib import Path
from types import BuiltinFunctionType, FrameType, ModuleType
from typing import Any

from grader.calls.calling import make_call
from grader.calls.raised import safely_described
from grader.calls.written import NotWritten
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import sentence_for_exception
from grader.kinds.kind import kind_of
from grader.refusal import Refusal
from grader.showing.failing import PASTED_AFTER
from grader.showing.style import Style, code, within, wrapped
from grader.tools.named import find_call, options_of
from grader.worker.importing import leave_in_words

SECONDS = 5  # for a call before the chosen one
STOPS = "__stops__"  # in lab.py: a list that holds something until it has stopped once
USAGE = "make debug takes a CASE=, and CALL=2 for its second call; make test V=1 lists the cases"


def main(words: list[str], lab: Path) -> int:
    """Make a call of a case in the debugger; the exit status.  Raises Refusal, and OSError for no lab.py."""
    options = options_of(words, ("case", "call"), USAGE)
    if "case" not in options:
        raise Refusal(USAGE)
    source, style = read_lab(lab), Style.of_terminal()
    kind, function, (*before, inputs), pasted = _look_up(lab, options["case"], options.get("call", "1"), style)
    debugger, lab, module = _take_over_breakpoints(), lab.resolve(), None
    leave_in_words()
    try:
        for name in (_called_last(pasted), ""):  # the first may be that of an old one, which nothing calls
            stops = list[bool]()
            module = _import_with_stops(source, lab, name, stops)
            _make_calls(module, kind, function, before if debugger else [])
            stops.append(True)
            make_call(module, kind, function, inputs)
            if not stops:
                break
    except (bdb.BdbQuit, KeyboardInterrupt):  # somebody has seen enough
        return 0
    except NotWritten as missing:
        raise Refusal(f"lab.py has no {missing.args[0]}") from None
    except BaseException as error:
        raised = sentence_for_exception(safely_described(error, str(lab)), (function,))[1]
        sentence = raised if module else f"lab.py cannot be imported. {what_ails(source) or raised}"
        print(style.finish("\n".join(wrapped(style.typed(sentence)))))
        if debugger and module:
            debugger.look_back(error)
        return 1
    print(f"The call has come to its end. It is judged by:\n    {style.command(k=options['case'])}")
    return 0


def _make_calls(module: ModuleType, kind: str, function: str, calls: list[dict[str, Any]]) -> None:
    """Make calls in which nothing stops, whatever comes of them, be it that one never ends."""
    hook, sys.breakpointhook = sys.breakpointhook, lambda *_, **__: None
    for number, inputs in enumerate(calls, 1):
        clock = threading.Timer(SECONDS, _thread.interrupt_main)
        clock.start()
        try:
            make_call(module, kind, function, inputs)
        except KeyboardInterrupt:
            print(f"Call {number} had not come to its end, and was stopped.", flush=True)
        except Exception:
            pass
        finally:
            clock.cancel()
    sys.breakpointhook = hook


def _look_up(lab: Path, name: str, number: str, style: Style) -> tuple[str, str, list[dict[str, Any]], str]:
    """The kind, the function and the inputs of the calls up to one, and that as Python; what can be shown is printed.

    What is expected stays in here, where no debugger comes by.  Raises Refusal.
    """
    case, call = find_call(lab, name, number)
    calls, function, kind = case.calls, case.graded, kind_of(case.graded)
    pasted = kind.pasted(function, call)
    if not pasted:
        raise Refusal(f"{name} asks for {kind.signature(function, call)}, and that is no call in Python to stop in")
    lines = [name if len(calls) == 1 else f"{name}, call {number} of {len(calls)}"]
    if int(number) < len(calls):
        lines.append(f"The next one: {style.command('debug', case=name, call=str(int(number) + 1))}")
    lines += ["", *(part for line in kind.picture(function, call, None) for part in within(line)), ""]
    lines += ["To paste into a Python of your own:", "", PASTED_AFTER, *code(pasted), ""]
    print(style.finish("\n".join(lines)), flush=True)
    return function.kind, function.name, [one.inputs for one in calls[: int(number)]], pasted


def _called_last(pasted: str) -> str:
    """The name of what the last line of Python calls.

    >>> _called_last("player = P(Nim(), 2)\\nplayer.search(2, state)"), _called_last("solve(TicTacToe())")
    ('search', 'solve')
    """
    outermost = next(node for node in ast.walk(ast.parse(pasted).body[-1]) if isinstance(node, ast.Call))
    return ast.unparse(outermost.func).rpartition(".")[2]


def _import_with_stops(source: bytes, lab: Path, name: str, stops: list[bool]) -> ModuleType:
    """lab.py, which stops once in a function of this name, or where it has none, in whichever comes first.

    Whatever lab.py raises comes through.
    """
    tree = ast.parse(source, str(lab))
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for function in [node for node in functions if node.name == name] or functions:
        [stop] = ast.parse(f"if {STOPS} and {STOPS}.pop(): breakpoint()").body
        for node in ast.walk(stop):  # where the `def` begins, so that the next line is the function's first
            ast.copy_location(node, [*function.decorator_list, function][0])
        function.body.insert(0 if ast.get_docstring(function, clean=False) is None else 1, stop)
    module = ModuleType("lab")
    module.__file__ = str(lab)
    vars(module)[STOPS] = stops
    sys.modules["lab"] = module
    exec(compile(tree, str(lab), "exec", dont_inherit=True), vars(module))
    return module


class _Debugger(pdb.Pdb):
    """pdb for lab.py alone: it steps over the kit and the standard library."""

    def is_skipped_module(self, module_name: str | None) -> bool:
        return module_name != "lab"

    def user_line(self, frame: FrameType) -> None:
        """A line is next: a stop of ours, which stands where a `def` begins, is passed over."""
        if frame.f_lineno != frame.f_code.co_firstlineno:
            super().user_line(frame)

    def stop(self, *_: Any, **__: Any) -> None:
        """What `breakpoint()` does."""
        self.set_trace(sys._getframe(1))

    def look_back(self, error: BaseException) -> None:
        """Show the place that an exception came from, and take commands there."""
        sys.settrace(None)
        self.reset()
        self.interaction(None, error.__traceback__)


def _take_over_breakpoints() -> _Debugger | None:
    """Our debugger, which breakpoint() calls from now on; None where another one is wanted."""
    if os.environ.get("PYTHONBREAKPOINT") or not isinstance(sys.breakpointhook, BuiltinFunctionType):
        return None
    debugger = _Debugger(skip=["*"])
    sys.breakpointhook = debugger.stop
    return debugger
