"""Shows the progress of a long command: in lines, or with a bar."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from grader.protocol.text import plural

# Without a terminal, at least this many seconds pass between two lines of progress.
LINE_SECONDS = 10.0
Anything = TypeVar("Anything")


def progress(sentence: str, step: int, of: int) -> None:
    """Print what a command is doing now, and which of its steps this is."""
    print(f"... {step} of {of}: {sentence}", flush=True)


def with_progress(
    results: Iterable[Anything], total: int, done: str, noun: str
) -> Iterator[Anything]:
    """Yield these results, and show how many of `total` there are so far.

    A terminal shows a bar.  Otherwise a line is printed now and then, such as `graded:
    7 of 9 functions`.
    """
    if sys.stdout.isatty():
        # Some of the modules that import this module must work without rich.
        from rich.progress import track

        yield from track(results, done, total=total)
        return
    last = time.monotonic()
    for number, result in enumerate(results, start=1):
        yield result
        if time.monotonic() - last > LINE_SECONDS:
            last = time.monotonic()
            print(f"{done}: {number} of {plural(total, noun)}", flush=True)
