"""A second process for lab.py, forked from the first one where that has imported the kit and knows of no lab yet.

It is as good as one that is started anew, with a folder, locks and a keeper of its own, and costs a tenth.
"""

import os
import select
import signal
import subprocess

HAS_HANDLES = hasattr(os, "pidfd_open")  # Linux: it is nobody's child, and its number may be another's one day


class Second:
    """The grader's end of it, with what the grader asks of a Popen.  `theirs` are the pipes of the other end."""

    def __init__(self, folder: str) -> None:
        (requests, stdin), (stdout, replies), (stderr, prints), (self.status, status) = (os.pipe() for _ in range(4))
        self.folder, self.theirs = folder, (requests, replies, prints, status)
        self.stdin, self.stdout, self.stderr = (
            os.fdopen(stdin, "wb", 0),
            os.fdopen(stdout, "rb"),
            os.fdopen(stderr, "rb"),
        )
        self.pid = self._handle = -1
        self._has_ended = False

    def go_on(self) -> None:
        """Have it go on, as soon as it has come so far; until then it waits for that, or for the end of its input."""
        if self._handle < 0:
            os.set_blocking(self.status, True)
            self.pid = int(os.read(self.status, 20))
            os.set_blocking(self.status, False)
            self._handle = os.pidfd_open(self.pid)
            self.stdin.write(b"\n")

    def send_signal(self, number: int) -> None:
        """Signal it, if it has gone on.  Raises ProcessLookupError where it is gone."""
        if self._handle >= 0 and not self._has_ended:
            signal.pidfd_send_signal(self._handle, number)

    def kill(self) -> None:
        """End it at one blow."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; how that came about, nobody knows.  Raises TimeoutExpired."""
        if not self._has_ended:
            end_of_pipe = select.poll()
            end_of_pipe.register(self.status, 0)
            if not end_of_pipe.poll(timeout and timeout * 1000):
                raise subprocess.TimeoutExpired("the second process", timeout or 0)
            self._has_ended = True
            if self._handle >= 0:
                os.close(self._handle)
        return -signal.SIGKILL
