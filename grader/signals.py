"""SIGTERM and SIGHUP while something is graded: what is open is closed before the process ends."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import NoReturn


class Ended(SystemExit):
    """A signal has ended the grader, with the exit status that a shell gives it."""


_come: list[Ended] = []


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """In here these signals raise Ended, once, so that processes end and folders go.

    Python drops or replaces what is raised while it runs a callback of its own, as in an import: Ended is
    raised again by `check_for_signal`, and at the latest on the way out.  A signal that is ignored (nohup) stays
    ignored.
    """
    before = {each: signal.getsignal(each) for each in signal.Signals if each.name in ("SIGTERM", "SIGHUP")}
    if threading.current_thread() is not threading.main_thread() or signal.SIG_DFL not in before.values():
        yield  # where nobody waits for signals, or somebody does already
        return

    def end(number: int, frame: object) -> NoReturn:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        _come.append(Ended(128 + number))
        raise _come[0]

    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if _come:
            raise _come.pop()


def check_for_signal() -> None:
    """Raise Ended where a signal has come, whether or not it was raised then."""
    if _come:
        raise _come[0]
