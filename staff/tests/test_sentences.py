"""The sentences for what went wrong before there was anything to judge."""

import inspect
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.calls.raised import describe
from grader.judging.sentences import sentence_for_ending, sentence_for_exception, sentence_for_import
from grader.judging.verdict import Status
from grader.protocol.answer import Answer, Ending
from grader.protocol.raised import Raised

BY_CLOCK = {
    Ending.CPU_TIME_UP: Status.TIME_OUT,
    Ending.WALL_TIME_UP: Status.TIME_OUT,
    Ending.STALLED: Status.UNGRADED,
}


@pytest.mark.parametrize("ending", [ending for ending in Ending if ending is not Ending.ANSWERED])
def test_every_ending_has_its_sentence(ending: Ending) -> None:
    status, said = sentence_for_ending(Answer(ending, detail=9, seconds=10.0), 2.0)
    assert status is BY_CLOCK.get(ending, Status.CRASH)
    assert said[0].isupper() and said[-1] in ".?"
    assert "None" not in said and "{" not in said


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(Ending.CPU_TIME_UP, seconds=9.0), "It was stopped after 2 seconds of computing; does a loop never end"),
        (Answer(Ending.WALL_TIME_UP, seconds=9.0), "It was stopped after 9 seconds; does a loop never end"),
        (
            Answer(Ending.CPU_TIME_UP, frames=((3, "look"), (7, "solve"))),
            "It was stopped after 2 seconds of computing (lab.py:7, in s",
        ),
        (Answer(Ending.STALLED, seconds=10.2, cpu=0.31), "In 10 seconds it computed for 0.3, and was stopped."),
        (Answer(Ending.KILLED, detail=int(signal.SIGSEGV)), "Python itself crashed: SIGSEGV (a segmentation fault;"),
        (Answer(Ending.KILLED, detail=int(signal.SIGTERM)), "A signal ended it: SIGTERM."),
        (Answer(Ending.KILLED, detail=99), "A signal ended it: 99th signal."),
        (Answer(Ending.EXITED, detail=7), "It ended the whole process (exit status 7) instead of returning."),
        (Answer(Ending.OUT_OF_MEMORY, frames=((7, "<module>"),)), "It ran out of memory (lab.py:7); there is 1 GiB"),
    ],
)
def test_what_is_said_of_an_ending(answer: Answer, said: str) -> None:
    assert sentence_for_ending(answer, 2.0)[1].startswith(said)


def raised(kind: str, text: str = "", *frames: tuple[int, str]) -> Raised:
    return Raised(kind, (kind, "Exception"), text, frames)


@pytest.mark.parametrize(
    ("exception", "status", "said"),
    [
        (raised("NotImplementedError", "", (7, "solve")), Status.NOT_STARTED, "Not started: line 7 of lab.py was"),
        (raised("NotImplementedError"), Status.NOT_STARTED, "Not started."),
        (raised("NotImplementedError", "", (7, "solve"), (9, "help")), Status.NOT_STARTED, "It calls help, which is"),
        (raised("KeyError", "3", (7, "solve")), Status.CRASH, "KeyError: 3 (lab.py:7, in solve)"),
        (raised("KeyError"), Status.CRASH, "KeyError"),
        (raised("Odd\x1b", "\x1b[2J"), Status.CRASH, "Odd\\x1b: \\x1b[2J"),
        (raised("TypeError", "solve.<locals>.inner() takes no 3"), Status.CRASH, "TypeError: inner() takes no 3"),
        (
            raised("ImportError", "cannot import name 'x' from 'api' (/a home/api/__init__.py)", (7, "<module>")),
            Status.CRASH, "ImportError: cannot import name 'x' from 'api' (lab.py:7)",
        ),
        (raised("SystemExit", "", (7, "solve")), Status.CRASH, "It ended the program, as exit and sys.exit do,"),
        (raised("EOFError"), Status.CRASH, "It asks for input, and nobody can type"),
        (
            replace(raised("AttributeError", "'AbstractGameState' object has no attribute 'x'"), in_heuristic=True),
            Status.CRASH,
            "AttributeError: 'AbstractGameState' object has no attribute 'x'. A heuristic looks at state.",
        ),
        (
            replace(raised("AttributeError", "'function' object has no attribute 'x'"), in_heuristic=True),
            Status.CRASH,
            "AttributeError: 'function' object has no attribute 'x'. A heuristic looks at state.get_snapshot(), not",
        ),
        (
            replace(raised("AttributeError", "'bool' object has no attribute 'x'"), in_heuristic=True),
            Status.CRASH,
            "AttributeError: 'bool' object has no attribute 'x'. A heuristic is given the snapshot first, and then the",
        ),
        (
            raised("PermissionError", "[Errno 13] Permission denied", (7, "solve")), Status.CRASH,
            "PermissionError: [Errno 13] Permission denied (lab.py:7, in solve). A case starts no program, has no",
        ),
        (
            raised("TypeError", "ZeroBy() takes no arguments"), Status.CRASH,
            "TypeError: ZeroBy() takes no arguments. A class takes what its __init__ does, with two underscores on",
        ),
        (
            raised("TypeError", "cannot unpack non-iterable NoneType object", (7, "solve")),
            Status.CRASH,
            "TypeError: cannot unpack non-iterable NoneType object (lab.py:7, in solve). None often comes of a missing "
            "`return`, of append, extend or sort, or of a start never replaced",
        ),
        (
            raised("TypeError", 'can only concatenate list (not "NoneType") to list'), Status.CRASH,
            'TypeError: can only concatenate list (not "NoneType") to list. None often comes of a missing `return`',
        ),
        (
            raised("TypeError", "'>' not supported between instances of 'int' and 'function'"), Status.CRASH,
            "TypeError: '>' not supported between instances of 'int' and 'function'. A function stands there: is each",
        ),
        (
            raised("TypeError", "'>' not supported between instances of 'Value' and 'Value'"), Status.CRASH,
            "TypeError: '>' not supported between instances of 'Value' and 'Value'. The members of Value have no order",
        ),
        (
            raised("TypeError", "'builtin_function_or_method' object is not iterable"), Status.CRASH,
            "TypeError: 'builtin_function_or_method' object is not iterable. A method is called only where brackets",
        ),
        (
            raised("TypeError", "unsupported operand type(s) for -: 'function' and 'int'"), Status.CRASH,
            "TypeError: unsupported operand type(s) for -: 'function' and 'int'. A function stands there: is each arg",
        ),
        (
            raised("TypeError", "ZeroBy.start() takes 0 positional arguments but 1 was given"), Status.CRASH,
            "TypeError: ZeroBy.start() takes 0 positional arguments but 1 was given. Python hands over `self` too",
        ),
    ],
)  # fmt: skip
def test_what_is_said_of_an_exception(exception: Raised, status: Status, said: str) -> None:
    found, sentence = sentence_for_exception(exception, ("solve",))
    assert (found, sentence[: len(said)]) == (status, said)


def test_no_self_is_spoken_of_where_a_function_takes_less() -> None:
    said = "value() takes 1 positional argument but 2 were given"
    assert sentence_for_exception(raised("TypeError", said))[1] == f"TypeError: {said}"


def test_no_class_is_spoken_of_where_a_method_takes_nothing() -> None:
    said = "clear() takes no arguments (1 given)"
    assert sentence_for_exception(raised("TypeError", said))[1] == f"TypeError: {said}"


@pytest.mark.parametrize(
    ("is_shallow", "said"), [(True, "nothing here goes 1,000 calls deep"), (False, "a list of your own")]
)
def test_endless_recursion_is_asked_what_makes_it_stop(is_shallow: bool, said: str) -> None:
    sentence = sentence_for_exception(raised("RecursionError", "", (7, "solve")), ("solve",), is_shallow)[1]
    assert said in sentence and "(lab.py:7, in solve)" in sentence


def test_what_ails_a_file_says_more_than_its_exception() -> None:
    failed = Answer(Ending.ANSWERED, raised=raised("SyntaxError", "invalid syntax"))
    assert sentence_for_import(failed) == "lab.py cannot be imported. SyntaxError: invalid syntax"
    assert sentence_for_import(failed, "It is UTF-16.") == "lab.py cannot be imported. It is UTF-16."
    assert sentence_for_import(Answer(Ending.EXITED), "It is UTF-16.").endswith("(exit status 0) instead of returning.")


def test_a_recursion_is_told_by_the_lines_that_recur(tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(
        "def end(n):\n    return n\n\n\ndef deeper(n):\n    end(n)\n    return helper(n + 1)\n\n\n"
        "def helper(n):\n    end(n)\n    end(n)\n    return deeper(n)\n"
    )
    code: dict[str, Any] = {}
    exec(compile(lab.read_text("utf-8"), str(lab), "exec"), code)
    for depth in range(150, 156):
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(depth + len(inspect.stack()))
        try:
            code["deeper"](0)
        except RecursionError as error:
            frames = describe(error, str(lab)).frames
        finally:
            sys.setrecursionlimit(limit)
        assert sorted(frames) == [(7, "deeper"), (13, "helper")]


TRIED = ((9, "<module>"), (3, "solve"))


@pytest.mark.parametrize(
    "answer",
    [
        Answer(Ending.ANSWERED, raised=Raised("KeyError", ("KeyError",), "3", TRIED)),
        Answer(Ending.CPU_TIME_UP, frames=TRIED),
    ],
)
def test_what_is_tried_at_each_import_is_named_by_its_line(answer: Answer) -> None:
    asks = "Line 9 of lab.py came to that. It runs at each import; what you try out belongs in try_it()."
    said = sentence_for_import(answer)
    assert "lab.py:3, in solve" in said and said.endswith(asks) and said[-len(asks) - 2] in ".?"
    alone = replace(answer, raised=answer.raised and replace(answer.raised, frames=TRIED[1:]), frames=answer.frames[1:])
    assert "Line" not in sentence_for_import(alone)


@pytest.mark.parametrize(
    ("exception", "said"),
    [
        ("EOFError", "It asks for input (lab.py:9), and nobody can type while it is graded. Line 9 of lab.py came to"),
        ("SystemExit", "It ended the program, as exit and sys.exit do, instead of going on (lab.py:9). Line 9 of lab"),
        ("AssertionError", "AssertionError (lab.py:9). Line 9 of lab.py came to that. It runs at each import; what"),
        ("NameError", "NameError (lab.py:9)"),
    ],
)
def test_what_asks_or_ends_at_each_import_belongs_elsewhere(exception: str, said: str) -> None:
    """And no command is named for it: whatever imports lab.py comes to that line."""
    sentence = sentence_for_import(Answer(Ending.ANSWERED, raised=raised(exception, "", TRIED[0])))
    assert sentence.startswith(f"lab.py cannot be imported. {said}")
    assert sentence.endswith("belongs in try_it().") == (exception != "NameError")
    assert "make debug" not in sentence


def test_a_loop_at_the_top_is_told_where_it_belongs() -> None:
    said = sentence_for_import(Answer(Ending.CPU_TIME_UP, frames=TRIED[:1]))
    assert said.endswith("Line 9 of lab.py came to that. It runs at each import; what you try out belongs in try_it().")
