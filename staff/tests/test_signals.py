"""A signal that ends the grader: Ended comes out, whatever Python does with what a handler raises."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from grader.signals import Ended, check_for_signal, ending_in_order


class _Named:
    def __set_name__(self, owner: type, name: str) -> None:
        signal.raise_signal(signal.SIGTERM)


class _Leaving:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


def at_once() -> None:
    signal.raise_signal(signal.SIGTERM)


def while_a_class_is_made() -> None:
    """Until Python 3.12, what comes out of __set_name__ is a RuntimeError."""
    type("Made", (), {"name": _Named()})


def in_a_callback() -> None:
    """Here Python drops what is raised, as it does in a callback of the import lock."""
    _Leaving()


@pytest.fixture(autouse=True)
def by_default() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    assert signal.signal(signal.SIGTERM, before) is signal.SIG_DFL


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("come", [at_once, while_a_class_is_made, in_a_callback])
def test_a_signal_ends_the_grader_wherever_it_comes(come: Callable[[], None]) -> None:
    with pytest.raises(Ended) as ended, ending_in_order(), ending_in_order():
        come()
    assert ended.value.code == 128 + signal.SIGTERM
    check_for_signal()


def test_a_signal_is_raised_once() -> None:
    with contextlib.suppress(Ended), ending_in_order():
        with pytest.raises(Ended):
            at_once()
        at_once()


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with ending_in_order():
        at_once()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_another_thread_waits_for_no_signal() -> None:
    seen: list[object] = []

    def look() -> None:
        with ending_in_order():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.SIG_DFL]
