"""Lab: a student's lab.py as the tools use it.  What fails in it is one sentence, no traceback."""

import contextlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from api.players import Quit
from api.two_player import BrokenRules
from grader.calls.raised import safely_described
from grader.grading.source import what_ails
from grader.judging.sentences import Status, sentence_for_exception
from grader.protocol.raised import Raised
from grader.protocol.words import harmless
from grader.worker.importing import close_import_path, import_lab, leave_in_words


class CannotPlay(Exception):
    """Raised with a sentence for whoever wants to play."""


class LabFailed(CannotPlay):
    """Raised where the student's code failed; the text says which function, how and where."""


class NotWritten(LabFailed):
    """Raised where a function is wanted that the student did not write yet."""


class Lab:
    """The functions of a lab.py, which is imported when the first of them is wanted.

    From then on this process can import nothing but the standard library, api, boards and yaml, as
    when the lab is graded.
    """

    def __init__(self, file: Path) -> None:
        self.file = str(file.resolve())

    def get(self, name: str) -> Any:
        """The function or class of this name.  Raises LabFailed, or NotWritten where there is none."""
        if isinstance(self._module, Raised):
            ailing = what_ails(Path(self.file).read_bytes())
            reason = ailing or sentence_for_exception(self._module)[1]
            raise LabFailed(f"lab.py cannot be imported. {reason}")
        with self.running(name):  # it may have a __getattr__ of its own
            if hasattr(self._module, name):
                return getattr(self._module, name)
        raise NotWritten(f"lab.py has no {name}")

    @contextlib.contextmanager
    def running(self, function: str = "") -> Iterator[None]:
        """While the student's code runs: turns what it raises into LabFailed.

        The sentence names the innermost function of lab.py on the way, or where there is none,
        `function`, the one that was called.  KeyboardInterrupt, Quit and CannotPlay go through.
        """
        try:
            yield
        except (CannotPlay, KeyboardInterrupt, Quit):
            raise
        except BaseException as error:
            raise self._failed(error, function) from None

    def place(self, error: BaseException) -> str:
        """Where in lab.py an exception came from, `lab.py:212`; empty where it did not."""
        frames = safely_described(error, self.file).frames
        return f"lab.py:{frames[-1][0]}" if frames else ""

    def _failed(self, error: BaseException, function: str) -> BaseException:
        """The failure of lab.py that an exception shows; the exception itself where that is about the terminal."""
        raised = safely_described(error, self.file)
        if isinstance(error, BrokenRules):
            return LabFailed(harmless(raised.text))
        frames = raised.frames
        if isinstance(error, OSError) and not frames:
            return error
        status, sentence = sentence_for_exception(raised, (function,))
        called = function or (frames[0][1] if frames else "lab.py")
        if status is not Status.NOT_STARTED:
            own = (name for _, name in reversed(frames) if callable(getattr(self._module, name, None)))
            return LabFailed(f"{next(own, called)} failed: {sentence}")
        missing = frames[-1][1] if frames else function
        if missing == called or called[0].isupper():  # a class stands for its methods
            return NotWritten(f"{called} is not written yet")
        return NotWritten(f"{called} needs {missing}, which is not written yet")

    @cached_property
    def _module(self) -> Any:
        close_import_path()
        leave_in_words()
        return import_lab(self.file)
