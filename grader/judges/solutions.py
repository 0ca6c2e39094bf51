"""Judges strong solutions (part 0), the output of `make run`, and the questions (part 3)."""

import base64
import hashlib
from typing import Any

from boards.cases import Call
from grader.calls import digest
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.pipe.words import Garbled, harmless, is_number, plural, returned, show

NO_ANSWER = "There is no answer yet."


def judge_zero_by(call: Call, outcome: dict[str, Any]) -> Finding:
    """The graph that the game's own moves lead through, from its start."""
    if "problem" in outcome:
        return Finding(NOTHING, _problem(outcome["problem"]))
    if outcome.get("start") != call.expect["start"] or type(outcome.get("start")) is not int:
        rows = (("start()", show(call.expect["start"]), show(outcome.get("start"))),)
        return Finding(NOTHING, "The game begins with another number of items.", rows)
    leads_to, ends = _pairs(outcome.get("leads_to")), _pairs(outcome.get("ends"))
    wanted_leads, wanted_ends = call.expect["leads_to"], call.expect["ends"]
    for position in (*wanted_leads, *wanted_ends):
        items = f"{position} item{'' if position == '1' else 's'}"
        yours = show(ends[position]) if position in ends else "None" if position in leads_to else "never reached"
        wanted = f"Value.{wanted_ends[position]}" if position in wanted_ends else "None"
        if yours != wanted:
            rows = ((f"terminal_value({position})", wanted, yours),)
            return Finding(NOTHING, f"terminal_value is wrong with {items} left.", rows)
        if position in wanted_leads and leads_to[position] != wanted_leads[position]:
            rows = ((f"{position} leads to", show(wanted_leads[position]), show(leads_to[position])),)
            return Finding(NOTHING, f"The moves are wrong with {items} left.", rows)
    if strangers := sorted({*leads_to, *ends} - {*wanted_leads, *wanted_ends}):
        return Finding(NOTHING, f"The game reaches {harmless(strangers[0], 40)}, which it never should.")
    return RIGHT


def _problem(problem: Any) -> str:
    if not (isinstance(problem, list) and len(problem) == 2):
        raise Garbled
    kind, what = problem
    if kind == "position":
        return f"A position should be the number of items left, a whole number; it is {show({'$other': what})}."
    return f"The game goes on without end: it has passed a thousand positions and stands at {show(what)}."


def judge_solve(call: Call, outcome: dict[str, Any]) -> Finding:
    """The table of values: position by position, or by its totals and digest where it is large.

    Where remoteness is asked for, it is the table of the moves to the end.
    """
    if "moves" in call.expect:
        return _judge_moves(call.expect["moves"], outcome)
    if "values" in call.expect:
        return _judge_values(call.expect["values"], outcome)
    if "totals" not in outcome:
        value = outcome.get("value")
        if isinstance(value, dict) and isinstance(value.get("$dict"), list):
            one_of_many = "positions" in outcome
            return _judge_small_table(_pairs(value), sum(call.expect["totals"].values()), one_of_many)
        return Finding(NOTHING, f"It {returned(value)}; it should return a dict.")
    totals, wanted = outcome["totals"], call.expect["totals"]
    if not isinstance(totals, dict):
        raise Garbled
    rows = tuple((f"positions with {name}", show(number), show(totals.get(name))) for name, number in wanted.items())
    if totals != wanted:
        if all(type(number) is int for number in totals.values()) and sum(totals.values()) != sum(wanted.values()):
            return Finding(NOTHING, _wrong_size(sum(totals.values()), sum(wanted.values())), rows)
        return Finding(NOTHING, "The numbers of won, tied and lost positions are wrong.", rows)
    if outcome.get("digest") != call.expect["digest"]:
        return Finding(NOTHING, "The totals are right, but some positions have each other's values.", rows)
    return RIGHT


def _judge_values(wanted: dict[str, str], outcome: dict[str, Any]) -> Finding:
    if "totals" in outcome:
        totals = outcome["totals"]
        if not isinstance(totals, dict) or not all(type(number) is int for number in totals.values()):
            raise Garbled
        return Finding(NOTHING, _wrong_size(sum(totals.values()), len(wanted)))
    value = outcome.get("value")
    if not (isinstance(value, dict) and isinstance(value.get("$dict"), list)):
        return Finding(NOTHING, f"It {returned(value)}; it should return a dict.")
    yours = _pairs(value)
    if no_value := _no_value(yours):
        return no_value
    for position, name in wanted.items():
        if yours.get(position) != {"$value": name}:
            there = position in yours
            rows = ((position, f"Value.{name}", show(yours[position]) if there else "not in the table"),)
            wrong = f"The value of {position} is wrong." if there else f"{position} is missing from the table."
            return Finding(NOTHING, wrong, rows)
    for position in yours:
        if position not in wanted:
            rows = ((harmless(position, 40), "not in the table", show(yours[position])),)
            return Finding(NOTHING, "The table holds a position that cannot be reached from the start.", rows)
    return RIGHT


def _judge_moves(wanted: dict[str, int], outcome: dict[str, Any]) -> Finding:
    value = outcome.get("value")
    if not (isinstance(value, dict) and isinstance(value.get("$dict"), list)):
        return Finding(NOTHING, f"remoteness {returned(value)}; it should return a dict.")
    yours = _pairs(value)
    for position, moves in wanted.items():
        if not is_number(yours.get(position)) or yours[position] != moves:
            found = show(yours[position]) if position in yours else "not in the table"
            return Finding(NOTHING, f"The remoteness of {position} is wrong.", ((position, str(moves), found),))
    return RIGHT


def _judge_small_table(yours: dict[str, Any], positions: int, one_of_many: bool) -> Finding:
    """A table of another size than the game's; or what is odd in a large one, of which only that comes back."""
    if no_value := _no_value(yours):
        return no_value
    if one_of_many:
        return Finding(
            NOTHING, f"The table holds {harmless(next(iter(yours), ''), 40)}, which is no position of this game."
        )
    return Finding(NOTHING, _wrong_size(len(yours), positions))


def _no_value(yours: dict[str, Any]) -> Finding | None:
    """What to say of the first position whose value is no Value; None where all are."""
    for position, found in yours.items():
        if not (isinstance(found, dict) and "$value" in found):
            rows = ((harmless(position, 40), "a Value", show(found)),)
            return Finding(NOTHING, f"The value of {harmless(position, 40)} is no Value: WIN, TIE or LOSE.", rows)
    return None


def _wrong_size(yours: int, wanted: int) -> str:
    few = "some are missing" if yours < wanted else "some cannot be reached from the start"
    return f"The table has {plural(yours, 'position')}; the game has {wanted}, so {few}."


def judge_make_run(call: Call, outcome: dict[str, Any]) -> Finding:
    """Standard output, to the last character; a long one by its lines and digest."""
    text = outcome.get("stdout")
    if not isinstance(text, str):
        raise Garbled
    if outcome.get("status") != 0:
        return Finding(NOTHING, f"The command failed: {harmless(outcome.get('complaint', ''), 200)}")
    lines = text.split("\n")[:-1]
    if "stdout" in call.expect:
        wanted = call.expect["stdout"].splitlines()
        if text == call.expect["stdout"]:
            return RIGHT
        for number, line in enumerate(wanted):
            if number >= len(lines) or lines[number] != line:
                yours = repr(harmless(lines[number], 60)) if number < len(lines) else "nothing"
                rows = ((f"line {number + 1}", repr(line), yours),)
                return Finding(NOTHING, f"Line {number + 1} of the output is wrong.", rows)
        return Finding(NOTHING, "There is more on standard output than the positions.")
    if text.endswith("\n") and len(lines) == call.expect["lines"] and digest(lines) == call.expect["digest"]:
        return RIGHT
    rows = (("lines", str(call.expect["lines"]), str(len(lines))),)
    return Finding(NOTHING, "The output is wrong.", rows)


def judge_answer(call: Call, outcome: dict[str, Any]) -> Finding:
    """The answer to a question, compared by its salted hash; the number 4 counts as '4'."""
    value = outcome.get("value")
    text = str(value) if type(value) is int else value
    if text is None or text == "":
        return Finding(NOTHING, NO_ANSWER)
    if not isinstance(text, str) or text.strip() not in ("1", "2", "3", "4", "5"):
        return Finding(NOTHING, f"The answer is {show(value)}; it should be one of '1', '2', '3', '4' and '5'.")
    if hash_answer(call.expect["salt"], text) != call.expect["digest"]:
        return Finding(NOTHING, f"{text} is not the answer.")
    return Finding(message=base64.b64decode(call.expect["explanation"]).decode())


def hash_answer(salt: str, answer: str) -> str:
    """The salted hash by which an answer is stored: not secret, only not readable by accident."""
    return hashlib.sha256(f"{salt} {answer.strip()}".encode()).hexdigest()


def _pairs(encoded: Any) -> dict[str, Any]:
    """An encoded dict with its keys as text."""
    if not (isinstance(encoded, dict) and isinstance(encoded.get("$dict"), list)):
        raise Garbled
    pairs: dict[str, Any] = {}
    for pair in encoded["$dict"]:
        if not (isinstance(pair, list) and len(pair) == 2):
            raise Garbled
        key = pair[0]
        pairs[str(key) if type(key) in (int, str) else show(key)] = pair[1]
    return pairs
