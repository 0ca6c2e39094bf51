"""A student's own cases, in my_cases.yaml beside lab.py: what the student expects, without points.

The file is a list of cases, written as the kit's are, each with its `function`; a tree may be drawn in it.
What the kit's cases of a function say and expect is what one's own can say and expect.  `make test`
reads the file, and no place does where a grade is made.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from boards.built import state_of
from boards.cases import Bank, Call, CallReader, Case, read_case
from boards.reading import BadFile
from grader.grading.own_file import Place, Written
from grader.grading.session import Session
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.words import harmless, plural
from grader.refusal import like

MOST_CASES = 60
MAY_BE_LEFT_OUT = {"estimates", "unpruned"}  # of what is expected
FORMS = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a mapping"}
DECIDES = ("call", "remoteness")  # what is asked, and so what comes back
LED = ("state", "game")  # in which the first key says what they are


@dataclass(frozen=True)
class OwnCases:
    """The cases that can be run, which carry no points, and a line for each mistake in the file."""

    bank: Bank
    mistakes: tuple[str, ...] = ()


class OwnSession(Session):
    """Runs a student's own cases.  One that is not right says nothing of its function: neither does another case wait
    for it, nor does the answer that is expected there stand in."""

    def known_to(self, case: Case, function: str) -> list[Case]:
        return []


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
    functions = {function.name: (part, function) for part in kit.parts for function in part.graded.values()}
    for key in ("function", "id", "says"):
        if not isinstance(entry.get(key), str):
            raise written.mistake((*at, key), f"`{key}` is missing, or is no text")
    if entry["function"] not in functions:
        raise written.mistake((*at, "function"), _unknown("function", entry["function"], functions))
    part, function = functions[entry["function"]]
    alike = [call for case in kit.of(function.name) if not case.hidden for call in case.calls]
    place = at
    try:
        case = read_case("my_cases", {"part": part.number}, function, entry, CallReader())
        if not case.calls:
            raise written.mistake((*at, "calls"), "a case has a call or more")
        for index, call in enumerate(case.calls):
            place = (*at, "calls", index) if "calls" in entry else at
            _compare(call, alike, written, place)
            kind_of(function).picture(function, call, None)
            kind_of(function).pasted(function, call)
            _check_paths(call, call.expect, written, (*place, "expect"))
    except BadFile:
        raise
    except KeyError as missing:
        raise written.mistake(place, f"boards/ has nothing that is called {missing}") from None
    except Exception as error:
        drawn = ("state", "tree") if isinstance(error, ValueError) else ()
        raise written.mistake((*place, *drawn), f"nothing can be made of this: {error}") from None
    return replace(case, weight=1)


def _compare(call: Call, alike: Sequence[Call], written: Written, at: Place) -> None:
    """Hold a call, and what is expected of it, against the kit's of its function."""
    if "board" in call.inputs.get("state", ()):
        raise written.mistake((*at, "state"), "searches of your own cases are of trees, tic_tac_toe and nim")
    asked = [each for each in alike if all(each.inputs.get(key) == call.inputs.get(key) for key in DECIDES)] or alike
    _compare_each(call.inputs, [each.inputs for each in alike], written, at)
    _check_least(call.inputs, [each.inputs for each in asked], written, at)
    for key, inner in call.inputs.items():
        likely = [each.inputs[key] for each in asked if isinstance(each.inputs.get(key), dict)]
        if isinstance(inner, dict) and likely:
            _compare_each(inner, likely, written, (*at, key))
            _check_least(inner, likely, written, (*at, key))
            leading = {next(iter(one)) for one in likely if key in LED} - {"board"}
            if leading and not leading & inner.keys():
                takes = " or ".join(f"{one}: …" for one in sorted(leading))
                raise written.mistake((*at, key), f"`{key}` takes {takes}")
    for key in set[str].intersection(*(set(each.inputs) for each in alike)) - call.inputs.keys() - {"players"}:
        raise written.mistake(at, f"`{key}` is missing")
    _check_heuristic(call.inputs, [each.inputs for each in alike], written, (*at, "arguments", "heuristic"))
    _compare_each(call.expect, [each.expect for each in asked], written, (*at, "expect"))
    forms = [each.expect.keys() - MAY_BE_LEFT_OUT for each in asked]
    if call.expect.keys() - MAY_BE_LEFT_OUT not in forms:
        wanted = " or ".join(sorted({f"{{{', '.join(sorted(form))}}}" for form in forms}))
        raise written.mistake((*at, "expect"), f"say what is right: `expect` holds {wanted}")


def _compare_each(given: Mapping[str, Any], alike: Sequence[Mapping[str, Any]], written: Written, at: Place) -> None:
    """See that the kit has each key in mappings of this sort, and there what has the same form."""
    known = set[str]().union(*alike)
    for key, value in given.items():
        if key not in known:
            raise written.mistake((*at, key), _unknown("key", key, known))
        forms = {FORMS[type(each[key])] for each in alike if key in each}
        if FORMS.get(type(value)) not in forms:
            raise written.mistake((*at, key), f"`{key}` is {value!r:.40}, and not {' or '.join(sorted(forms))}")
        if isinstance(value, list):
            _compare_items(key, value, [each[key] for each in alike if key in each], written, (*at, key))


def _compare_items(key: str, given: Sequence[Any], alike: Sequence[Any], written: Written, at: Place) -> None:
    """The same for what stands in a list, of which each mapping has all keys of one of the kit's."""
    known = [item for each in alike if isinstance(each, list) for item in each if type(item) in FORMS]
    for index, item in enumerate(given if known else ()):
        _compare_each({key: item}, [{key: each} for each in known], written, (*at, index))
        if isinstance(item, dict):
            mappings = [each for each in known if isinstance(each, dict)]
            _compare_each(item, mappings, written, (*at, index))
            if missing := min((sorted(each.keys() - item.keys() - MAY_BE_LEFT_OUT) for each in mappings), key=len):
                raise written.mistake((*at, index), f"`{missing[0]}` is missing")


def _check_least(given: Mapping[str, Any], alike: Sequence[Mapping[str, Any]], written: Written, at: Place) -> None:
    """See that no number is negative where none of the kit's is, nor 0 where none of them is that either."""
    for key, value in given.items():
        least = min((each[key] for each in alike if type(each.get(key)) in (int, float)), default=-1)
        if type(value) is int and least >= 0 and value < (1 if least else 0):
            raise written.mistake((*at, key), f"`{key}` is {value}; here it is {'above 0' if least else '0 or more'}")


def _check_heuristic(given: Mapping[str, Any], alike: Sequence[Mapping[str, Any]], written: Written, at: Place) -> None:
    """See that the kit has one for such a state: another would fail within lab.py, by no fault of that."""
    shared = [each for each in alike if each.get("state", {}).keys() & given.get("state", {}).keys()]
    fitting = {"always_zero", *(each.get("arguments", {}).get("heuristic", "always_zero") for each in shared)}
    named = given.get("arguments", {}).get("heuristic", "always_zero")
    if named not in fitting:
        raise written.mistake(at, f"`heuristic` is {named!r:.40}; here it is {' or '.join(sorted(fitting))}")


def _check_paths(call: Call, expect: Any, written: Written, at: Place) -> None:
    """Hold the paths that are expected of a search, one or a history of them, against its tree."""
    inside = expect.items() if isinstance(expect, dict) else enumerate(expect) if isinstance(expect, list) else ()
    for key, inner in inside:
        if key == "path" and isinstance(inner, list) and "state" in call.inputs:
            _check_path(state_of(call.inputs["state"]), inner, written, (*at, key))
        else:
            _check_paths(call, inner, written, (*at, key))


def _check_path(state: Any, path: list[Any], written: Written, at: Place) -> None:
    for step in path:
        below = state.generate_next_states()
        if type(step) is not int or not 0 <= step < len(below):
            name = getattr(state.snapshot, "name", "the state there")
            said = f"`path` is {path}; {name} has {plural(len(below), 'child', 'children')}, counted from 0"
            raise written.mistake(at, f"{said:.200}")
        state = below[step]


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    there = ", ".join(sorted(known))
    return f"no {what} is called `{name[:40]}` here{like(name, sorted(known), f'there are {there}')}"


def of_the_case(verdict: Verdict) -> Verdict:
    """A verdict on a case of one's own: what was raised in no line of lab.py is the case's own fault, and no reason is
    given that rests on what is expected, which may be wrong."""
    error = re.search(r"(?:^|look at: )(\w*Error: .*)", verdict.message)
    if error and not verdict.inside and verdict.status in (Status.CRASH, Status.UNGRADED):
        return replace(verdict, message=f"This case does not fit its function. {error[1]}")
    if verdict.status in (Status.FAIL, Status.PARTIAL) and not verdict.malformed:
        step = re.match(r"At depth \d+|The \w+ result in the history", verdict.message)
        what = f"{step[0]}: what" if step else "What"
        rest = "is wanted is what your case expects." if verdict.rows else "came back is not what your case expects."
        return replace(verdict, message=f"{what} {rest}")
    return verdict
