"""In the worker: the functions of lab.py by their names, and spies in their place.

A spy sees whether lab.py calls a graded function by its name, and may answer instead of it.  Only a case that has
failed runs like this, a second time.  A stand-in gives the reference answers of this case, and leaves every other call
to the function of lab.py.
"""

import ast
import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

StandIn = Callable[[str, Any], Callable[..., Any]]


class NotWritten(NotImplementedError):
    """lab.py has no such function any more; the text says so, and where it begins one that is indented."""


def function_of(lab: ModuleType, name: str) -> Any:
    """The function or class of this name.  Raises NotWritten."""
    function = getattr(lab, name, None)
    if function is None:
        raise NotWritten(f"lab.py has no {name} any more.{_indented(lab, name)}")
    return function


def _indented(lab: ModuleType, name: str) -> str:
    """Where lab.py begins a definition of this name that is indented, as a sentence; empty if it has none."""
    with contextlib.suppress(Exception):
        for node in ast.walk(ast.parse(Path(str(lab.__file__)).read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name and node.col_offset:
                return f" Line {node.lineno} begins one, but is indented: it belongs to what is above it."
    return ""


@contextlib.contextmanager
def in_place(lab: ModuleType, names: Iterable[str], watched: Callable[[str, Any], Any]) -> Iterator[None]:
    """Replace the functions that lab.py holds by these names with what `watched` makes of them, for a while.

    A class stays what it is.  A function that is missing counts as one that raises NameError.
    """
    before = {name: vars(lab)[name] for name in names if name in vars(lab)}
    functions = {name: before.get(name, _not_defined(name)) for name in names}
    try:
        for name, function in functions.items():
            if callable(function) and not isinstance(function, type):
                setattr(lab, name, watched(name, function))
        yield
    finally:
        for name in functions:
            vars(lab).pop(name, None)
        vars(lab).update(before)


def _not_defined(name: str) -> Callable[..., Any]:
    def raises(*words: Any, **named: Any) -> Any:
        raise NameError(f"name {name!r} is not defined")

    return raises


class Unknown(Exception):
    """Raised by a stand-in that has no reference answer to a call."""


class Spies:
    """Watches functions of lab.py while a call is made.

    `watch` is what Request.watch holds; None to watch nothing.  `stand_in` makes a stand-in of a kind, out of the
    reference answers to a call.  `report` says which functions were called, and for which of them the stand-in had no
    answer.
    """

    def __init__(self, lab: ModuleType, watch: dict[str, Any] | None, stand_in: StandIn) -> None:
        self._lab, self._watch, self._stand_in = lab, watch, stand_in
        self._called: set[str] = set()
        self._unknown: set[str] = set()

    def report(self) -> dict[str, list[str]]:
        """What was seen, for the outcome of a call; nothing without `watch`."""
        return {} if self._watch is None else {"called": sorted(self._called), "unknown": sorted(self._unknown)}

    def in_place(self, call: int) -> contextlib.AbstractContextManager[None]:
        """Put the spies in the place of the functions, for one call of the case."""
        watch = self._watch or {"functions": ()}

        def spy(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
            reference = watch["answers"].get(name)
            return self._spy(name, function, reference and self._stand_in(reference["kind"], reference["calls"][call]))

        return in_place(self._lab, watch["functions"], spy)

    def _spy(self, name: str, function: Callable[..., Any], stand_in: Callable[..., Any] | None) -> Callable[..., Any]:
        @functools.wraps(function)  # lab.py may count in an attribute of its function
        def spy(*words: Any, **named: Any) -> Any:
            self._called.add(name)
            if stand_in is not None:
                try:
                    return stand_in(*words, **named)
                except Exception:
                    self._unknown.add(name)
            return function(*words, **named)

        return spy
