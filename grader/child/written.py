"""In the child: finds the functions of lab.py by name, and puts spies in their place.

A spy takes the place of a graded function, and reports that the function is called.  A
spy may also be a stand-in, which gives the reference answers of a case.  If the
stand-in has no answer to a call, the function of lab.py answers.  Spies are used only
when a case runs by itself.
"""

import ast
import contextlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from grader.protocol.plain import Data

Function = Callable[..., Any]
Note = Callable[[str, str], None]


class NotWritten(NotImplementedError):
    """Raised if lab.py lacks the function that should be called.

    The text says which function is missing.  lab.py may define the function inside
    something else, because the definition is indented by mistake.  Then the text also
    names the line of that definition.
    """


def function_of(lab: ModuleType, name: str) -> Any:
    """Return the function or class of lab.py with this name.  Raises NotWritten if
    there is none.
    """
    function = getattr(lab, name, None)
    if function is None:
        raise NotWritten(f"lab.py has no {name} any more.{_indented(lab, name)}")
    return function


def _indented(lab: ModuleType, name: str) -> str:
    """Return a sentence that says in which line lab.py has an indented definition of
    this name.

    The text is empty if lab.py has no such definition.
    """
    with contextlib.suppress(Exception):
        for node in ast.walk(ast.parse(Path(str(lab.__file__)).read_bytes())):
            if (
                isinstance(node, ast.FunctionDef | ast.ClassDef)
                and node.name == name
                and node.col_offset
            ):
                return (
                    f" Line {node.lineno} begins one, but is indented: "
                    "it belongs to what is above it."
                )
    return ""


@contextlib.contextmanager
def in_place(
    lab: ModuleType, names: Iterable[str], watched: Callable[[str, Any], Any]
) -> Iterator[None]:
    """Replace these functions of lab.py, until the `with` block ends.

    `watched` makes the replacement from the name and the function.  A class is not
    replaced.  If lab.py lacks a function, `watched` gets a function that raises
    NameError.
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


def _not_defined(name: str) -> Function:
    def raises(*args: Any, **kwargs: Any) -> Any:
        raise NameError(f"name {name!r} is not defined")

    return raises


class Unknown(Exception):
    """Raised by a stand-in that has no reference answer to a call."""


@contextlib.contextmanager
def spies_in_place(
    lab: ModuleType,
    watch: Data,
    call: int,
    workers: Mapping[str, ModuleType],
    note: Note,
) -> Iterator[None]:
    """Put spies in the place of functions of lab.py, for one call of a case.

    `watch` is a Watch as plain data.  `call` is the index of the call in the case.
    `workers` holds the worker.py of every kind, which makes a stand-in from reference
    answers.

    A spy calls note("called", name) each time somebody calls the function, and
    note("unknown", name) each time the stand-in has no answer.  The spy calls `note` at
    once, because the process may be stopped before the function returns.
    """
    with contextlib.ExitStack() as places:
        for name in watch["functions"]:
            answers = None
            if reference := watch["stand_ins"].get(name):
                worker = workers[reference["kind"]]
                answers = worker.stand_in(reference["calls"][call])
            places.enter_context(_spied_on(lab, name, answers, note))
        yield


def _spied_on(
    lab: ModuleType, name: str, answers: Function | None, note: Note
) -> contextlib.AbstractContextManager[None]:
    """Put a spy in the place of one function of lab.py, until the `with` block ends."""

    def spied_on(name: str, function: Function) -> Function:
        def spy(*args: Any, **kwargs: Any) -> Any:
            note("called", name)
            if answers is not None:
                try:
                    return answers(*args, **kwargs)
                except Exception:
                    note("unknown", name)
            return function(*args, **kwargs)

        return spy

    function = _plain_function(getattr(lab, name, None))
    if isinstance(function, FunctionType) and function.__closure__ is None:
        return code_replaced(function, spied_on(name, _copy_of(function)))
    return in_place(lab, [name], spied_on)


@contextlib.contextmanager
def code_replaced(function: FunctionType, spy: Function) -> Iterator[None]:
    """Until the `with` block ends, whoever calls the function calls the spy instead.

    lab.py may also hold its function under another name: as an alias, in a table, as a
    default value, or in a class.  So the function object stays, and only its code is
    replaced.

    >>> def three(): return 3
    >>> alias = three
    >>> with code_replaced(three, lambda: 4): alias()
    4
    >>> alias()
    3
    """
    code = function.__code__
    defaults = function.__defaults__
    defaults_by_name = function.__kwdefaults__
    function.__code__ = _relay.__code__
    function.__defaults__ = None
    function.__kwdefaults__ = {"_spy": spy}
    try:
        yield
    finally:
        function.__code__ = code
        function.__defaults__ = defaults
        function.__kwdefaults__ = defaults_by_name


def _relay(*args: Any, _spy: Function, **kwargs: Any) -> Any:
    return _spy(*args, **kwargs)


def _plain_function(function: Any) -> Any:
    """Return the plain function that is inside a method, or inside a decorator such as
    functools.cache.

    A plain function is returned itself.  lab.py may have wrapped the function in an
    object of its own class.  Then return that object, or None if a method of the object
    fails.
    """
    with contextlib.suppress(Exception):
        function = inspect.unwrap(function)
        return getattr(function, "__func__", function)
    return None


def _copy_of(function: FunctionType) -> FunctionType:
    """Return a copy of a function.  The copy keeps its code when somebody replaces the
    code of the original.
    """
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
