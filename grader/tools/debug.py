"""`make debug`: runs a case in a debugger that stops where the student's function
begins.

    python grader debug --case alphabeta/equal-bounds
    python grader debug --case alphabeta/equal-bounds --call 2

The call is made in this process, without limits, and nobody judges the answer.  First
the call is printed as Python, so that a student can paste it into an interpreter.  Then
the earlier calls of the case are made without a stop, because they may leave something
behind in lab.py that matters to this call.

The debugger is pdb, which steps through lab.py and over the kit.  PYTHONBREAKPOINT can
name another debugger, and an editor may bring its own.  With another debugger, the
earlier calls are left out.

The exit status is 0 if the call ended or the person left the debugger, and 1 if lab.py
failed.  It is 2 if a word is wrong, or if the function is not written yet.
"""

import ast
import bdb
import contextlib
import inspect
import os
import pdb
import sys
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from grader.bank.cases import Bank, Case
from grader.child.calling import WORKERS
from grader.child.importing import leave_in_words
from grader.child.raised import safely_described
from grader.child.written import NotWritten
from grader.grading.source import read_lab, what_ails
from grader.kinds.kind import kind_of
from grader.parser import Parser
from grader.protocol.text import harmless, in_utf8
from grader.refusal import Refusal
from grader.showing.excerpt import unreadable_shown
from grader.showing.style import Style, code, within, wrapped
from grader.tools.named import add_case_and_call, find_call, heading_of
from grader.verdicts.sentences import sentence_for_exception

# The name of a list that the kit adds to lab.py.  Before the call that is debugged, the
# kit puts an item into this list.  The first stop takes the item out, so there is no
# second stop.
STOPS = "__stops__"
PASTED_AFTER = "from lab import *; from api import *; from boards import *"
KEYS = "(n: next line, s: step into, p NAME: print, u: up, c: continue, q: quit)"
USAGE = (
    "make debug takes a CASE=, and CALL=2 for its second call; "
    "make test V=1 lists the cases"
)


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Make a call of a case in the debugger, and return the exit status.

    Raises Refusal for wrong words and for a call that cannot be debugged.  Raises
    OSError if lab.py cannot be read.
    """
    parser = Parser("debug", USAGE, lab)
    add_case_and_call(parser)
    options = parser.read(words)
    case, at = find_call(options.case, options.call, bank)
    lab = options.lab
    source = in_utf8(read_lab(lab))
    style = Style.of_terminal()
    pasted = kind_of(case.graded).pasted(case.calls[at])
    if not pasted:
        what = kind_of(case.graded).signature(case.calls[at])
        raise Refusal(f"{case.id} is about {what}, which is not a call of a function")
    print(style.finish("\n".join(_introduction(case, at, pasted, style))), flush=True)
    function = case.function
    kind = case.graded.kind
    inputs = [call.inputs for call in case.calls[: at + 1]]
    del case, bank  # a person in the debugger could look at what the case expects
    return _debug(source, lab.resolve(), kind, function, inputs, _called_last(pasted))


def _introduction(case: Case, at: int, pasted: str, style: Style) -> list[str]:
    """Return the lines that are printed before the debugger starts.

    They show the inputs of the call, and the call as Python.
    """
    lines = [heading_of(case, at)]
    if at + 1 < len(case.calls):
        command = style.command("debug", case=case.id, call=str(at + 2))
        lines += [f"To debug call {at + 2} instead:", f"  {command}"]
    picture = kind_of(case.graded).picture(case.calls[at], None, ())
    drawing = [part for line in picture for part in within(line)]
    return [
        *lines,
        "",
        *drawing,
        "",
        "To try this call yourself, start Python in this folder and paste:",
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
    """Make these calls, the last one in the debugger, and return the exit status.

    The debugger stops at the beginning of the function whose name is `name`.  Raises
    Refusal if a function is not written yet.
    """
    debugger = _take_over_breakpoints()
    worker = WORKERS[kind]
    module = None
    # The last value that the function whose name is `name` has returned.  The list is
    # empty if no value has been noted.
    returned = list[Any]()

    def note_return(frame: FrameType, event: str, value: Any) -> None:
        """Note what the function whose name is `name` returns.

        Python calls note_return at each call and each return of a function.  It does so
        at each `yield` of a generator too, so what a generator returns is not noted.
        """
        code = frame.f_code
        if event == "return" and (code.co_filename, code.co_name) == (str(lab), name):
            is_generator = code.co_flags & inspect.CO_GENERATOR
            returned[:] = [] if is_generator else [value]

    leave_in_words()
    try:
        module = _import_with_stops(source, lab, name)
        # The kit's debugger does not stop in the earlier calls.  Another debugger would
        # stop at its breakpoints in these calls too.  So for another debugger, the
        # earlier calls are left out.
        if debugger:
            for inputs in calls[:-1]:
                with contextlib.suppress(Exception):
                    worker.call(module, function, inputs)
        vars(module)[STOPS].append(True)
        sys.setprofile(note_return)
        worker.call(module, function, calls[-1])
        ended = "The call has ended."
        # If the function calls itself, its outermost call returns last.  So the list
        # holds what the outermost call has returned.
        if returned:
            ended = f"{name} returned {harmless(repr(returned[0]), 600)}"
    except (bdb.BdbQuit, KeyboardInterrupt):  # the person left
        return 0
    except NotWritten as missing:
        raise Refusal(str(missing)) from None
    except BaseException as error:
        raised = safely_described(error, str(lab))
        sentence = sentence_for_exception(raised, (function,))[1]
        _tell_failure(sentence, source, is_imported=module is not None)
        # Let the person look around at the place where the exception was raised.
        if debugger and module:
            sys.settrace(None)
            debugger.reset()
            debugger.interaction(None, error.__traceback__)
        return 1
    print(Style.of_terminal().finish("\n".join(wrapped(ended))))
    return 0


def _tell_failure(sentence: str, source: bytes, is_imported: bool) -> None:
    """Print a sentence about the exception that lab.py has raised.

    If Python cannot read the text of lab.py, also print the code at that place.
    """
    style = Style.of_terminal()
    code = list[str]()
    if not is_imported:
        sentence = f"lab.py cannot be imported. {what_ails(source) or sentence}"
        code = unreadable_shown(source)
    print(style.finish("\n".join([*wrapped(style.typed(sentence)), *code])))


def _called_last(pasted: str) -> str:
    """Return the name of the function that the last line of this Python code calls.

    >>> _called_last("player = P(Nim(), 2)\\nplayer.search(2, state)")
    'search'
    >>> _called_last("solve(TicTacToe())")
    'solve'
    """
    nodes = ast.walk(ast.parse(pasted).body[-1])
    outermost = next(node for node in nodes if isinstance(node, ast.Call))
    return ast.unparse(outermost.func).rpartition(".")[2]


def _import_with_stops(source: bytes, lab: Path, name: str) -> ModuleType:
    """Import lab.py with an added statement that calls breakpoint().

    The kit adds the statement at the beginning of each function whose name is `name`.
    If lab.py has no such function, the kit adds it to every function.  The statement
    calls breakpoint() only if the list that STOPS names is not empty, and removes one
    item from this list.  Raises whatever lab.py raises.
    """
    tree = ast.parse(source, str(lab))
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    for function in [node for node in functions if node.name == name] or functions:
        [stop] = ast.parse(f"if {STOPS} and {STOPS}.pop(): breakpoint()").body
        # The added statement gets the line in which the definition of the function
        # begins.  So the debugger goes on to the first line of the body.
        for node in ast.walk(stop):
            ast.copy_location(node, [*function.decorator_list, function][0])
        has_docstring = ast.get_docstring(function, clean=False) is not None
        function.body.insert(1 if has_docstring else 0, stop)
    module = ModuleType("lab")
    module.__file__ = str(lab)
    vars(module)[STOPS] = []
    sys.modules["lab"] = module
    exec(compile(tree, str(lab), "exec", dont_inherit=True), vars(module))
    return module


class _Debugger(pdb.Pdb):
    """The debugger pdb, but it stops only in lab.py.  It steps over the kit and the
    standard library.
    """

    intro = KEYS

    def postloop(self) -> None:
        """Show the intro above the first prompt, and not above later ones."""
        self.intro = ""
        super().postloop()

    def is_skipped_module(self, module_name: str | None) -> bool:
        return module_name != "lab"

    def user_line(self, frame: FrameType) -> None:
        """Stop at a line of lab.py.

        Do not stop at the first line of a definition, where the kit has put its own
        call of breakpoint().
        """
        if frame.f_lineno != frame.f_code.co_firstlineno:
            super().user_line(frame)


def _take_over_breakpoints() -> _Debugger | None:
    """Have breakpoint() call the debugger of the kit, and return this debugger.

    If another debugger is in use, do nothing and return None.
    """
    is_replaced = sys.breakpointhook is not sys.__breakpointhook__
    if is_replaced or os.environ.get("PYTHONBREAKPOINT"):
        return None
    debugger = _Debugger(skip=["*"])
    sys.breakpointhook = debugger.set_trace
    return debugger
