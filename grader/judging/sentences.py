"""What is said if there was no answer to judge: of an exception, of a process that
ended, of a failed import.

The words stand in sentences.yaml; here they are chosen.
"""

import functools
import re
import signal
from pathlib import Path
from typing import Any, cast

from grader.judging.verdict import Status
from grader.protocol.answer import Answer, Ending, Raised, inside
from grader.protocol.limits import BROKEN, OUT_OF_MEMORY
from grader.protocol.words import harmless, ordinal

WORDS = Path(__file__).with_suffix(".yaml")
MODULE = ("<module>", "the module")
_TYPED = {"EOFError", "BdbQuit"}
_TRIED = {"AssertionError", "SystemExit", "RecursionError", "MemoryError", *_TYPED}
# In Python's own texts: before the name of a function within a function, and behind a
# module that lacks a name.
_ASIDE = re.compile(r"\w+\.<locals>\.|(?<=') \([^()]*\.py\)$")
# What Python says of the arguments of a call, each with its name in sentences.yaml.
_ARGUMENTS = {
    r"\(\) takes (from \d+ to )?\d+ positional arguments? but \d+ w": "too many",
    r"\(\) missing \d+ required (positional|keyword-only) argument(?!: 'self')": "too few",
    r"\(\) got an unexpected keyword argument ": "another name",
    r"\(\) got multiple values for argument ": "twice",
}


@functools.cache
def read_words() -> dict[str, Any]:
    """What sentences.yaml says, which is read once."""
    import yaml  # which takes long, and is needed if something is wrong

    return cast(dict[str, Any], yaml.safe_load(WORDS.read_text("utf-8")))


def sentence_for_ending(answer: Answer) -> tuple[Status, str]:
    """What to say of a process that ended without an answer."""
    statuses = {Ending.STALLED: Status.UNGRADED, Ending.CPU_TIME_UP: Status.TIME_OUT}
    status = statuses.get(answer.ending, Status.CRASH)
    if answer.ending is Ending.KILLED:
        names = {each.value: each.name for each in signal.Signals}
        name = names.get(answer.detail, f"{ordinal(answer.detail)} signal")
        return status, read_words()["signals"].get(name, f"A signal ended it: {name}.")
    where = place_of(answer.frames[-1:])
    facts = {
        "seconds": answer.seconds,
        "cpu": answer.cpu,
        "detail": answer.detail,
        "limit": answer.limit,
    }
    statuses_of_ours = (
        {BROKEN: "broken", OUT_OF_MEMORY: "out of memory"}
        if answer.ending is Ending.EXITED
        else {}
    )
    ending = statuses_of_ours.get(answer.detail, answer.ending.value)
    return status, read_words()["endings"][ending].format(where=where, **facts)


def sentence_for_exception(
    raised: Raised, names: tuple[str, ...] = ("",)
) -> tuple[Status, str]:
    """What to say of an exception in a call of a graded function; `names` are its own
    and those of its methods.
    """
    if "NotImplementedError" in raised.bases:
        return Status.NOT_STARTED, _not_started(raised, names)
    where = place_of(raised.frames[-1:])
    for base, sentence in read_words()["exceptions"].items():
        if base in raised.bases:
            return Status.CRASH, sentence.format(where=where)
    text = harmless(_ASIDE.sub("", raised.text))
    reason = harmless(raised.type, 60) + (f": {text}" if text else "")
    hint = _hint(raised, reason)
    return Status.CRASH, f"{reason}{where}. {hint}" if hint else f"{reason}{where}"


def _hint(raised: Raised, reason: str) -> str:
    """What helps against an exception; empty if nothing is sure to."""
    if raised.meant:
        return str(read_words()["meant"]).format(name=harmless(raised.meant, 60))
    if "TypeError" in raised.bases and (hint := _about_arguments(raised, reason)):
        return hint
    return hint_for("hints", reason)


def hint_for(group: str, reason: str) -> str:
    """The first sentence of a group in sentences.yaml whose pattern fits what Python
    says; empty if none does.
    """
    for pattern, sentence in read_words()[group].items():
        if match := re.search(pattern, reason):
            return match.expand(sentence)
    return ""


def _about_arguments(raised: Raised, reason: str) -> str:
    """What helps if a call does not pass the arguments that a `def` asks for; empty if
    that is not what is wrong.
    """
    words: dict[str, str] = read_words()["arguments"]
    too_many = re.search(
        r"(\.\w+)?\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) w",
        reason,
    )
    fits = next(
        (
            words_of
            for pattern, words_of in _ARGUMENTS.items()
            if re.search(pattern, reason)
        ),
        "",
    )
    if not fits or not raised.frames:
        return words["by the kit"] if fits else ""
    if too_many and too_many[1] and int(too_many[3]) == int(too_many[2]) + 1:
        return words["one too many in a class"]
    return words[fits]


def _not_started(raised: Raised, names: tuple[str, ...]) -> str:
    if "NotWritten" in raised.bases:
        return harmless(raised.text)
    name = inside(raised.frames) or names[0]
    if name not in names:
        return f"It calls {name}, which is not written yet."
    if raised.frames:
        return (
            f"Line {raised.frames[-1][0]} of lab.py still raises NotImplementedError."
        )
    return (
        f"Not started: {names[0]} has no {harmless(raised.text)} of its own."
        if raised.text
        else "Not started."
    )


def complaint(names: tuple[str, ...], raised: Raised) -> str:
    """What a command says of an exception in a function of lab.py, the first of these
    names.
    """
    status, sentence = sentence_for_exception(raised, names)
    if status is Status.NOT_STARTED and inside(raised.frames) in ("", *names):
        return f"{names[0]} is not written yet."
    return re.sub("^It ", f"{names[0]} ", sentence)


def sentence_for_import(answer: Answer, ailing: str = "") -> str:
    """What to say of a lab.py that cannot be imported; `ailing` is what keeps Python
    from reading its file.
    """
    if not answer.raised:
        _, sentence = sentence_for_ending(answer)
    elif _TYPED.isdisjoint(answer.raised.bases):
        sentence = ailing or sentence_for_exception(answer.raised)[1]
    else:
        sentence = read_words()["typing at import"]
    frames = (answer.raised or answer).frames
    is_tried_out = (
        len(frames) > 1
        or not answer.raised
        or not _TRIED.isdisjoint(answer.raised.bases)
    )
    if frames and frames[0][1] in MODULE and is_tried_out:
        end = "" if sentence.endswith((".", "?")) else "."
        sentence = f"{sentence}{end} {read_words()['tried at import'].format(line=frames[0][0])}"
    return f"lab.py cannot be imported. {sentence}"


def place_of(frames: tuple[tuple[int, str], ...]) -> str:
    """A place in lab.py, as it stands behind a word; empty if there is none."""
    if not frames:
        return ""
    line, name = frames[0]
    return (
        f" (lab.py:{line})"
        if name in MODULE
        else f" (lab.py:{line}, in {harmless(name, 60)})"
    )
