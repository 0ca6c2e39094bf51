"""`make debug`: a case in this very process, in a debugger that stops where the
student's function begins.

    python grader debug --case alphabeta/equal-bounds
    python grader debug --case alphabeta/equal-bounds --call 2

There are no limits here, and nothing is judged.  First comes the call as Python, to
paste into an interpreter.  Earlier calls of the case run without a stop, so that what
they leave behind is there.  The debugger is pdb, which steps through lab.py and passes
over the kit around it.  PYTHONBREAKPOINT can name another one, and an editor may bring
its own.  The exit status is 0 if the call ended or somebody left it, and 1 if lab.py
failed.
"""

import ast
import bdb
import contextlib
import inspect
import os
import pdb
import sys
from pathlib import Path
from types import BuiltinFunctionType, FrameType, ModuleType
from typing import Any

from grader.bank.cases import Bank, Case
from grader.calls.calling import make_call
from grader.calls.raised import safely_described
from grader.calls.written import NotWritten
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import sentence_for_exception
from grader.kinds.kind import kind_of
from grader.parser import Parser
from grader.protocol.words import harmless, in_utf8
from grader.refusal import Refusal
from grader.showing.excerpt import unreadable_shown
from grader.showing.style import Style, code, within, wrapped
from grader.tools.named import find_call
from grader.worker.importing import leave_in_words

STOPS = "__stops__"  # a list in lab.py; it holds something until the debugger has stopped once
PASTED_AFTER = "from lab import *; from api import *; from boards import *"
USAGE = "make debug takes a CASE=, and CALL=2 for its second call; make test V=1 lists the cases"


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Make a call of a case in the debugger; the exit status.  Raises Refusal, and
    OSError for no lab.py.
    """
    parser = Parser("debug", USAGE)
    parser.add_argument("--case", metavar="NAME")
    parser.add_argument("--call", metavar="NUMBER")
    case, at = find_call(vars(parser.parse_args(words)), bank, USAGE)
    source, style = in_utf8(read_lab(lab)), Style.of_terminal()
    pasted = kind_of(case.graded).pasted(case.calls[at])
    if not pasted:
        what = kind_of(case.graded).signature(case.calls[at])
        raise Refusal(f"{case.id} is about {what}, which is no Python call to stop in")
    print(style.finish("\n".join(_introduction(case, at, pasted, style))), flush=True)
    function, kind = case.function, case.graded.kind
    inputs = [call.inputs for call in case.calls[: at + 1]]
    del case, bank  # the debugger must not show what is expected
    return _debug(source, lab.resolve(), kind, function, inputs, _called_last(pasted))


def _introduction(case: Case, at: int, pasted: str, style: Style) -> list[str]:
    """What goes into the call, and the call as Python."""
    lines = [
        case.id
        if len(case.calls) == 1
        else f"{case.id}, call {at + 1} of {len(case.calls)}"
    ]
    if at + 1 < len(case.calls):
        lines.append(
            f"The next one: {style.command('debug', case=case.id, call=str(at + 2))}"
        )
    picture = kind_of(case.graded).picture(case.calls[at], None)
    lines += ["", *(part for line in picture for part in within(line)), ""]
    return [
        *lines,
        "To try it, start Python in this folder, and paste:",
        "",
        PASTED_AFTER,
        *code(pasted),
        "",
    ]


def _debug(
    source: bytes,
    lab: Path,
    kind: str,
    function: str,
    calls: list[dict[str, Any]],
    name: str,
) -> int:
    """Make the last of some calls in the debugger, which stops in the function with
    this name; the exit status.
    """
    debugger, module, came_back = _take_over_breakpoints(), None, list[Any]()
    leave_in_words()

    def note(frame: FrameType, event: str, value: Any) -> None:
        """What the function has returned, whenever it returns; the outermost call is
        the last one.
        """
        if event == "return" and (frame.f_code.co_filename, frame.f_code.co_name) == (
            str(lab),
            name,
        ):
            came_back[:] = (
                [] if frame.f_code.co_flags & inspect.CO_GENERATOR else [value]
            )

    try:
        module = _import_with_stops(source, lab, name)
        for inputs in calls[:-1] if debugger else ():
            with contextlib.suppress(Exception):
                make_call(module, kind, function, inputs)
        vars(module)[STOPS].append(True)
        sys.setprofile(note)
        make_call(module, kind, function, calls[-1])
        ended = (
            f"{name} returned {harmless(repr(came_back[0]), 600)}"
            if came_back
            else "The call has come to its end."
        )
    except (bdb.BdbQuit, KeyboardInterrupt):  # somebody left it
        return 0
    except NotWritten as missing:
        raise Refusal(str(missing)) from None
    except BaseException as error:
        sentence = sentence_for_exception(
            safely_described(error, str(lab)), (function,)
        )[1]
        if module is None:
            sentence = f"lab.py cannot be imported. {what_ails(source) or sentence}"
        style = Style.of_terminal()
        place = unreadable_shown(source) if module is None else []
        print(style.finish("\n".join([*wrapped(style.typed(sentence)), *place])))
        if debugger and module:
            debugger.look_back(error)
        return 1
    print(Style.of_terminal().finish("\n".join(wrapped(ended))))
    return 0


def _called_last(pasted: str) -> str:
    """The name of what the last line of Python calls.

    >>> _called_last("player = P(Nim(), 2)\\nplayer.search(2, state)"), _called_last("solve(TicTacToe())")
    ('search', 'solve')
    """
    outermost = next(
        node
        for node in ast.walk(ast.parse(pasted).body[-1])
        if isinstance(node, ast.Call)
    )
    return ast.unparse(outermost.func).rpartition(".")[2]


def _import_with_stops(source: bytes, lab: Path, name: str) -> ModuleType:
    """lab.py, which stops once in a function with this name; if there is none, in the
    first one that runs.

    It stops if its list STOPS holds something.  Raises whatever lab.py raises.
    """
    tree = ast.parse(source, str(lab))
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    for function in [node for node in functions if node.name == name] or functions:
        [stop] = ast.parse(f"if {STOPS} and {STOPS}.pop(): breakpoint()").body
        for node in ast.walk(
            stop
        ):  # at the line of the `def`, so that the next line is the function's first
            ast.copy_location(node, [*function.decorator_list, function][0])
        function.body.insert(
            0 if ast.get_docstring(function, clean=False) is None else 1, stop
        )
    module = ModuleType("lab")
    module.__file__ = str(lab)
    vars(module)[STOPS] = []
    sys.modules["lab"] = module
    exec(compile(tree, str(lab), "exec", dont_inherit=True), vars(module))
    return module


class _Debugger(pdb.Pdb):
    """pdb for lab.py alone: it steps over the kit and the standard library."""

    def is_skipped_module(self, module_name: str | None) -> bool:
        return module_name != "lab"

    def user_line(self, frame: FrameType) -> None:
        """Before each line: pass over a stop of ours, which has the line of a `def`."""
        if frame.f_lineno != frame.f_code.co_firstlineno:
            super().user_line(frame)

    def stop(self, *_: Any, **__: Any) -> None:
        """What `breakpoint()` does."""
        self.set_trace(sys._getframe(1))

    def look_back(self, error: BaseException) -> None:
        """Show where an exception came from, and take commands there."""
        sys.settrace(None)
        self.reset()
        self.interaction(None, error.__traceback__)


def _take_over_breakpoints() -> _Debugger | None:
    """Our debugger, which breakpoint() calls from now on; None if another one is in
    use.
    """
    if os.environ.get("PYTHONBREAKPOINT") or not isinstance(
        sys.breakpointhook, BuiltinFunctionType
    ):
        return None
    debugger = _Debugger(skip=["*"])
    sys.breakpointhook = debugger.stop
    return debugger
