"""The folder that a student's code works in, a fresh one for each case."""

import contextlib
import itertools
import os
import shutil
import subprocess
import tempfile

from grader.sandbox.user import give_to_student

MOST_LEFT = 500  # files and folders that a case leaves behind
IN_MEMORY, ROOM = "/dev/shm", 256 << 20  # a disk may take longer to remove a folder than a case to run


class Scratch:
    """The folder that a student's code works in.

    It stands in a folder of the grader's own, so that the student's code cannot put a link in its
    place and have something else cleared.
    """

    def __init__(self) -> None:
        self._outer = tempfile.mkdtemp(prefix="lab-", dir=_place())
        os.chmod(self._outer, 0o711)
        self.path = os.path.join(self._outer, "work")
        os.mkdir(self.path, 0o700)
        give_to_student(self.path)
        self._handle = os.open(self.path, os.O_RDONLY) if hasattr(os, "fork") else None
        self._latest = ""

    def fresh(self) -> str:
        """A new empty folder in this one, alone in it, so that no case finds what another one left.

        Raises OSError where that cannot be had: the student's code has shut, moved or replaced the folder.
        """
        if self._handle is None or not os.path.samestat(os.lstat(self.path), os.fstat(self._handle)):
            raise OSError(f"{self.path} is another folder than it was")
        if not self._is_empty():
            self._clear()
        self._latest = os.path.join(self.path, os.urandom(8).hex())
        os.mkdir(self._latest, 0o700)
        give_to_student(self._latest)
        return self._latest

    def _is_empty(self) -> bool:
        """Whether nothing stands here any more once the latest folder is gone, as after most cases."""
        try:
            os.rmdir(self._latest)
            return not os.listdir(self.path)
        except OSError:
            return False

    def _clear(self) -> None:
        if _is_much(self.path):
            raise OSError(f"{self.path} holds too much to be emptied while the student's code may look on")
        _open_up(self.path)
        for entry in os.listdir(self.path):
            _remove(os.path.join(self.path, entry))
        if os.listdir(self.path):
            raise OSError(f"{self.path} cannot be emptied")

    def remove(self) -> None:
        """Delete the folder, whatever stands in it."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        _remove(self._outer)


def _place() -> str | None:
    """In which folder it stands: in memory, where there is room for it, unless TMPDIR names another."""
    if "TMPDIR" not in os.environ and os.access(IN_MEMORY, os.W_OK | os.X_OK):
        return IN_MEMORY if shutil.disk_usage(IN_MEMORY).free > ROOM else None
    return None


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        _open_up(path)
        try:
            shutil.rmtree(path, ignore_errors=True)
        except RecursionError:
            subprocess.run(["rm", "-rf", path], check=False)
    else:
        with contextlib.suppress(OSError):
            os.remove(path)


def _is_much(path: str) -> bool:
    """Whether there is more below a folder than an ordinary case leaves."""
    entries = itertools.chain.from_iterable((*folders, *files) for _, folders, files in os.walk(path))
    return next(itertools.islice(entries, MOST_LEFT, None), None) is not None


def _open_up(path: str) -> None:
    """Take back the right to look into a folder and all below it, and to empty them; no link is followed."""
    waiting = [path]
    while waiting:
        with contextlib.suppress(OSError):
            if not os.access(folder := waiting.pop(), os.R_OK | os.W_OK | os.X_OK):
                _make_ours(folder)
            waiting += [entry.path for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]


def _make_ours(folder: str) -> None:
    """Give its owner all rights to a folder, and to nothing that a link in its place leads to."""
    if not hasattr(os, "O_PATH"):
        os.chmod(folder, 0o700, follow_symlinks=os.chmod not in os.supports_follow_symlinks)
        return
    handle = os.open(folder, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY)
    try:
        os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)
