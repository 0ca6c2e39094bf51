"""A student's own cases, in my_cases.yaml beside lab.py: what the student expects, without points.

The file is a list of cases, written as the kit's are, each with its `function`; a tree may be drawn in it.
What the kit's cases of a function say and expect is what one's own can say and expect.  `make test`
reads the file, and no place does where a grade is made.
"""

import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from boards.built import state_of
from boards.cases import OF_THE_CASE, Bank, Call, CallReader, Case, read_case
from boards.own import Place, Written
from boards.reading import BadFile
from grader.judging.status import Status
from grader.judging.verdict import Verdict
from grader.kinds.known import kind_of
from grader.pipe.words import harmless, plural

MY_CASES = "my_cases.yaml"
MOST_CASES = 60
MAY_BE_LEFT_OUT = {"estimates", "unpruned", "by_hand"}  # of what is expected
FORMS = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a mapping"}
DECIDES = ("call", "remoteness")  # what is asked, and so what comes back


@dataclass(frozen=True)
class OwnCases:
    """The cases that can be run, which carry no points, and a line for each mistake in the file."""

    bank: Bank
    mistakes: tuple[str, ...] = ()


def read_own_cases(file: Path, kit: Bank) -> OwnCases:
    """The cases of a student's file; `kit` has those of the kit."""
    cases: dict[str, Case] = {}
    said: list[str] = []
    try:
        written = Written(file)
        entries = written.data or []
        if not isinstance(entries, list):
            raise written.mistake((), "the file is a list of cases, each of which begins with `- function: …`")
        for index, entry in enumerate(entries[:MOST_CASES]):
            try:
                case = _read(entry, kit, written, (index,))
                if cases.setdefault(case.id, case) is not case:
                    raise written.mistake((index, "id"), f"{case.id} stands above already; rename this one")
            except BadFile as error:
                said.append(harmless(error))
        if len(entries) > MOST_CASES:
            raise written.mistake((MOST_CASES,), f"{MOST_CASES} cases are run, and none from here on")
    except (BadFile, OSError) as error:
        said.append(harmless(error))
    parts = tuple(replace(part, functions=dict.fromkeys(part.functions, Fraction(0)), hidden={}) for part in kit.parts)
    return OwnCases(Bank(parts, tuple(cases.values())), tuple(said))


def _read(entry: Any, kit: Bank, written: Written, at: Place) -> Case:
    """A case of the file, which stands at this place.  Raises BadFile."""
    if not isinstance(entry, dict):
        raise written.mistake(at, "a case is a mapping: `- function: …`, and the rest below it")
    functions = {function.name: function for function in kit.functions}
    for key in ("function", "id", "says"):
        if not isinstance(entry.get(key), str):
            raise written.mistake((*at, key), f"a case says its `{key}`, a text")
    if entry["function"] not in functions:
        raise written.mistake((*at, "function"), _unknown("function", entry["function"], functions))
    function = functions[entry["function"]]
    alike = [call for case in kit.of(function.name) if not case.hidden for call in case.calls]
    part = next(part.number for part in kit.parts if function.name in part.graded)
    calls = entry.get("calls", [entry])
    try:
        for index, call in enumerate(calls):
            place = (*at, "calls", index) if "calls" in entry else at
            _check(call, alike, written, place)
            _check_tree(call, written, place)
        case = read_case("my_cases", {"part": part}, function, entry, CallReader())
        for index, call in enumerate(case.calls):
            kind_of(function).picture(function, call, None)
            place = (*at, "calls", index) if "calls" in entry else at
            _check_paths(call, call.expect, written, (*place, "expect"))
    except BadFile:
        raise
    except KeyError as missing:
        raise written.mistake(at, f"boards/ has nothing that is called {missing}") from None
    except Exception as error:
        raise written.mistake(at, f"nothing can be made of this: {error}") from None
    return case


def _check(call: Mapping[str, Any], alike: list[Call], written: Written, at: Place) -> None:
    """Hold a call against the kit's of its function: the same keys in it, in what it gives and what it expects."""
    known = set[str]().union(*(other.inputs for other in alike))
    for key, value in call.items():
        if key not in known | OF_THE_CASE:
            raise written.mistake((*at, key), _unknown("key", key, known))
        inner = [other.inputs[key] for other in alike if isinstance(other.inputs.get(key), dict)]
        for name in value if inner and isinstance(value, dict) else ():
            if name not in set().union(*inner):
                raise written.mistake((*at, key, name), _unknown("key", name, set().union(*inner)))
    for key in known.intersection(*(other.inputs for other in alike)) - call.keys() - {"players"}:
        raise written.mistake(at, f"`{key}` is missing")
    if "board" in call.get("state", ()):
        raise written.mistake((*at, "state"), "searches of your own cases are of trees, tic_tac_toe and nim")
    asked = [other for other in alike if all(other.inputs.get(key) == call.get(key) for key in DECIDES)]
    forms = [other.expect.keys() - MAY_BE_LEFT_OUT for other in asked]
    expect = dict(call.get("expect") or {})
    for key, value in expect.items():
        known = MAY_BE_LEFT_OUT.union(*(other.expect for other in asked))
        if forms and key not in known:
            raise written.mistake((*at, "expect", key), _unknown("key", key, known - {"by_hand"}))
        likely = [other.expect[key] for other in asked if key in other.expect]
        if likely and not any(type(value) is type(one) or {type(value), type(one)} == {int, float} for one in likely):
            raise written.mistake((*at, "expect", key), f"`{key}` is {value!r:.40}, and not {FORMS[type(likely[0])]}")
    if forms and expect.keys() - MAY_BE_LEFT_OUT not in forms:
        wanted = " or ".join(sorted({f"{{{', '.join(sorted(form))}}}" for form in forms}))
        raise written.mistake((*at, "expect"), f"say what is right: `expect` holds {wanted}")


def _check_paths(call: Call, expect: Any, written: Written, at: Place) -> None:
    """Hold the paths that are expected of a search, one or a history of them, against its tree."""
    if isinstance(expect, list):
        for index, inner in enumerate(expect):
            _check_paths(call, inner, written, (*at, index))
    elif isinstance(expect, dict):
        for key in expect.keys() & {"history", "last"}:
            _check_paths(call, expect[key], written, (*at, key))
        if isinstance(expect.get("path"), list) and "state" in call.inputs:
            _check_path(state_of(call.inputs["state"]), expect["path"], written, (*at, "path"))


def _check_path(state: Any, path: list[Any], written: Written, at: Place) -> None:
    for step in path:
        below = [] if state.is_game_over() else state.generate_next_states()
        if type(step) is not int or not 0 <= step < len(below):
            name = getattr(state.snapshot, "name", "the state there")
            said = f"`path` is {path}; {name} has {plural(len(below), 'child', 'children')}, counted from 0"
            raise written.mistake(at, f"{said:.200}")
        state = below[step]


def _check_tree(call: Mapping[str, Any], written: Written, at: Place) -> None:
    """Hold against the rules of trees what a call draws; the line of the mistake is counted in the drawing."""
    for key in ("state", "game"):
        inner = call.get(key)
        text = inner.get("tree") if isinstance(inner, dict) else None
        if isinstance(text, str) and "\n" in text:
            try:
                state_of({"tree": text, "negates": False})
            except ValueError as error:
                raise written.mistake((*at, key, "tree"), f"this is no tree; in its {error}") from None


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    there = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(sorted(known))}"
    return f"no {what} is called `{name[:40]}` here; {there}"


def of_the_case(verdict: Verdict) -> Verdict:
    """A verdict on a case of one's own: what was raised in no line of lab.py is the case's own fault."""
    error = re.search(r"\w+Error: .*", verdict.message)
    if error and not verdict.inside and verdict.status in (Status.CRASH, Status.UNGRADED):
        return replace(verdict, message=f"This case does not fit its function. {error[0]}")
    return verdict
