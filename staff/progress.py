"""What a long command prints while it works: lines, or a bar."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from grader.protocol.text import plural

LINE_SECONDS = 10.0  # between two lines about the progress, where there is no terminal
Anything = TypeVar("Anything")


def progress(sentence: str, step: int, of: int) -> None:
    """Say what a command does now, and which of its steps this is."""
    print(f"... {step} of {of}: {sentence}", flush=True)


def with_progress(
    results: Iterable[Anything], total: int, done: str, noun: str
) -> Iterator[Anything]:
    """The same results, while the command shows how many of `total` are there.

    A terminal shows a bar.  Anything else gets a line now and then, such as `graded: 7
    of 9 functions`.
    """
    if sys.stdout.isatty():
        # Some of those who import this module do without rich.
        from rich.progress import track

        yield from track(results, done, total=total)
        return
    last = time.monotonic()
    for number, result in enumerate(results, start=1):
        yield result
        if time.monotonic() - last > LINE_SECONDS:
            last = time.monotonic()
            print(f"{done}: {number} of {plural(total, noun)}", flush=True)
