"""Lab: a lab.py as the tools use it.  If a function of lab.py fails, the tool shows one
sentence instead of a traceback.
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
    """Raised if a tool cannot show a game or a search.

    The text is a sentence that says why.  A tool that runs at a terminal prints the
    text and ends with exit status 1.
    """


class Lab:
    """Gives the tools the functions of a lab.py.  The first call of `get` imports
    lab.py.

    After that, this process can import only the standard library, api, boards and yaml,
    just as when lab.py is graded.
    """

    def __init__(self, file: Path) -> None:
        self.file = str(file.resolve())

    def get(self, name: str) -> Any:
        """Return the function or class of lab.py with this name.

        Raises CannotPlay if lab.py cannot be imported, or if lab.py does not have this
        name.
        """
        if isinstance(self._module, Raised):
            reason = what_ails(Path(self.file).read_bytes())
            reason = reason or sentence_for_exception(self._module)[1]
            raise CannotPlay(f"lab.py cannot be imported. {reason}")
        if not hasattr(self._module, name):
            raise CannotPlay(f"{name} is not in lab.py; {UNTIL_THEN}")
        return getattr(self._module, name)

    @contextlib.contextmanager
    def running(self, function: str = "lab.py") -> Iterator[None]:
        """In a `with` block, turn the exceptions that lab.py raises into CannotPlay.

        The text usually names the innermost function of lab.py that was running.  If
        the exception does not show that function, the text names `function` instead.
        KeyboardInterrupt, Quit and BrokenPipeError stay as they are.
        """
        try:
            yield
        except (CannotPlay, KeyboardInterrupt, Quit, BrokenPipeError):
            raise
        except BaseException as error:
            raise CannotPlay(self._sentence(error, function)) from None

    def _sentence(self, error: BaseException, function: str) -> str:
        """Return the sentence about an exception that was raised while `function` was
        called.
        """
        raised = safely_described(error, self.file)
        if isinstance(error, BrokenRules):
            return harmless(raised.text)
        # The frame of a lambda is called <lambda>, and this name would help nobody.
        named = [name for _, name in raised.frames if name.isidentifier()]
        innermost = harmless([function, *named][-1], 60)
        status, sentence = sentence_for_exception(raised, (innermost,))
        if status is not Status.NOT_STARTED:
            return f"{innermost} failed: {sentence}"
        # If a method of a class is not written, the sentence names the class, because
        # the student has to write the whole class.
        unwritten = function if function[:1].isupper() else innermost
        return f"{unwritten} is not written yet; {UNTIL_THEN}"

    @cached_property
    def _module(self) -> Any:
        return import_without_limits(self.file)
