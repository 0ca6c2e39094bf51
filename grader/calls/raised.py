"""In the worker: an exception from lab.py as plain data."""

from collections import Counter

from grader.calls.encode import encode
from grader.protocol.answer import Raised


def safely_described(error: BaseException, lab: str) -> Raised:
    """An exception as plain data, even if its own methods fail."""
    try:
        return _described(error, lab)
    except BaseException:
        return Raised("an exception that cannot be shown", (), "", ())


def _described(error: BaseException, lab: str) -> Raised:
    """An exception as plain data, with the last frames of lab.py.

    A recursion that is too deep ends anywhere; its frames are the two lines that recur most.
    """
    text = str(error)
    frames: list[tuple[int, str]] = []
    recurring: Counter[tuple[int, str]] = Counter()
    here = error.__traceback__
    while here is not None:
        if here.tb_frame.f_code.co_filename == lab:
            frame = (here.tb_lineno or 0, here.tb_frame.f_code.co_name)
            frames = [*frames[-5:], frame]
            recurring[frame] += 1
        here = here.tb_next
    if isinstance(error, RecursionError):
        frames = [frame for frame, _ in reversed(recurring.most_common(2))]
    if isinstance(error, SyntaxError) and error.filename == lab:
        frames = [(int(error.lineno or 0), "the module")]
        text = f"{error.msg}: `{(error.text or '').strip()}`"
    names = tuple(base.__name__ for base in type(error).__mro__)
    shown = encode(text[:2_000])
    return Raised(names[0], names, shown if isinstance(shown, str) else "", tuple(frames))
