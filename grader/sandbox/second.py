"""Other processes for lab.py, forked from the first one where that has imported the kit and knows of no lab yet.

Each is as good as one that is started anew, with a folder, locks and a keeper of its own, and costs a tenth.
"""

import os
import select
import signal
import subprocess

PATIENCE = 20  # seconds
HAS_HANDLES = hasattr(os, "pidfd_open")  # Linux: it is nobody's child, and its number may be another's one day


class Second:
    """The grader's end of it, with what the grader asks of a Popen.  `theirs` are the pipes of the other end."""

    def __init__(self, folder: str) -> None:
        (requests, stdin), (stdout, replies), (stderr, prints), (self.status, status) = (os.pipe() for _ in range(4))
        self.folder, self.theirs = folder, (requests, replies, prints, status)
        self.stdin = os.fdopen(stdin, "wb", 0)
        self.stdout, self.stderr = os.fdopen(stdout, "rb"), os.fdopen(stderr, "rb")
        self.pid = self._handle = -1
        self._patience, self._has_ended = PATIENCE, False

    def go_on(self) -> None:
        """Have it go on, as soon as it has come so far; until then it waits for that, or for the end of its input.

        Raises TimeoutError where it does not come so far, which lab.py may have seen to in the first one.
        """
        if self._handle < 0:
            begun = select.poll()
            begun.register(self.status, select.POLLIN)
            patience, self._patience = self._patience, 0
            if not begun.poll(patience * 1000):
                raise TimeoutError("the second process does not begin")
            self.pid = int(os.read(self.status, 20))
            self._handle = os.pidfd_open(self.pid)
            self.stdin.write(os.fsencode(self.folder))

    def send_signal(self, number: int) -> None:
        """Signal it, if it has gone on.  Raises ProcessLookupError where it is gone."""
        if self._handle >= 0 and not self._has_ended:
            signal.pidfd_send_signal(self._handle, number)

    def kill(self) -> None:
        """End it at one blow."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; how that came about, nobody knows.  Raises TimeoutExpired.

        Without a timeout it does not wait for ever: a process that never went on may have been stopped for good.
        """
        if not self._has_ended:
            end_of_pipe = select.poll()
            end_of_pipe.register(self.status, 0)
            if not end_of_pipe.poll((PATIENCE if timeout is None else timeout) * 1000) and timeout is not None:
                raise subprocess.TimeoutExpired("the second process", timeout)
            self._has_ended = True
            if self._handle >= 0:
                os.close(self._handle)
        return -signal.SIGKILL
