"""Lab: a student's lab.py as the tools use it.  If it fails, that becomes one sentence,
not a traceback.
"""

import contextlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from api.players import Quit
from api.two_player import BrokenRules
from grader.calls.raised import safely_described
from grader.grading.source import what_ails
from grader.judging.sentences import sentence_for_exception
from grader.judging.verdict import Status
from grader.protocol.answer import Raised
from grader.protocol.words import harmless
from grader.worker.importing import close_import_path, import_lab, leave_in_words

UNTIL_THEN = (
    'until it is, choose another game or player, such as ARGS="nim --minnie random"'
)


class CannotPlay(Exception):
    """Raised with a sentence for the person who wants to play."""


class LabFailed(CannotPlay):
    """The student's code failed; the text says which function, how and where."""


class Lab:
    """The functions of a lab.py, which is imported when the first of them is needed.

    From then on this process can import nothing but the standard library, api, boards
    and yaml, just as when the lab is graded.
    """

    def __init__(self, file: Path) -> None:
        self.file = str(file.resolve())

    def get(self, name: str) -> Any:
        """The function or class with this name.  Raises LabFailed."""
        if isinstance(self._module, Raised):
            reason = (
                what_ails(Path(self.file).read_bytes())
                or sentence_for_exception(self._module)[1]
            )
            raise LabFailed(f"lab.py cannot be imported. {reason}")
        if not hasattr(self._module, name):
            raise LabFailed(f"{name} is not in lab.py; {UNTIL_THEN}")
        return getattr(self._module, name)

    @contextlib.contextmanager
    def running(self, function: str = "lab.py") -> Iterator[None]:
        """While a function of the student's runs: turn what it raises into LabFailed.

        The sentence names the innermost function of lab.py that was running.
        """
        try:
            yield
        except (CannotPlay, KeyboardInterrupt, Quit, BrokenPipeError):
            raise
        except BaseException as error:
            raise LabFailed(self._sentence(error, function)) from None

    def _sentence(self, error: BaseException, function: str) -> str:
        raised = safely_described(error, self.file)
        if isinstance(error, BrokenRules):
            return harmless(raised.text)
        named = [
            name for _, name in reversed(raised.frames) if name.isidentifier()
        ]  # no <lambda>
        innermost = harmless(next(iter(named), function), 60)
        status, sentence = sentence_for_exception(raised, (innermost,))
        if status is not Status.NOT_STARTED:
            return f"{innermost} failed: {sentence}"
        is_class = function[:1].isupper()
        return f"{function if is_class else innermost} is not written yet; {UNTIL_THEN}"

    @cached_property
    def _module(self) -> Any:
        close_import_path()
        leave_in_words()
        return import_lab(self.file)
