"""The sentences about exceptions, processes that ended, and imports that failed."""

import dataclasses
import signal
from typing import Any

import pytest

from grader.protocol.answer import Answer, Ending, Raised
from grader.verdicts.sentences import (
    complaint,
    sentence_for_ending,
    sentence_for_exception,
    sentence_for_import,
)
from grader.verdicts.verdict import Status
from staff.tests.support.tables import table_of


def raised(
    type_: str, text: str = "", frames: tuple[tuple[int, str], ...] = ()
) -> Raised:
    return Raised(type_, (type_, "Exception"), text, frames)


@pytest.mark.parametrize("row", table_of("exceptions"))
def test_an_exception_is_said_in_a_line(row: dict[str, Any]) -> None:
    frames = tuple((line, name) for line, name in row.get("frames", []))
    exception = dataclasses.replace(
        raised(row["type"], row.get("text", ""), frames), meant=row.get("meant", "")
    )
    status, sentence = sentence_for_exception(exception, ("solve",))
    assert status.value == row.get("status", "crash")
    assert sentence.endswith(row["ends"]) if "ends" in row else sentence == row["says"]


@pytest.mark.parametrize("type_", ["SystemExit", "MemoryError", "EOFError", "BdbQuit"])
def test_a_command_calls_the_function_by_its_name(type_: str) -> None:
    """A verdict says "It ended the program", where the function is known."""
    exception = raised(type_, "", ((7, "solve"),))
    _, sentence = sentence_for_exception(exception, ("solve",))
    assert sentence.startswith("It ")
    assert complaint(("solve",), exception) == f"solve {sentence.removeprefix('It ')}"


def test_a_command_says_which_function_is_not_written() -> None:
    def says(function: str) -> str:
        frames = ((7, function),)
        return complaint(
            ("solve", "__init__"), raised("NotImplementedError", "", frames)
        )

    assert says("solve") == says("__init__") == "solve is not written yet."
    assert says("helper") == "solve calls helper, which is not written yet."


@pytest.mark.parametrize(
    "ending", [ending for ending in Ending if ending is not Ending.ANSWERED]
)
def test_every_ending_has_its_sentence(ending: Ending) -> None:
    status, sentence = sentence_for_ending(
        Answer(ending, detail=9, limit=2.0, seconds=10.0)
    )
    statuses = {Ending.CPU_TIME_UP: Status.TIME_OUT, Ending.STALLED: Status.UNGRADED}
    assert status is statuses.get(ending, Status.CRASH)
    assert sentence[0].isupper() and sentence[-1] in ".?"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            Answer(Ending.CPU_TIME_UP, limit=2.0, frames=((7, "solve"),)),
            "It was stopped (lab.py:7, in",
        ),
        (
            Answer(Ending.STALLED, seconds=10.2, cpu=0.31),
            "It was stopped after 10 seconds, of which it spent only 0.3 computing.",
        ),
        (
            Answer(Ending.KILLED, detail=int(signal.SIGSEGV)),
            "Python itself crashed: SIGSEGV (a segmentation fault,",
        ),
        (Answer(Ending.KILLED, detail=99), "A signal ended it: 99th signal."),
        (
            Answer(Ending.EXITED, detail=7),
            "It ended the whole process (exit status 7) instead of returning.",
        ),
    ],
)
def test_an_ending_is_said_with_its_facts(answer: Answer, sentence: str) -> None:
    assert sentence_for_ending(answer)[1].startswith(sentence)


def test_what_ails_a_file_says_more_than_its_exception() -> None:
    failed = Answer(Ending.ANSWERED, raised=raised("SyntaxError", "invalid syntax"))
    assert (
        sentence_for_import(failed)
        == "lab.py cannot be imported. SyntaxError: invalid syntax"
    )
    assert (
        sentence_for_import(failed, "It is UTF-16.")
        == "lab.py cannot be imported. It is UTF-16."
    )
    assert "exit status 0" in sentence_for_import(
        Answer(Ending.EXITED), "It is UTF-16."
    )


@pytest.mark.parametrize(
    "type_", ["EOFError", "SystemExit", "AssertionError", "NameError"]
)
def test_what_is_tried_out_at_the_top_belongs_elsewhere(type_: str) -> None:
    sentence = sentence_for_import(
        Answer(Ending.ANSWERED, raised=raised(type_, "", ((9, "<module>"),)))
    )
    assert sentence.endswith("into try_it().") == (type_ != "NameError")
    assert "make debug" not in sentence


def test_a_call_at_the_top_that_fails_is_named_by_its_line() -> None:
    failed = raised("KeyError", "3", ((9, "<module>"), (3, "solve")))
    assert "line 9 of lab.py" in sentence_for_import(
        Answer(Ending.ANSWERED, raised=failed)
    )
    inner = dataclasses.replace(failed, frames=((3, "solve"),))
    assert "Line" not in sentence_for_import(Answer(Ending.ANSWERED, raised=inner))
