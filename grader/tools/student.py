"""Lab: lab.py as the tools use it.  If lab.py fails, the tools show one sentence and no
traceback.
"""

import contextlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from api.players import Quit
from api.two_player import BrokenRules
from grader.child.importing import import_without_limits
from grader.child.raised import safely_described
from grader.grading.source import what_ails
from grader.protocol.answer import Raised
from grader.protocol.text import harmless
from grader.verdicts.sentences import sentence_for_exception
from grader.verdicts.verdict import Status

UNTIL_THEN = (
    'until it is, choose another game or player, such as ARGS="nim --minnie random"'
)


class CannotPlay(Exception):
    """A game or a search cannot be shown: the text is a sentence, exit status 1.

    If a function of lab.py failed, the text says which one, how and where.
    """


class Lab:
    """The functions of a lab.py.  The first call of `get` imports it.

    From then on, this process can import only the standard library, api, boards and
    yaml, as when lab.py is graded.
    """

    def __init__(self, file: Path) -> None:
        self.file = str(file.resolve())

    def get(self, name: str) -> Any:
        """The function or class with this name.  Raises CannotPlay."""
        if isinstance(self._module, Raised):
            reason = what_ails(Path(self.file).read_bytes())
            reason = reason or sentence_for_exception(self._module)[1]
            raise CannotPlay(f"lab.py cannot be imported. {reason}")
        if not hasattr(self._module, name):
            raise CannotPlay(f"{name} is not in lab.py; {UNTIL_THEN}")
        return getattr(self._module, name)

    @contextlib.contextmanager
    def running(self, function: str = "lab.py") -> Iterator[None]:
        """While a function of lab.py runs, turn whatever it raises into CannotPlay.

        The sentence names the innermost function of lab.py that was running.
        """
        try:
            yield
        except (CannotPlay, KeyboardInterrupt, Quit, BrokenPipeError):
            raise
        except BaseException as error:
            raise CannotPlay(self._sentence(error, function)) from None

    def _sentence(self, error: BaseException, function: str) -> str:
        """What failed, while this function was asked for something."""
        raised = safely_described(error, self.file)
        if isinstance(error, BrokenRules):
            return harmless(raised.text)
        # A frame such as <lambda> has no name that helps.
        named = [name for _, name in raised.frames if name.isidentifier()]
        innermost = harmless([function, *named][-1], 60)
        status, sentence = sentence_for_exception(raised, (innermost,))
        if status is not Status.NOT_STARTED:
            return f"{innermost} failed: {sentence}"
        # Of a class, a method is what raises, and the class is what is to be written.
        unwritten = function if function[:1].isupper() else innermost
        return f"{unwritten} is not written yet; {UNTIL_THEN}"

    @cached_property
    def _module(self) -> Any:
        return import_without_limits(self.file)
