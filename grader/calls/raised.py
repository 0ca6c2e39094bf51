"""In the worker: an exception from lab.py as plain data."""

import builtins
import contextlib
import re
import sys
from collections import Counter
from types import FrameType, TracebackType
from typing import Any

from grader.calls.encode import encode
from grader.protocol.answer import Raised

_CANNOT_IMPORT = re.compile(
    r"cannot import name '(\w+)'"
)  # Python 3.11 has the name in its text alone
_LONGEST_TEXT = 2_000
_MOST_FRAMES = 6  # the outermost, and the innermost ones
_MOST_NAMES = 2_000  # among which a misspelled one is looked up


def safely_described(error: BaseException, lab: str) -> Raised:
    """An exception as plain data, even if its own methods fail."""
    try:
        return _described(error, lab)
    except BaseException:
        return Raised("an exception that cannot be shown", (), "", ())


def _described(error: BaseException, lab: str) -> Raised:
    """An exception as plain data, with the first and the last frames of lab.py.

    A recursion that is too deep ends anywhere; its frames are the two lines that recur
    most.
    """
    places = _places(error, lab)
    frames = [_frame(place) for place in places]
    kept = (
        frames
        if len(frames) <= _MOST_FRAMES
        else [frames[0], *frames[1 - _MOST_FRAMES :]]
    )
    text, columns = str(error), _columns(places[-1]) if places else (0, 0)
    if isinstance(error, RecursionError):
        kept = [frame for frame, _ in reversed(Counter(frames).most_common(2))]
        columns = (0, 0)
    if isinstance(error, SyntaxError) and error.filename == lab:
        kept = [(int(error.lineno or 0), "the module")]
        text, columns = str(error.msg), (0, 0)
    names = tuple(base.__name__ for base in type(error).__mro__)
    meant = _meant(error, places[-1].tb_frame if places else None)
    return Raised(
        names[0], names, _as_text(text), tuple(kept), columns, _as_text(meant)
    )


def _as_text(text: str) -> str:
    """A text as it can be sent; empty for what is none."""
    shown = encode(text[:_LONGEST_TEXT])
    return shown if isinstance(shown, str) else ""


def _places(error: BaseException, lab: str) -> list[TracebackType]:
    """Where in lab.py the exception came by, outermost first."""
    places = []
    here = error.__traceback__
    while here is not None:
        if here.tb_frame.f_code.co_filename == lab:
            places.append(here)
        here = here.tb_next
    return places


def _frame(place: TracebackType) -> tuple[int, str]:
    return place.tb_lineno or 0, place.tb_frame.f_code.co_name


def _columns(place: TracebackType) -> tuple[int, int]:
    """Where in its line, in bytes of UTF-8, the failing expression begins and ends;
    twice 0 if that is not known.
    """
    positions = list(place.tb_frame.f_code.co_positions())
    line, last_line, first, last = positions[place.tb_lasti // 2]
    if first is None or last is None or line != place.tb_lineno or line != last_line:
        return 0, 0
    return first, last


def _meant(error: BaseException, frame: FrameType | None) -> str:
    """The name that is probably meant by one that is not there; empty if there is none
    like it.
    """
    meant = ""
    with contextlib.suppress(Exception):
        name = getattr(error, "name", None)
        if isinstance(error, ImportError) and (
            match := _CANNOT_IMPORT.match(str(error))
        ):
            meant = _most_like(match[1], dir(sys.modules[str(error.name)]))
        elif type(error) is NameError and _is_of_self(str(name), frame):
            meant = f"self.{name}"
        elif isinstance(error, NameError | AttributeError) and isinstance(name, str):
            meant = _most_like(name, _names_there(error, frame))
    return meant


def _names_there(error: BaseException, frame: FrameType | None) -> list[str]:
    """The names that could have been written in place of the one that is not there."""
    if isinstance(error, AttributeError):
        return dir(error.obj)
    if type(error) is not NameError or frame is None:
        return []
    names: dict[str, Any] = {**frame.f_locals, **frame.f_globals, **vars(builtins)}
    return [name for name in names if isinstance(name, str)]


def _is_of_self(name: str, frame: FrameType | None) -> bool:
    """Whether a name that is not known in a method is one of its object's."""
    return (
        frame is not None
        and "self" in frame.f_locals
        and name in dir(frame.f_locals["self"])
    )


def _most_like(name: str, names: list[str]) -> str:
    from difflib import get_close_matches  # which only a misspelled name needs

    shown = [
        each
        for each in names[:_MOST_NAMES]
        if each != name and each.startswith("_") == name.startswith("_")
    ]
    return next(iter(get_close_matches(name, shown, 1, 0.75)), "")
