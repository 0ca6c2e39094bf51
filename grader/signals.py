"""SIGTERM and SIGHUP while something is graded: what is open is closed before the process ends."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import NoReturn


class Ended(SystemExit):
    """A signal has ended the grader, with the exit status that a shell gives it."""


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """In here these signals raise Ended, once, so that processes end and folders go.

    A signal that is ignored (nohup) stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {getattr(signal, name): signal.getsignal(getattr(signal, name)) for name in names}

    def end(number: int, frame: object) -> NoReturn:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise Ended(128 + number)

    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
