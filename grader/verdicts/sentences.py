"""Writes the sentence about a failure that left no answer to judge.

The failure is an exception, a process that gave no answer, or an import that failed.
sentences.yaml has most of the sentences, and this module chooses the one that fits.
"""

import functools
import re
import signal
from pathlib import Path
from typing import Any, cast

from grader.protocol.answer import Answer, Ending, Frames, Raised, inside
from grader.protocol.limits import BROKEN, OUT_OF_MEMORY
from grader.protocol.text import harmless, ordinal
from grader.verdicts.verdict import Status

WORDS = Path(__file__).with_suffix(".yaml")
MODULE = ("<module>", "the module")  # the names of a frame outside of all functions
LONGEST_NAME = 60
# Students often try out code at the top level of lab.py, and these exceptions often
# come from such code.
_TYPED = {"EOFError", "BdbQuit"}
_TRIED = {"AssertionError", "SystemExit", "RecursionError", "MemoryError", *_TYPED}
# Two things are left out of what Python says.  One is the name of the function around
# an inner function.  The other is the path of a module from which lab.py imports a name
# that the module does not have.
_ASIDE = re.compile(r"\w+\.<locals>\.|(?<=') \([^()]*\.py\)$")
# The exit statuses with which the grader's own code in the child ends the process.
_OUR_STATUSES = {BROKEN: "broken", OUT_OF_MEMORY: "out of memory"}


@functools.cache
def read_words() -> dict[str, Any]:
    """Return the content of sentences.yaml.  The file is read only once."""
    import yaml  # The import takes long, and only a failure needs it.

    return cast(dict[str, Any], yaml.safe_load(WORDS.read_text("utf-8")))


def sentence_for_ending(answer: Answer) -> tuple[Status, str]:
    """Return the status of a case whose process gave no answer, and the sentence that
    says how the process ended.
    """
    statuses = {Ending.STALLED: Status.UNGRADED, Ending.CPU_TIME_UP: Status.TIME_OUT}
    status = statuses.get(answer.ending, Status.CRASH)
    if answer.ending is Ending.KILLED:
        return status, _sentence_for_signal(answer.detail)
    ending = answer.ending.value
    if answer.ending is Ending.EXITED:
        ending = _OUR_STATUSES.get(answer.detail, ending)
    where = place_of(answer.frames)
    sentence = read_words()["endings"][ending].format(answer=answer, where=where)
    return status, sentence


def _sentence_for_signal(number: int) -> str:
    names = {member.value: member.name for member in signal.Signals}
    name = names.get(number, f"{ordinal(number)} signal")
    return str(read_words()["signals"].get(name, f"A signal ended it: {name}."))


def sentence_for_exception(
    raised: Raised, names: tuple[str, ...] = ("",), subject: str = "It"
) -> tuple[Status, str]:
    """Return the status and the sentence for an exception that a call of a graded
    function raised.

    The first of `names` is the name of what is graded, which is a function or a class.
    If it is a class, the names of its methods follow.  `subject` is what the sentence
    calls the function, such as `It`.
    """
    if "NotImplementedError" in raised.bases:
        return Status.NOT_STARTED, _not_started(raised, names, subject)
    where = place_of(raised.frames)
    for base, sentence in read_words()["exceptions"].items():
        if base in raised.bases:
            return Status.CRASH, sentence.format(it=subject, where=where)
    reason = harmless(raised.type, LONGEST_NAME)
    if text := harmless(_ASIDE.sub("", raised.text)):
        reason = f"{reason}: {text}"
    if hint := _hint(raised, reason):
        return Status.CRASH, f"{reason}{where}. {hint}"
    return Status.CRASH, f"{reason}{where}"


def _not_started(raised: Raised, names: tuple[str, ...], subject: str) -> str:
    if raised.is_missing:
        return harmless(raised.text)
    name = inside(raised.frames) or names[0]
    if name not in names:
        return f"{subject} calls {name}, which is not written yet."
    if raised.frames:
        line, _ = raised.frames[-1]
        return f"Line {line} of lab.py still raises NotImplementedError."
    if raised.text:
        return f"Not started: {names[0]} has no {harmless(raised.text)} of its own."
    return "Not started."


def _hint(raised: Raised, reason: str) -> str:
    """Return a hint that helps with an exception; empty if sentences.yaml has none for
    it.
    """
    if raised.meant:
        return str(read_words()["meant"]).format(
            name=harmless(raised.meant, LONGEST_NAME)
        )
    if hint := hint_for("arguments", reason):
        return hint if raised.frames else str(read_words()["called by the kit"])
    return hint_for("hints", reason)


def hint_for(group: str, reason: str) -> str:
    """Return the sentence of sentences.yaml that fits a reason, such as the text of an
    exception.

    `group` names a part of that file, which has a sentence for each pattern.  The first
    pattern that is found in the reason decides.  The text is empty if none is found.
    """
    for pattern, sentence in read_words()[group].items():
        if match := re.search(pattern, reason):
            return match.expand(sentence)
    return ""


def complaint(names: tuple[str, ...], raised: Raised) -> str:
    """Return the sentence in which a command such as `make run` reports an exception of
    lab.py.

    The first of `names` is the name of the function or class that the command called.
    If it is a class, the names of its methods follow.
    """
    name = names[0]
    status, sentence = sentence_for_exception(raised, names, subject=name)
    if status is Status.NOT_STARTED and inside(raised.frames) in ("", *names):
        return f"{name} is not written yet."
    return sentence


def sentence_for_import(answer: Answer, ailing: str = "") -> str:
    """Return the sentence about a lab.py that cannot be imported.

    `ailing` says why Python cannot read the text of lab.py.  It is empty if Python can
    read the text.
    """
    raised = answer.raised
    frames = answer.frames
    if raised is None:
        _, sentence = sentence_for_ending(answer)
        may_be_tried = True
    else:
        frames = raised.frames
        may_be_tried = len(frames) > 1 or not _TRIED.isdisjoint(raised.bases)
        sentence = read_words()["typing at import"]
        if _TYPED.isdisjoint(raised.bases):
            sentence = ailing or sentence_for_exception(raised)[1]
    if frames and frames[0][1] in MODULE and may_be_tried:
        if not sentence.endswith((".", "?")):
            sentence = f"{sentence}."
        tried = read_words()["tried at import"].format(line=frames[0][0])
        sentence = f"{sentence} {tried}"
    return f"lab.py cannot be imported. {sentence}"


def place_of(frames: Frames) -> str:
    """Say in which line and function of lab.py the innermost frame is.  The text comes
    at the end of a phrase.

    The text is empty if there are no frames.
    """
    if not frames:
        return ""
    line, name = frames[-1]
    if name in MODULE:
        return f" (lab.py:{line})"
    return f" (lab.py:{line}, in {harmless(name, LONGEST_NAME)})"
