"""In the child: the functions of lab.py by their names, and spies in their place.

A spy sees whether a graded function is called by another one, and may answer in its place.  Only a case that has
failed is run like this, a second time; an object in place of a function is seen only where it is called by its name.  A
stand-in answers just what is known for this case, and leaves every other call to the student's own function.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

StandIn = Callable[[str, Any], Callable[..., Any]]
CACHES = ("cache_clear", "cache_info")  # what functools.cache gives a function besides


class NotWritten(Exception):
    """lab.py has no function of this name any more; the number is that of the line that begins one, indented, or 0."""


def function_of(lab: ModuleType, name: str) -> Any:
    """The function or class of this name.  Raises NotWritten."""
    function = getattr(lab, name, None)
    if function is None:
        raise NotWritten(name, _indented(lab, name))
    return function


def _indented(lab: ModuleType, name: str) -> int:
    """The line of lab.py in which the definition of this name begins, indented; 0 where none does."""
    with contextlib.suppress(Exception):
        source = Path(str(lab.__file__)).read_bytes()
        lines, inside = source.splitlines(), [compile(source, "lab.py", "exec", dont_inherit=True)]
        for code in inside:
            inside += [one for one in code.co_consts if isinstance(one, CodeType)]
        begins = [code.co_firstlineno for code in inside if code.co_name == name]
        return next((line for line in begins if lines[line - 1][:1].isspace()), 0)
    return 0


@contextlib.contextmanager
def in_place(lab: ModuleType, names: Iterable[str], watched: Callable[[str, Any], Any]) -> Iterator[None]:
    """Put what `watched` makes of them in the place of the functions that lab.py holds by these names, for a while.

    A plain function of lab.py, a method or a decorator's too, leads there also where it is called by another name: it
    hands on, and a copy of it is watched.  One that is missing is as good as one that raises NameError.
    """
    missing = [name for name in names if not hasattr(lab, name)]
    for name in missing:
        setattr(lab, name, _not_defined(name))
    own = {name: one for name in names if callable(one := getattr(lab, name)) and not isinstance(one, type)}
    copies = {name: _copy(one) for name, one in own.items() if _can_hand_on(lab, name, own)}
    try:
        for name, function in own.items():
            setattr(lab, name, watching := watched(name, copies.get(name, function)))
            with contextlib.suppress(Exception):  # what can be called may be any object
                watching.__dict__ = vars(function)  # where it may count
                watching.__dict__ |= {each: getattr(function, each) for each in CACHES if hasattr(function, each)}
            if name in copies:
                _fill(function, _handing_on(function), None, {"_to": _meant(watching, copies[name])})
        yield
    finally:
        for name, function in own.items():
            setattr(lab, name, function)
        for name, copy in copies.items():
            _fill(own[name], copy.__code__, copy.__defaults__, copy.__kwdefaults__)
        for name in missing:
            vars(lab).pop(name, None)


def _not_defined(name: str) -> Callable[..., Any]:
    def raises(*words: Any, **named: Any) -> Any:
        raise NameError(f"name {name!r} is not defined")

    return raises


def _plain(function: Any) -> Any:
    return function.__func__ if type(function) is MethodType else function


def _can_hand_on(lab: ModuleType, name: str, own: Mapping[str, Any]) -> bool:
    """Whether this is a plain function or method of lab.py, and not that of another of these names."""
    function, alike = _plain(own[name]), [_plain(each) is _plain(own[name]) for each in own.values()]
    is_plain = type(function) is FunctionType and function.__globals__ is vars(lab)
    return is_plain and (function.__name__ == name or alike.count(True) == 1)


def _copy(function: Any) -> Any:
    one = _plain(function)
    copy = FunctionType(one.__code__, one.__globals__, one.__name__, one.__defaults__, one.__closure__)
    copy.__kwdefaults__ = one.__kwdefaults__
    return copy if one is function else MethodType(copy, function.__self__)


def _fill(function: Any, code: CodeType, defaults: Any, named_defaults: Any) -> None:
    """Put this in the place of what a function or method does."""
    one = _plain(function)
    one.__code__, one.__defaults__, one.__kwdefaults__ = code, defaults, named_defaults


def _handing_on(function: Any) -> Any:
    """The code of a function that hands on.  It names what stands around this one, which Python wants, and has no use
    for it; were these names put into other code (CodeType.replace), a look at its locals would end the process.
    """
    free = ", ".join(f"free{n}" for n in range(len(function.__code__.co_freevars)))
    around = eval(f"lambda {free}: lambda *words, _to, **named: _to(*words, **named) if True else ({free})")
    return around(*function.__code__.co_freevars).__code__


def _meant(watching: Callable[..., Any], copy: Any) -> Callable[..., Any]:
    """What is handed on to: of a method, only for the object that it was taken from."""

    def method(me: Any, *words: Any, **named: Any) -> Any:
        return watching(*words, **named) if me is copy.__self__ else copy.__func__(me, *words, **named)

    return method if type(copy) is MethodType else watching


class Unknown(Exception):
    """Raised by a stand-in that was asked something else than what it knows."""


class Tripped(BaseException):
    """Raised in the place of a function that would end the process."""


class Spies:
    """Watches functions of lab.py while a call is made.

    `watch` is what Request.watch holds, or None: nobody is watched then.  `stand_in` makes a stand-in of a kind, out
    of what is known for a call.  `report` says which functions were called, and which were asked something that their
    stand-ins do not know.  The `tripping` ones are called, and go no further than their stand-ins.
    """

    def __init__(self, lab: ModuleType, watch: dict[str, Any] | None, stand_in: StandIn) -> None:
        self._lab, self._watch, self._stand_in = lab, watch, stand_in
        self._called: set[str] = set()
        self._unknown: set[str] = set()

    def report(self) -> dict[str, list[str]]:
        """What was seen, for the outcome of a call; nothing where nobody was watched."""
        return {} if self._watch is None else {"called": sorted(self._called), "unknown": sorted(self._unknown)}

    def in_place(self, call: int) -> contextlib.AbstractContextManager[None]:
        """Put the spies in the place of the functions, for one call of the case."""
        watch = self._watch or {"functions": ()}

        def spy(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
            known = watch["answers"].get(name)
            return self._spy(name, function, known and self._stand_in(known["kind"], known["calls"][call]))

        return in_place(self._lab, watch["functions"], spy)

    def _spy(self, name: str, function: Callable[..., Any], stand_in: Callable[..., Any] | None) -> Callable[..., Any]:
        def spy(*words: Any, **named: Any) -> Any:
            self._called.add(name)
            if stand_in is not None:
                try:
                    return stand_in(*words, **named)
                except Exception:
                    self._unknown.add(name)
            if self._watch and name in self._watch["tripping"]:
                raise Tripped(name)
            return function(*words, **named)

        return spy
