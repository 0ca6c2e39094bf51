"""In the child: describes an exception from lab.py as plain data."""

import builtins
import contextlib
import re
import sys
from collections import Counter
from types import FrameType, TracebackType

from grader.child.encode import encode
from grader.child.written import NotWritten
from grader.protocol.answer import Raised
from grader.protocol.plain import Data

# Python 3.11 says only in the text of the exception which name cannot be imported.
_CANNOT_IMPORT = re.compile(r"cannot import name '(\w+)'")
_LONGEST_TEXT = 2_000
# At most so many frames of an exception are sent: the outermost one, and the innermost
# ones.
_MOST_FRAMES = 6
_MOST_NAMES = 2_000  # names among which a similar one is looked up


def safely_described(error: BaseException, lab: str) -> Raised:
    """Return an exception as plain data, even if its own methods fail."""
    try:
        return _described(error, lab)
    except BaseException:
        return Raised("an exception that cannot be shown", (), "", ())


def _described(error: BaseException, lab: str) -> Raised:
    """Return an exception as plain data, with those frames of lab.py that explain the
    exception.
    """
    text = str(error)
    places = _places(error, lab)
    frames = [(place.tb_lineno or 0, place.tb_frame.f_code.co_name) for place in places]
    columns = (0, 0)
    innermost = None
    if places:
        innermost = places[-1].tb_frame
    if isinstance(error, RecursionError):
        # If a recursion is too deep, Python may stop at any of its lines.  So the lines
        # that occur most often in the traceback explain the exception best.
        frames = [frame for frame, _ in reversed(Counter(frames).most_common(2))]
    elif isinstance(error, SyntaxError) and error.filename == lab:
        text = str(error.msg)
        frames = [(int(error.lineno or 0), "the module")]
    elif places:
        columns = _columns(places[-1])
    if len(frames) > _MOST_FRAMES:
        frames = [frames[0], *frames[1 - _MOST_FRAMES :]]
    bases = tuple(base.__name__ for base in type(error).__mro__)
    meant = _as_text(_meant(error, innermost))
    is_missing = isinstance(error, NotWritten)
    return Raised(
        bases[0], bases, _as_text(text), tuple(frames), columns, meant, is_missing
    )


def _as_text(text: str) -> str:
    """Return the text, cut to _LONGEST_TEXT characters.  If the text cannot be sent,
    return an empty one.
    """
    sent = encode(text[:_LONGEST_TEXT])
    return sent if isinstance(sent, str) else ""


def _places(error: BaseException, lab: str) -> list[TracebackType]:
    """Return the entries of an exception's traceback that are in lab.py, outermost
    first.
    """
    places = []
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == lab:
            places.append(traceback)
        traceback = traceback.tb_next
    return places


def _columns(place: TracebackType) -> tuple[int, int]:
    """Return the columns at which the failing expression begins and ends, in bytes of
    UTF-8.

    Both are 0 if they are not known, or if the expression is longer than a line.
    """
    positions = list(place.tb_frame.f_code.co_positions())
    line, last_line, first, last = positions[place.tb_lasti // 2]
    if first is None or last is None or line != place.tb_lineno or line != last_line:
        return 0, 0
    return first, last


def _meant(error: BaseException, frame: FrameType | None) -> str:
    """If Python did not find a name, return the name that the student probably meant.

    The text is empty if the exception is about something else, or if no existing name
    is similar.
    """
    with contextlib.suppress(Exception):
        name = getattr(error, "name", None)
        if isinstance(error, ImportError):
            match = _CANNOT_IMPORT.match(str(error))
            if match:
                return _most_like(match[1], dir(sys.modules[str(error.name)]))
        if type(error) is NameError and _is_of_self(str(name), frame):
            return f"self.{name}"
        if isinstance(error, NameError | AttributeError) and isinstance(name, str):
            return _most_like(name, _existing_names(error, frame))
    return ""


def _existing_names(error: BaseException, frame: FrameType | None) -> list[str]:
    """Return the names that the student may have meant.

    For an AttributeError, these are the attributes of the object.  For a NameError,
    these are the names that were defined where it was raised.  The list is empty for
    any other exception.
    """
    if isinstance(error, AttributeError):
        return dir(error.obj)
    if type(error) is not NameError or frame is None:
        return []
    names: Data = {**frame.f_locals, **frame.f_globals, **vars(builtins)}
    return [name for name in names if isinstance(name, str)]


def _is_of_self(name: str, frame: FrameType | None) -> bool:
    """Whether a name that Python did not find is an attribute of `self` in this
    frame.
    """
    return (
        frame is not None
        and "self" in frame.f_locals
        and name in dir(frame.f_locals["self"])
    )


def _most_like(name: str, names: list[str]) -> str:
    # This import is here because only a misspelled name needs the module.
    from difflib import get_close_matches

    is_private = name.startswith("_")
    similar = [
        candidate
        for candidate in names[:_MOST_NAMES]
        if candidate != name and candidate.startswith("_") == is_private
    ]
    return next(iter(get_close_matches(name, similar, 1, 0.75)), "")
