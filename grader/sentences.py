"""Plain sentences for what went wrong before there was anything to judge."""

import signal
from typing import Any

from grader.answer import Answer, Ending
from grader.show import Garbled, harmless, ordinal
from grader.status import Status

_SIGNALS = {
    "SIGSEGV": "a segmentation fault; endless recursion with a raised recursion limit does that",
    "SIGKILL": "killed, most likely for want of memory",
    "SIGABRT": "aborted",
}


def sentence_for_ending(answer: Answer, seconds: float) -> tuple[Status, str]:
    """What to say of a process that ended without an answer."""
    if answer.ending is Ending.TIMED_OUT:
        if answer.detail:
            return Status.TIME_OUT, f"It was stopped after {seconds:g} seconds of computing; does a loop never end?"
        waited = f"It was stopped after {answer.seconds:.0f} seconds"
        return Status.TIME_OUT, f"{waited}, most of which it waited; what does it wait for?"
    if answer.ending is Ending.KILLED:
        name = _signal_name(answer.detail)
        return Status.CRASH, f"Python itself crashed: {name}{_explained(name)}."
    sentences = {
        Ending.EXITED: f"It ended the whole process (exit status {answer.detail}) instead of returning.",
        Ending.FLOODED: "It printed more than 16 MiB and was stopped; does a loop print without end?",
        Ending.TOO_LARGE: "It returned more than 8 MiB.",
        Ending.GARBLED: "Something was written where only the grader writes, so that no answer could be read.",
    }
    return Status.CRASH, sentences[answer.ending]


def sentence_for_exception(raised: Any, function: str) -> tuple[Status, str]:
    """What to say of an exception; `function` is the graded one."""
    if not isinstance(raised, dict):
        raise Garbled
    bases, frames = raised.get("bases"), _frames(raised.get("frames"))
    if not isinstance(bases, list):
        raise Garbled
    where = f" ({_where(frames)})" if frames else ""
    if "NotImplementedError" in bases:
        name = frames[-1][1] if frames else function
        owner = "" if name in (function, "__init__", "start", "get_moves", "do_move", "terminal_value") else name
        return Status.NOT_STARTED, f"It calls {owner}, which is not written yet." if owner else "Not started."
    if "SystemExit" in bases:
        return Status.CRASH, f"It called sys.exit instead of returning{where}."
    if "RecursionError" in bases:
        return Status.CRASH, f"Endless recursion{where}: what should make it stop?"
    if "MemoryError" in bases:
        return Status.CRASH, f"It ran out of memory (1 GiB){where}."
    kind, text = harmless(raised.get("type"), 60), raised.get("text")
    reason = f": {harmless(text)}" if isinstance(text, str) and text else ""
    return Status.CRASH, f"{kind}{reason}{where}"


def sentence_for_import(answer: Answer) -> str:
    """What to say of a lab.py that cannot be imported."""
    if answer.ending is Ending.ANSWERED:
        _, sentence = sentence_for_exception(answer.outcomes[0].get("raised"), "")
        return f"lab.py cannot be imported. {sentence}"
    _, sentence = sentence_for_ending(answer, 5)
    return f"lab.py cannot be imported. {sentence}"


def _frames(frames: Any) -> list[tuple[int, str]]:
    if not isinstance(frames, list):
        raise Garbled
    good = [frame for frame in frames if isinstance(frame, list) and len(frame) == 2 and type(frame[0]) is int]
    return [(line, harmless(name, 60)) for line, name in good]


def _where(frames: list[tuple[int, str]]) -> str:
    line, name = frames[-1]
    place = f"lab.py:{line}"
    return place if name in ("<module>", "the module") else f"{place}, in {name}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"{ordinal(number)} signal"


def _explained(name: str) -> str:
    return f" ({_SIGNALS[name]})" if name in _SIGNALS else ""
