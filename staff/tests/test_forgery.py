"""Replies that were tampered with, by the thousand: there is always a verdict, and never a point for it."""

import contextlib
import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from boards.cases import Bank, Case
from grader.grading.judge import judge
from grader.grading.sheet import ScoreSheet
from grader.judging.sentences import sentence_for_import
from grader.judging.verdict import Status, Verdict
from grader.protocol.answer import Request
from grader.protocol.reading import answered, read_import, read_outcomes
from grader.sandbox.opening import open_sandbox
from grader.showing.console import report
from grader.showing.markdown import summary
from grader.showing.style import Style
from staff.tests.conftest import FUNCTIONS, KIT
from staff.wrong_labs import with_body

SCHEMA = json.loads((KIT / "grader" / "results.schema.json").read_text("utf-8"))
TIMES = 1_500
ODD: tuple[Any, ...] = (
    *(None, True, -1, 10**301, 10**400, 0.5, 1e308, float("inf"), float("-inf"), float("nan")),
    *("", "\ud800", "\x1b[2J\r", "x" * 3_000, [], {}, [[]], [None] * 200, {"\udfff": 1}, {"": []}),
    *({"$other": []}, {"$dict": [[1, 2]]}, {"$dict": [3]}, {"$value": {}}, {"$board": 3}, {"$estimate": {"guess": []}}),
    *({"raised": {}}, {"missing": []}, {"problem": []}, {"indices": [[]]}, {"indices": ["a"]}, {"result": {}}),
)
WRONG = {
    "returns-text": 'return "?"',
    "returns-no-path": "return None, 0, 0",
    "raises": "raise KeyError(3)",
}


def replies_of(text: str, bank: Bank, tmp_path: Path) -> Iterator[tuple[Case, list[Any]]]:
    """What the child sends for two cases of each function."""
    lab = tmp_path / "lab.py"
    lab.write_text(text, encoding="utf-8")
    with contextlib.closing(open_sandbox(lab)) as sandbox:
        sandbox.load()
        for case in [case for function in FUNCTIONS for case in bank.of(function)[1:3]]:
            yield case, sandbox.answer(_request(case)).outcomes


def _request(case: Case) -> Request:
    return Request(case.id, case.graded.kind, case.function, tuple(call.inputs for call in case.calls), case.seconds)


def _as_bytes(case: Case, outcomes: list[Any]) -> bytes:
    lines = (json.dumps({"case": case.id, "outcome": outcome}).encode() + b"\n" for outcome in outcomes)
    return b"".join(lines) + b"\n"


def tampered(outcomes: list[Any], chance: random.Random) -> list[Any]:
    """The outcomes with something odd in the place of something, gone, or there twice."""
    outcomes = copy.deepcopy(outcomes)
    for _ in range(chance.choice((1, 1, 3))):
        place: Any = outcomes
        while isinstance(inner := _any_of(place, chance), (dict, list)) and inner and chance.random() < 0.8:
            place = inner
        if not place:
            continue
        key = chance.choice(list(place)) if isinstance(place, dict) else chance.randrange(len(place))
        change = chance.randrange(10)
        if change == 0:
            del place[key]
        elif change == 1 and isinstance(place, list):
            place.insert(key, copy.deepcopy(place[key]))
        elif change == 2 and isinstance(place, dict):
            place[chance.choice(("raised", "missing", "problem", "history", "totals", "$other"))] = copy.deepcopy(
                chance.choice(ODD)
            )
        else:
            place[key] = copy.deepcopy(chance.choice(ODD))
    return outcomes


def _any_of(place: Any, chance: random.Random) -> Any:
    return chance.choice(list(place.values() if isinstance(place, dict) else place)) if place else None


def scratched(data: bytes, chance: random.Random) -> bytes:
    """The bytes with a few of them lost, doubled or changed."""
    start = chance.randrange(len(data))
    end = start + chance.choice((1, 1, 2, 20))
    new = chance.choice((b"", data[start:end] * 2, chance.randbytes(3), b"\n", b"\n\n", b"]", b"1e999", b"\\ud800"))
    return data[:start] + new + data[end:]


@pytest.fixture(scope="module")
def replies(bank: Bank, model: str, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Case, list[Any], Verdict]]:
    """Right and wrong replies, each with the verdict on it."""
    labs = [model]
    for body in WRONG.values():
        labs.append(model)
        for function in FUNCTIONS:
            labs[-1] = with_body(function, body, labs[-1])
    folder = tmp_path_factory.mktemp("forgery")
    sent = [reply for lab in labs for reply in replies_of(lab, bank, folder)]
    return [(case, outcomes, judge(case, answered(outcomes))) for case, outcomes in sent]


Tamper = Callable[[Case, list[Any], random.Random], bytes]


@pytest.mark.parametrize(
    "tamper",
    [
        lambda case, outcomes, chance: _as_bytes(case, tampered(outcomes, chance)),
        lambda case, outcomes, chance: scratched(_as_bytes(case, outcomes), chance),
    ],
    ids=["things", "bytes"],
)
def test_tampering_is_judged_and_earns_nothing(
    tamper: Tamper, replies: list[tuple[Case, list[Any], Verdict]], bank: Bank
) -> None:
    chance = random.Random(8)
    verdicts: dict[str, Verdict] = {}
    for number in range(TIMES):
        case, outcomes, before = chance.choice(replies)
        data = tamper(case, outcomes, chance)
        verdict = judge(case, read_outcomes(_request(case), data))
        assert verdict.credit <= before.credit, data
        assert verdict.status is not Status.UNGRADED
        verdicts[case.id] = verdict
        if number % 500 == 0:
            sheet = ScoreSheet(bank, verdicts, (KIT / "lab.py").read_bytes())
            jsonschema.Draft202012Validator(SCHEMA).validate(sheet.data)
            written = json.dumps(sheet.data, ensure_ascii=False, allow_nan=False)
            shown = [report(sheet, True, Style(False, False)), summary(sheet), written]
            assert not any("\x1b" in text or "\r" in text for text in shown)
            "".join(shown).encode()


def test_a_path_of_any_length_is_judged(bank: Bank) -> None:
    case = bank.of("dfs_maximizing")[0]
    path = {"path": {"indices": [0] * 5_000}, "score": 1, "evaluations": 1}
    record = {"watched": True, "evaluated": 1, "repeated": 0, "alike": 0, "unattributed": 0, "order": [[0] * 5_000]}
    outcomes = [{"result": path, "record": record} for _ in case.calls]
    assert judge(case, read_outcomes(_request(case), _as_bytes(case, outcomes))).status is not Status.PASS


def test_what_nobody_asked_for_is_not_unpacked(replies: list[tuple[Case, list[Any], Verdict]]) -> None:
    """It takes a second to read a megabyte of it."""
    for case, outcomes, before in replies:
        if outcomes and "raised" not in outcomes[-1]:
            more = [outcome | {"trace": "?", "moves": "?"} for outcome in outcomes]
            assert judge(case, answered(more)) == before


IMPORTS: list[dict[str, Any]] = [
    {"raised": None, "threads": False, "survey": {"NAME": "Ada", "SUGGESTIONS": None, "COLLABORATORS": ""}},
    {"raised": {"type": "E", "bases": ["E"], "text": "no", "frames": [[3, "f"]]}},
]


def test_a_tampered_import_is_told_like_any_other() -> None:
    chance = random.Random(8)
    for _ in range(TIMES):
        outcomes = tampered([chance.choice(IMPORTS)], chance)
        data = b"".join(json.dumps(outcome).encode() + b"\n" for outcome in outcomes)
        answer = read_import(chance.choice((data, scratched(data or b"{}", chance))) + b"\n")
        told = answer.imported.survey if answer.imported else sentence_for_import(answer)
        json.dumps(told, ensure_ascii=False).encode()
