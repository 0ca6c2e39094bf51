"""Waiting for what must happen, however busy the machine is: the time is a backstop,
and decides no test.
"""

import time
from collections.abc import Callable
from typing import Any

LONG = 60.0


def soon(happens: Callable[[], Any]) -> bool:
    """Whether this becomes true; comes back as soon as it is."""
    deadline = time.monotonic() + LONG
    while not (happened := happens()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(happened)
