"""Status, the kinds of verdict that there are; and plain sentences for what went wrong before there was anything to
judge."""

import re
import signal
from enum import Enum

from grader.protocol.answer import Answer, Ending
from grader.protocol.limits import IMPORT_SECONDS
from grader.protocol.raised import Raised, inside
from grader.protocol.words import harmless, ordinal

_SIGNALS = {
    "SIGSEGV": "a segmentation fault; endless recursion with a raised recursion limit does that",
    "SIGKILL": "something ended it from outside; running out of memory does that",
    "SIGABRT": "aborted",
}
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")


class Status(Enum):
    """The kinds of verdict, each with the word that a person reads."""

    PASS = "pass"
    PARTIAL = "in part"
    FAIL = "fail"
    NOT_STARTED = "not started"
    TIME_OUT = "time-out"
    CRASH = "crash"
    WAITS = "waits"
    UNGRADED = "ungraded"


def sentence_for_ending(answer: Answer, seconds: float) -> tuple[Status, str]:
    """What to say of a process that ended without an answer."""
    where = f" ({_where(answer.frames[-1])})" if answer.frames else ""
    if answer.ending is Ending.STALLED:
        did = f"In {answer.seconds:.0f} seconds it computed for {answer.cpu:.1f}, and was stopped{where}."
        question = "Does it sleep, or wait for something, or did this machine stand still?"
        return Status.UNGRADED, f"{did} {question} Nobody has judged it yet: try it again, alone."
    if answer.ending is Ending.CPU_TIME_UP:
        question = "does a loop never end, or is the same work done again and again?"
        return Status.TIME_OUT, f"It was stopped after {seconds:g} seconds of computing{where}; {question}"
    if answer.ending is Ending.KILLED:
        name = _signal_name(answer.detail)
        lead = "Python itself crashed" if name in _CRASHES else "A signal ended it"
        explained = f" ({_SIGNALS[name]})" if name in _SIGNALS else ""
        return Status.CRASH, f"{lead}: {name}{explained}."
    sentences = {
        Ending.EXITED: f"It ended the whole process (exit status {answer.detail}) instead of returning.",
        Ending.FLOODED: "It printed more than 16 MiB and was stopped; does a loop print without end?",
        Ending.TOO_LARGE: "It returned more than 8 MiB, or far more things than any answer holds.",
        Ending.GARBLED: "Something was written where only the grader writes, so that no answer could be read.",
    }
    return Status.CRASH, sentences[answer.ending]


def sentence_for_exception(raised: Raised, own: tuple[str, ...] = ("",), shallow: bool = False) -> tuple[Status, str]:
    """What to say of an exception; `own` are the names of the graded function and of its methods, and
    `shallow` says that nothing it was given asks for a deep recursion."""
    bases = raised.bases
    where = f" ({_where(raised.frames[-1])})" if raised.frames else ""
    if "NotImplementedError" in bases:
        name = inside(raised.frames) or own[0]
        if name not in own:
            return Status.NOT_STARTED, f"It calls {name}, which is not written yet."
        line = raised.frames[-1][0] if raised.frames else 0
        inherited = f": {own[0]} has no {harmless(raised.text)} of its own" if raised.text else ""
        reached = f": line {line} of lab.py was reached, and raised NotImplementedError" if line else inherited
        return Status.NOT_STARTED, f"Not started{reached}."
    if "RecursionError" in bases and shallow:
        return Status.CRASH, f"Endless recursion{where}: nothing here goes 1,000 calls deep. What should make it stop?"
    for base, sentence in _EXCEPTIONS.items():
        if base in bases:
            return Status.CRASH, sentence.format(where=where)
    text = _ASIDE.sub("", raised.text)
    reason = f": {harmless(text)}" if text else ""
    known = _HINTS | (_IN_A_HEURISTIC if raised.in_heuristic else {})
    hint = next((f". {hint}" for part, hint in known.items() if re.search(part, reason)), "")
    return Status.CRASH, f"{harmless(raised.type, 60)}{reason}{where}{hint}"


def complaint(own: tuple[str, ...], raised: Raised) -> str:
    """What a command says of an exception in a function of lab.py, the first of these names."""
    status, sentence = sentence_for_exception(raised, own)
    if status is Status.NOT_STARTED and inside(raised.frames) in ("", *own):
        return f"{own[0]} is not written yet."
    return re.sub("^It ", f"{own[0]} ", sentence)


DEBUGGER = "`make debug`"
MODULE = ("<module>", "the module")
# In Python's own texts: before the name of a function within a function, and behind a module that lacks a name.
_ASIDE = re.compile(r"\w+\.<locals>\.|(?<=') \([^()]*\.py\)$")

_HINTS = {
    r"\[Errno 13?\] ": "A case starts no program, has no network, writes in one folder; for threads take `threading`",
    "NoneType": "None often comes of a missing `return`, of append, extend or sort, or of a start never replaced",
    r"(between instances|operand type).*'function'": "A function stands there: is each argument in its place?",
    "between instances of 'Value'": "The members of Value have no order",
    "method' object is not": "A method is called only where brackets stand behind its name",
    r"\.\w+\(\) takes .* positional": "Python hands over `self` too: it stands first in the `def` of a method",
    r"\(\) takes no arguments$": "A class takes what its __init__ does, with two underscores on each side of the name",
}
_IN_A_HEURISTIC = {
    "'(AbstractGameState|function|method)' object has": "A heuristic looks at state.get_snapshot(), not at the state",
    "'bool' object has no attribute": "A heuristic is given the snapshot first, and then the flag",
}
_EXCEPTIONS = {
    "SystemExit": "It ended the program, as exit and sys.exit do, instead of going on{where}.",
    "RecursionError": "Endless recursion, or one deeper than Python's limit (about 1,000 calls, if it was not raised)"
    "{where}: what makes it stop, and could a loop with a list of your own do the same?",
    "MemoryError": "It ran out of memory{where}; there is 1 GiB for a case.",
    "EOFError": f"It asks for input{{where}}, and nobody can type while it is graded: try {DEBUGGER}.",
    "BdbQuit": f"A breakpoint stands there{{where}}, and nobody can type while it is graded: try {DEBUGGER}.",
}
_TYPED = {"EOFError", "BdbQuit"}
_TRIED = {"AssertionError", *_EXCEPTIONS}


def sentence_for_import(answer: Answer, ailing: str = "") -> str:
    """What to say of a lab.py that cannot be imported; `ailing` is what keeps Python from reading its file."""
    if not answer.raised:
        _, sentence = sentence_for_ending(answer, IMPORT_SECONDS)
    elif _TYPED.isdisjoint(answer.raised.bases):
        sentence = ailing or sentence_for_exception(answer.raised)[1]
    else:
        sentence = "It asks for input, or stops at a breakpoint, and nobody can type while it is graded."
    frames = (answer.raised or answer).frames
    is_at_the_top = bool(frames) and frames[0][1] in MODULE
    is_tried_out = len(frames) > 1 or not answer.raised or not _TRIED.isdisjoint(answer.raised.bases)
    if is_at_the_top and is_tried_out:
        end = "" if sentence.endswith((".", "?")) else "."
        place = f"Line {frames[0][0]} of lab.py came to that."
        sentence = f"{sentence}{end} {place} It runs at each import; what you try out belongs in try_it()."
    return f"lab.py cannot be imported. {sentence}"


def _where(frame: tuple[int, str]) -> str:
    line, name = frame
    place = f"lab.py:{line}"
    return place if name in MODULE else f"{place}, in {harmless(name, 60)}"


def _signal_name(number: int) -> str:
    known = {each.value: each.name for each in signal.Signals}
    return known.get(number, f"{ordinal(number)} signal")
