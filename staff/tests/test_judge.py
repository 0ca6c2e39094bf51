"""The judge alone: partial credit, counts, shapes, and replies that no honest child would send."""

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from api import DRAW, Definitely, Guess
from boards.cases import Bank, Call, Case, read_points
from grader.calls.encode import TOO_MUCH, encode
from grader.grading.judge import judge
from grader.grading.session import Session
from grader.judging.sentences import sentence_for_import
from grader.judging.verdict import Status
from grader.kinds.kind import kind_of
from grader.kinds.question.kind import hash_answer
from grader.kinds.solver.kind import Table
from grader.protocol.answer import Answer, Ending, Import, Request
from grader.protocol.digests import as_output
from grader.protocol.raised import Raised, inside
from grader.protocol.reading import answered, decode, read_import, read_outcomes, read_status

GRADED = {name: function for part in read_points() for name, function in part.graded.items()}
TREE = {"tree": "root\n  A\n    3\n    12\n  B\n    2\n    8\n", "negates": False}


def case_of(function: str, expect: dict[str, Any], **inputs: Any) -> Case:
    call = Call("", inputs or {"state": TREE, "arguments": {}}, expect)
    return Case("x/y", 2, GRADED[function], "says", (call,))


def result(path: Any = None, score: Any = 3, evaluations: Any = 4, **record: Any) -> dict[str, Any]:
    evaluated = evaluations if type(evaluations) in (int, float) else 4
    seen = {
        "watched": True,
        "evaluated": int(evaluated),
        "repeated": 0,
        "unattributed": 0,
        "alike": 0,
        "order": [],
        **record,
    }
    path = {"indices": [0, 0]} if path is None else path
    return {"result": {"path": path, "score": score, "evaluations": evaluations}, "record": seen}


def credit(function: str, expect: dict[str, Any], outcome: dict[str, Any]) -> Fraction:
    return judge(case_of(function, expect), Answer(Ending.ANSWERED, [outcome])).credit


SEEN = result()["record"]
MINIMAX = {"path": [0, 0], "score": 3, "evaluations": 4}
ALPHABETA = {"path": [0, 0], "score": 3, "evaluations": 3, "unpruned": 4}


@pytest.mark.parametrize(("value", "share"), [(1, 1), (1.0, 1), (True, 0), ("1", 0), (None, 0)])
def test_true_is_not_the_number_one(value: Any, share: int) -> None:
    expect = {"path": [0, 0], "score": 1, "evaluations": 4}
    assert credit("minimax_search", expect, result(score=value)) == share
    case = case_of("endgame_score_connectfour", {"score": 1}, board=["1......"], players=["A", "B"], maximizer=True)
    assert judge(case, Answer(Ending.ANSWERED, [{"value": value}])).credit == share


@pytest.mark.parametrize(("value", "share"), [(True, 1), (False, 0), (1, 0), ("True", 0), (None, 0)])
def test_a_predicate_is_exactly_a_bool(value: Any, share: int) -> None:
    case = case_of("is_game_over_connectfour", {"value": True}, board=["1......"], players=["A", "B"])
    assert judge(case, Answer(Ending.ANSWERED, [{"value": value}])).credit == share


ZERO_BY = {"start": 2, "leads_to": {"2": [0, 1], "1": [0]}, "ends": {"0": "LOSE"}}
WHOLE = {"start": 2, "leads_to": {"$dict": [[2, [0, 1]], [1, [0]]]}, "ends": {"$dict": [[0, {"$value": "LOSE"}]]}}


@pytest.mark.parametrize(
    ("change", "share"),
    [
        ({}, 1),
        ({"start": 3}, 0),
        ({"leads_to": {"$dict": []}, "ends": {"$dict": []}}, 0),
        ({"ends": {"$dict": []}}, 0),
        ({"leads_to": {"$dict": [[2, [0, 1]]]}}, 0),
        ({"leads_to": {"$dict": []}, "ends": {"$dict": [[2, {"$value": None}], [1, {"$value": None}]]}}, 0),
        ({"ends": {"$dict": [[0, {"$value": "LOSE"}], [-1, {"$value": "LOSE"}]]}}, 0),
        ({"ends": {"$dict": [[0, {"$value": "LOSE"}], ["--5", None]]}}, 0),
    ],
)
def test_a_game_is_judged_whole(change: dict[str, Any], share: int) -> None:
    case = case_of("ZeroBy", ZERO_BY, n=2, removals=[1, 2])
    assert judge(case, Answer(Ending.ANSWERED, [{**WHOLE, **change}])).credit == share


@pytest.mark.parametrize(
    "outcome", [{"value": {"$dict": []}}, {"value": None}, {"totals": {"WIN": 1}}, {"totals": {"WIN": 2, "LOSE": 1}}]
)
def test_a_large_table_is_judged_whole(outcome: dict[str, Any]) -> None:
    case = case_of("solve", {"totals": {"WIN": 2, "LOSE": 1}, "digest": "abc"}, game={"staircase": 2})
    assert judge(case, Answer(Ending.ANSWERED, [outcome])).credit == 0


def test_a_command_that_fails_is_no_output() -> None:
    case = case_of("make_run", {"stdout": "0: LOSE\n"}, command="zero_by 1 1")
    good = {**as_output("0: LOSE\n"), "status": 0, "complaint": ""}
    assert judge(case, Answer(Ending.ANSWERED, [good])).credit == 1
    verdict = judge(case, Answer(Ending.ANSWERED, [{**good, "status": 1, "complaint": "ValueError: no"}]))
    assert verdict.credit == 0
    assert verdict.message == "The command failed: ValueError: no"


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("2: WIN\n1: LOSE\n0: LOSE\n", ": no move of this game leads to 1."),
        ("2: LOSE\n0: LOSE\n", "."),
        ("0: LOSE\n", "."),
        ("12\n2: WIN\n0: LOSE\n", ": no move of this game leads to 12."),
        ("WIN: 1\n", "."),
    ],
)
def test_a_line_for_what_no_move_leads_to_is_told(printed: str, said: str) -> None:
    case = case_of("make_run", {"stdout": "2: WIN\n0: LOSE\n"}, command="zero_by 2 2")
    verdict = judge(case, Answer(Ending.ANSWERED, [{**as_output(printed), "status": 0, "complaint": ""}]))
    assert verdict.message.partition(" of the output is wrong")[2] == said


SURE, GUESS = {"$estimate": {"sure": "MAXIE"}}, {"$estimate": {"guess": 3}}
NIM = {"game": "nim", "position": 6, "player": "MAXIE", "depth": 2, "made_for": 2, "estimator": None}


BOARD = {"board": ["11.22.."], "players": ["A", "B"]}
FULL = [*["1122112", "2211221"] * 3]
OTHER = {"$board": ["......."] * 6}
AFTER = {"$board": [*["......."] * 4, "1......", "11.22.."]}


@pytest.mark.parametrize(
    ("columns", "value", "found", "message"),
    [
        ([], [OTHER] * 7, "7 boards", "No move is possible on this board, but it returned 7 boards."),
        ([], [0, 1, 2], "0, 1, 2 (no boards)", "The list holds 0, which is not a board."),
        ([0, 1], [0, 1, 2, 3], "0, 1, 2, … (no boards)", "The list holds 0, which is not a board."),
        ([0, 1], [OTHER, "a"], "'a' (no board)", "The list holds 'a', which is not a board."),
        ([0, 1], [OTHER], "1 board", "One of the boards is not"),
        ([0, 1], [], "none", "There should be 2 boards, one for each column that is not full; there are 0."),
        ([0, 1], [AFTER], "0", "There should be 2 boards, one for each column that is not full; there is 1."),
        ([0], [{"$board": [*["......."] * 4, "1......", "11.22.."]}, OTHER], "0, ? (?: another board)", "One of the"),
    ],
)
def test_what_is_said_of_next_boards(columns: list[int], value: Any, found: str, message: str) -> None:
    verdict = judge(
        case_of("next_boards_connectfour", {"columns": columns}, **BOARD),
        Answer(Ending.ANSWERED, [{"value": value}]),
    )
    assert verdict.message.startswith(message)
    assert verdict.rows[0][2] == found


@pytest.mark.parametrize(
    ("function", "inputs", "expect", "value", "message"),
    [
        (
            "is_game_over_connectfour", {}, {"value": True}, False,
            "The game is over here: the longest chain has 2 pieces, and 38 squares are free.",
        ),
        (
            "is_game_over_connectfour", {"board": ["......."]}, {"value": False}, True,
            "The game is not over here: the longest chain has 0 pieces, and 42 squares are free.",
        ),
        (
            "endgame_score_connectfour", {"board": ["1111222"]}, {"score": 1000}, 0,
            "The score is wrong: somebody has won here, so it is no tie.",
        ),
        (
            "endgame_score_connectfour", {"board": FULL}, {"score": 0}, -1000,
            "The score is wrong: nobody has won here, so it is a tie.",
        ),
        ("endgame_score_connectfour", {}, {"score": 1000}, 0, "The score is wrong."),
        ("endgame_score_connectfour", {}, {"score": 0}, -1000, "The score is wrong."),
        ("endgame_score_connectfour", {}, {"score": 1000}, 2000, "The score is wrong."),
    ],
)  # fmt: skip
def test_what_is_said_of_the_end_of_a_game(
    function: str, inputs: dict[str, Any], expect: dict[str, Any], value: Any, message: str
) -> None:
    case = case_of(function, expect, **{**BOARD, "maximizer": True, **inputs})
    assert judge(case, Answer(Ending.ANSWERED, [{"value": value}])).message == message


@pytest.mark.parametrize(
    ("score", "share", "wanted"),
    [(4.5, 1, ""), (-2, 1, ""), (5, 0, "strictly between -3 and 5"), (-3, 0, "strictly between -3 and 5")],
)
def test_a_score_between_two_is_neither_of_them(score: float, share: int, wanted: str) -> None:
    case = case_of("heuristic_connectfour", {"between": [-3, 5]}, **BOARD)
    verdict = judge(case, Answer(Ending.ANSWERED, [{"value": score}]))
    assert verdict.credit == share
    assert [row[1] for row in verdict.rows] == [wanted] * (1 - share)


@pytest.mark.parametrize(
    ("expect", "score", "with_the_other_sign"),
    [
        ({"at_least": 1000}, -1000.5, True),
        ({"at_least": 1000}, -999, False),
        ({"at_most": -1000}, 1000, True),
        ({"between": [0, 1000]}, -1, True),
        ({"between": [0, 1000]}, 0, False),
        ({"between": [-1000, 1000]}, 2000, False),
    ],
)
def test_a_score_that_is_right_but_for_its_sign_is_told(expect: Any, score: float, with_the_other_sign: bool) -> None:
    case = case_of("heuristic_connectfour", expect, **BOARD)
    verdict = judge(case, Answer(Ending.ANSWERED, [{"value": score}]))
    assert verdict.credit == 0 and verdict.message.startswith("The score should be ")
    assert ("with the other sign it would be." in verdict.message) is with_the_other_sign


def test_an_estimate_is_what_it_holds() -> None:
    """Not what it says of itself; and what holds no outcome is no estimate."""

    class Sly(Guess):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return True

        def __getattribute__(self, name: str) -> Any:
            return 1000 if name == "score" else super().__getattribute__(name)

    assert encode((Sly(3), Definitely(DRAW))) == [{"$estimate": {"guess": 3}}, {"$estimate": {"sure": "DRAW"}}]
    broken = Definitely(DRAW)
    object.__setattr__(broken, "outcome", "MAXIE")
    assert encode(broken) == {"$other": "a Definitely"}
    for kind in (Guess, Definitely):
        assert encode(object.__new__(kind)) == {"$other": f"a {kind.__name__}"}
    for name in ("AnytimeValue", "Value"):
        article = "an" if name[0] == "A" else "a"
        assert encode(type(name, (), {})()) == {"$other": f"{article} {name}, which is not that of api"}


@pytest.mark.parametrize(
    "kind", [type("Choice", (str,), {"strip": None, "__str__": None, "__len__": None}), StrEnum("Choice", {"SUM": "1"})]
)
def test_a_text_of_any_class_is_a_text(kind: Any) -> None:
    """As a list of any class is a list: the lab asks for a string, and what is in it counts."""
    assert [type(encode(kind("1"))), encode([kind("1")])] == [str, ["1"]]


def reply(outcome: Any) -> bytes:
    """The bytes that come up the pipe for a case with one call."""
    return json.dumps({"case": "x/y", "outcome": outcome}).encode() + b"\n\n"


ENDLESS, HALF_A_CHARACTER = float("inf"), "\ud800"

REFUSED = [
    b"",
    b"\n\n",
    b"{\xff\xfe\n\n",
    b'{"case"\n\n',
    b"null\n\n",
    b"[1, 2]\n\n",
    b'{"case": "x/y"}\n\n',
    reply({"value": True}).rstrip(),
    reply({"value": True}).replace(b"x/y", b"another"),
    reply({"value": True}).replace(b'"x/y"', b'["x/y"]'),
    reply({"value": True}).rstrip() + b"\n" + reply({"value": True}),
    reply(None),
    reply(3),
    reply([{}]),
    b"[" * 100_000,
    b'{"case": "x/y", "outcome": {"value": ' + b"9" * 10_000 + b"}}\n\n",
    reply({"value": 10**1000}),
    b'{"case": "x/y", "outcome": {"value": ' + b"[" * 700 + b"]" * 700 + b"}}\n\n",
    reply({"value": {"$dict": [[HALF_A_CHARACTER, {"$value": "WIN"}]]}}),
    reply({"value": True, HALF_A_CHARACTER: 1}),
    reply({"raised": {"type": "Wrong", "bases": ["Wrong"], "text": HALF_A_CHARACTER, "frames": []}}),
]

WRONG = {"type": "E", "bases": ["E"], "text": "no", "frames": [[3, "f"]]}
ODD_THINGS: list[Any] = [
    *(None, True, -1, 10**300, 0.5, ENDLESS, "", "odd", [], [[]], [3], ["a", "b"], {}),
    *({"$other": []}, {"$dict": 3}, {"$dict": [3]}, {"$dict": [[[], 3]]}, {"$value": {}}, {"$board": 3}),
    *({"$estimate": []}, {"$estimate": {"guess": {}}}, {"$estimate": {"guess": ENDLESS}}),
    *({"indices": 7}, {"indices": [[]]}, {"problem": []}, {"problem": "type", "type": {}}, {"evaluated": -1}),
]


@pytest.mark.parametrize(
    "value", [["x" * 9_999] * 200, [0] * 100_000, {number: ["x" * 999] for number in range(2_000)}], ids="abc"
)
def test_encoding_stops_at_what_no_answer_needs(value: Any) -> None:
    assert encode(value) == {"$other": TOO_MUCH}


def test_estimates_in_estimates_come_to_an_end() -> None:
    deep = Guess(0)
    for _ in range(5_000):
        object.__setattr__(deep, "score", copy.copy(deep))
    wide: Any = Guess(0)
    object.__setattr__(wide, "score", [wide] * 40)
    assert "something nested without end" in str(encode(deep))
    assert encode(wide) == {"$other": TOO_MUCH}


@pytest.mark.parametrize("data", REFUSED, ids=range(len(REFUSED)))
def test_what_the_child_never_sends_is_not_let_in(data: bytes) -> None:
    answer = read_outcomes(Request("x/y", "solver", "solve", ({},), 2), data)
    assert (answer.ending, answer.outcomes) == (Ending.GARBLED, [])


def test_an_answer_that_is_too_wide_is_not_read() -> None:
    for wide in (b"[" * 200_000, reply({"value": [[0, 1]] * 50_000}), b'{"a": 1}\n' * 200_000):
        assert read_outcomes(Request("x/y", "solver", "solve", ({},), 2), wide).ending is Ending.TOO_LARGE
    assert decode(b'{"imported": false, "raised": [' + b"[]," * 200_000 + b"[]]}") is None


@pytest.mark.parametrize("ended", [-1, 1 << 16, 1 << 40, 0x7F, 0x137F, 1.0, True, "0", None, [0]])
def test_a_status_is_one_that_waitpid_gives(ended: Any) -> None:
    assert read_status(json.dumps({"ended": ended, "survivors": False}).encode()) is None


def test_a_status_is_our_own() -> None:
    assert read_status(b'{"ended": 256, "survivors": true}\n') == (256, True)
    for more in ({"survivors": 0}, {"survivors": False, "more": 1}, {}):
        assert read_status(json.dumps({"ended": 0, **more}).encode()) is None
    assert read_status(b'{"ended": 0, "survivors": false}\n' * 2) is None


@pytest.mark.parametrize(
    "raised",
    [
        *(None, 3, {}, {"bases": 3}, {"bases": [], "frames": 4}, {**WRONG, "type": 3}, {**WRONG, "text": None}),
        *({**WRONG, "bases": ["E", 1]}, {**WRONG, "frames": [3]}, {**WRONG, "frames": [["f", 1]]}),
        *({**WRONG, "frames": [[1.5, "f"]]}, {**WRONG, "frames": [[1, "f", 2]]}, {"type": "E", "bases": ["E"]}),
    ],
)
def test_a_forged_exception_is_not_let_in(raised: Any) -> None:
    """Neither from an import nor from a call."""
    loaded = read_import(json.dumps({"raised": raised}).encode() + b"\n\n")
    assert loaded == Answer(Ending.GARBLED)
    assert sentence_for_import(loaded).startswith("lab.py cannot be imported. Something was written where only the")
    assert (
        read_outcomes(Request("x/y", "solver", "solve", ({},), 2), reply({"raised": raised})).ending is Ending.GARBLED
    )


@pytest.mark.parametrize("more", [{}, {"threads": 0, "survey": {}}, {"threads": True}])
def test_a_forged_import_is_a_failed_import(more: dict[str, Any]) -> None:
    assert read_import(json.dumps({"raised": None, **more}).encode() + b"\n\n") == Answer(Ending.GARBLED)


def test_what_is_told_of_an_import_is_read_once() -> None:
    told = {"raised": None, "threads": True, "survey": {"NAME": "Ada", "SUGGESTIONS": 3}}
    loaded = read_import(json.dumps(told).encode() + b"\n\n")
    assert loaded.imported == Import(threads=True, survey={"NAME": "Ada", "SUGGESTIONS": "3"})
    loaded = read_import(json.dumps({"raised": WRONG}).encode() + b"\n\n")
    assert not loaded.imported
    assert loaded.raised == Raised("E", ("E",), "no", ((3, "f"),))


def test_nothing_counts_after_a_call_that_raised() -> None:
    lines = b"\n".join(reply(outcome).rstrip() for outcome in ({"value": 1}, {"raised": WRONG}, {"value": 1}))
    answer = read_outcomes(Request("x/y", "solver", "solve", ({},) * 3, 2), lines + b"\n\n")
    assert (len(answer.outcomes), answer.raised and inside(answer.raised.frames)) == (2, "f")


RIGHT_REPLIES: dict[str, tuple[Case, dict[str, Any]]] = {
    "minimax": (case_of("minimax_search", MINIMAX), result()),
    "alpha-beta": (case_of("minimax_search_alphabeta", ALPHABETA), result(evaluations=3)),
    "deepening": (
        case_of("progressive_deepening", {"history": [MINIMAX]}),
        {"history": [result()["result"]], "record": SEEN},
    ),
    "solve": (case_of("solve", {"values": {"a": "WIN"}}, game={}), {"value": {"$dict": [["a", {"$value": "WIN"}]]}}),
    "zero-by": (case_of("ZeroBy", ZERO_BY, n=2, removals=[1, 2]), WHOLE),
    "moves": (
        case_of("next_boards_connectfour", {"columns": [0]}, board=["......."] * 6, players=["A", "B"]),
        {"value": [{"$board": [*["......."] * 5, "1......"]}]},
    ),
    "over": (
        case_of("is_game_over_connectfour", {"value": False}, board=["1......"], players=["A", "B"]),
        {"value": False},
    ),
    "score": (
        case_of("endgame_score_connectfour", {"score": 7}, board=["1......"], players=["A", "B"], maximizer=True),
        {"value": 7},
    ),
    "bounds": (
        case_of("heuristic_connectfour", {"between": [6, 8]}, board=["1......"], players=["A", "B"], maximizer=True),
        {"value": 7},
    ),
    "player": (
        case_of("MinimaxPlayer", {"move": 1, "estimate": {"guess": 3}, "estimates": 9}, **NIM, call="search"),
        {"value": [1, GUESS], "estimates": 9},
    ),
    "refusal": (case_of("MinimaxPlayer", {"refused": True}, **{**NIM, "made_for": 0}, call="new"), {"refused": True}),
    "question": (
        case_of("ANSWER_1", {"salt": "s", "digest": hash_answer("s", "4"), "explanation": "V2h5"}, nothing=0),
        {"value": "4"},
    ),
}


def tampered(reply: Any, odd: Any) -> Iterator[Any]:
    """The reply with something odd in each of its places in turn."""
    if isinstance(reply, (dict, list)):
        for key in list(reply) if isinstance(reply, dict) else range(len(reply)):
            for inner in (odd, *tampered(reply[key], odd)):
                changed = copy.copy(reply)
                changed[key] = inner
                yield changed


@pytest.mark.parametrize("of", RIGHT_REPLIES)
def test_no_reply_confuses_the_judge(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A right reply in which one thing is odd is let in and read by its own kind, which refuses it as
    none of the child's, or judges it: and then it is wrong, but for what is shown and not judged."""
    case, right = RIGHT_REPLIES[of]
    kind = kind_of(case.graded)
    read, judged = Mock(wraps=kind.read), Mock(wraps=kind.judge)
    monkeypatch.setattr(kind, "read", read)
    monkeypatch.setattr(kind, "judge", judged)
    assert judge(case, Answer(Ending.ANSWERED, [right])).status is Status.PASS
    replies = [changed for odd in ODD_THINGS for changed in tampered(right, odd)]
    for number, changed in enumerate(replies, start=2):
        answer = read_outcomes(Request("x/y", case.graded.kind, case.function, ({},), 2), reply(changed))
        assert (answer.ending, answer.outcomes) == (Ending.ANSWERED, [changed])
        verdict = judge(case, answer)
        read.assert_called_with(changed)
        assert read.call_count == number
        assert verdict.status not in (Status.UNGRADED, Status.TIME_OUT, Status.WAITS)
        assert verdict.status is not Status.PASS or what_counts(changed) == what_counts(right), changed
        json.dumps([verdict.message, verdict.rows, verdict.picture], ensure_ascii=False).encode()
    assert judged.call_count > 1


def what_counts(reply: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in reply.items() if key not in ("record", "estimates")}


@pytest.mark.parametrize(
    ("function", "inputs", "has_hint"),
    [
        ("minimax_search", {"state": TREE, "arguments": {}}, False),
        ("solve", {"game": {"tic_tac_toe": True}}, False),
        ("solve", {"game": {"chain": 100_000}}, True),
        ("MinimaxPlayer", {**NIM, "call": "search"}, False),
    ],
)
def test_a_list_of_ones_own_is_for_what_is_deep(function: str, inputs: dict[str, Any], has_hint: bool) -> None:
    raised = {"type": "RecursionError", "bases": ["RecursionError"], "text": "", "frames": [[7, function]]}
    message = judge(case_of(function, {}, **inputs), answered([{"raised": raised}])).message
    assert message.startswith("Endless recursion")
    assert f"(lab.py:7, in {function})" in message
    assert ("a list of your own" in message) is has_hint


@pytest.mark.parametrize(
    ("value", "share"), [("4", 1), (4, 1), (" 4 ", 1), ("3", 0), (None, 0), ("", 0), (True, 0), ([4], 0), (4.0, 0)]
)
def test_credit_of_an_answer(value: Any, share: int) -> None:
    expect = {"salt": "s", "digest": hash_answer("s", "4"), "explanation": "V2h5"}
    verdict = judge(case_of("ANSWER_1", expect, nothing=0), Answer(Ending.ANSWERED, [{"value": value}]))
    assert verdict.credit == share
    assert (verdict.message == "Why") == bool(share)


def test_what_is_missing_is_named(bank: Bank) -> None:
    """Also where that is not the function whose points are at stake."""
    cases = {case.id: case for case in bank.cases}
    for id, name in (
        ("solve/remoteness", "remoteness"),
        ("solve/tic-tac-toe", "solve"),
        ("player/nim-four", "MinimaxPlayer"),
    ):
        gone = Answer(Ending.ANSWERED, [{"missing": name}], missing=True)
        assert judge(cases[id], gone).message == f"lab.py has no {name} any more."


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("class Searches:\n    def dfs_maximizing(self, state):\n        return state", 2),
        ("def other(state):\n    state = 3\n\n    @print\n    def dfs_maximizing(state):\n        return state", 4),
        ("if __name__ == '__main__':\n\tdef dfs_maximizing(state): pass", 2),
        ("dfs_maximizing = None\ndef DFS_maximizing(state): pass", 0),
        ("def dfs_maximizing(state): pass\ndel dfs_maximizing", 0),
    ],
)
def test_what_is_indented_too_far_is_named_by_its_line(written: str, line: int, bank: Bank, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(written, encoding="utf-8")
    with Session(lab, bank) as session:
        verdict = session.verdict(bank.of("dfs_maximizing")[0])
    indented = f" Line {line} begins one, but is indented: it belongs to what stands above it." if line else ""
    assert (verdict.status, verdict.message) == (
        Status.NOT_STARTED,
        f"lab.py has no dfs_maximizing any more.{indented}",
    )


WRONG_REMOTENESS = {
    "loses as soon as possible": ("choose = max if worth is Value.LOSE else min", "choose = min"),
    "wins as late as possible": ("choose = max if worth is Value.LOSE else min", "choose = max"),
    "ties as late as possible": ("if worth is Value.LOSE else", "if worth is not Value.WIN else"),
    "looks at every move": ("if values[next_one] is wanted]", "]"),
    "counts positions, not moves": ("default=-1", "default=0"),
    "takes a tie for a win": ("Value.TIE: Value.TIE", "Value.TIE: Value.LOSE"),
}


@pytest.mark.parametrize("mistake", WRONG_REMOTENESS)
def test_remoteness_is_asked_of_a_game_that_tells_mistakes_apart(
    mistake: str, model: str, bank: Bank, tmp_path: Path
) -> None:
    case = next(case for case in bank.cases if case.id == "solve/remoteness")
    old, new = WRONG_REMOTENESS[mistake]
    assert model.count(old) == 1
    lab = tmp_path / "lab.py"
    lab.write_text(model.replace(old, new), encoding="utf-8")
    with Session(lab, bank) as session:
        verdict = session.verdict(case)
        assert (verdict.status, verdict.message[:17]) == (Status.FAIL, "The remoteness of")


@pytest.mark.parametrize(
    ("position", "value", "said"),
    [
        ("or_lose", "WIN", "The value of `or_lose` is wrong. It leads, in your table, to `tied` (TIE), `gift` (WIN), "),
        ("gift", "LOSE", "The value of `gift` is wrong. The game is over there, and terminal_value says for whom."),
        ("tied", None, "`tied` is missing from the table. A move leads there from `or_lose`."),
        ("top", None, "`top` is missing from the table. It is the start."),
    ],
)
def test_a_wrong_value_is_told_with_what_the_table_has_below_it(
    position: str, value: str | None, said: str, bank: Bank
) -> None:
    case = next(case for case in bank.of("solve") if case.id == "solve/ties")
    values = {**case.calls[0].expect["values"], position: value}
    table = Table({name: {"$value": value} for name, value in values.items() if value})
    assert kind_of(case.graded).judge(case.graded, case.calls[0], table).message.startswith(said)


def test_of_all_that_is_missing_a_position_is_told_to_which_one_in_the_table_leads(bank: Bank) -> None:
    case = next(case for case in bank.of("solve") if case.id == "solve/one-good-move")
    table = Table({"first": {"$value": "LOSE"}, "top": {"$value": "WIN"}})
    message = kind_of(case.graded).judge(case.graded, case.calls[0], table).message
    assert message == "`third` is missing from the table. A move leads there from `top`."


def test_a_wrong_value_alone_in_its_table_has_nothing_below_it(bank: Bank) -> None:
    """As in a case of one's own that leaves positions out."""
    case = next(case for case in bank.of("solve") if case.id == "solve/ties")
    call, table = replace(case.calls[0], expect={"values": {"top": "TIE"}}), Table({"top": {"$value": "LOSE"}})
    finding = kind_of(case.graded).judge(case.graded, call, table)
    assert finding.message == "The value of `top` is wrong. Your table has no position that it leads to."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return self.n\n", "pass\n", "start gives None."),
        ("return position - move\n", "return float(position - move)\n", "do_move gives a float."),
    ],
)
def test_what_is_no_number_of_items_is_told_with_its_method(
    old: str, new: str, said: str, model: str, bank: Bank, tmp_path: Path
) -> None:
    assert model.count(old) == 1
    (tmp_path / "lab.py").write_text(model.replace(old, new), encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        assert session.verdict(bank.of("ZeroBy")[0]).message.endswith(f"a whole number; {said}")


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([0, 1, -1], "a move leads to -1, and none should."),
        ([1], "no move leads to 0, and one should."),
        ([1, [0]], "no move leads to 0, and one should."),
        (None, "no move leads to 0, and one should."),
    ],
)
def test_wrong_moves_are_told_by_where_they_lead(moves: Any, said: str) -> None:
    case = case_of("ZeroBy", ZERO_BY, n=2, removals=[1, 2])
    change = {"leads_to": {"$dict": [[2, moves], [1, [0]]]}}
    message = judge(case, Answer(Ending.ANSWERED, [{**WHOLE, **change}])).message
    assert message == f"With 2 items left {said}"
