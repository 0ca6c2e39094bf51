"""The kinds of functions but for searches and players: what an answer earns, what is said of it, and forged replies."""

import copy
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank, Call, Case, read_points
from grader.grading.judge import judge
from grader.grading.session import Session
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.kinds.question.kind import hash_answer
from grader.protocol.answer import Answer, Ending
from grader.protocol.digests import as_output
from grader.protocol.replies import answered

GRADED = {name: function for part in read_points() for name, function in part.graded.items()}
BOARD = {"board": ["11.22.."], "players": ["A", "B"]}
OTHER = {"$board": ["......."] * 6}
COLUMN_0 = {"$board": [*["......."] * 4, "1......", "11.22.."]}
COLUMN_2 = {"$board": [*["......."] * 5, "11122.."]}
DIAMOND = {"graph": "top -> left right\nleft -> end\nright -> end\nend = LOSE"}
VALUES = {"values": {"top": "LOSE", "left": "WIN", "right": "WIN", "end": "LOSE"}}
TOTALS = {"totals": {"WIN": 2, "TIE": 0, "LOSE": 1}, "digest": "abc"}
ZERO_BY = {"start": 2, "leads_to": {"2": [0, 1], "1": [0]}, "ends": {"0": "LOSE"}}
QUESTION = {"salt": "s", "digest": hash_answer("s", "4"), "explanation": "V2h5"}


def case_of(function: str, expect: dict[str, Any], **inputs: Any) -> Case:
    return Case("x/y", 2, GRADED[function], "says", (Call("", inputs, expect),))


def verdict_on(case: Case, outcome: dict[str, Any]) -> Verdict:
    return judge(case, Answer(Ending.ANSWERED, [outcome]))


def table(**names: Any) -> dict[str, Any]:
    return {"value": {"$dict": [[position, {"$value": name}] for position, name in names.items()]}}


def graph(start: Any = 2, leads_to: Any = None, ends: Any = None) -> dict[str, Any]:
    leads_to = {2: [0, 1], 1: [0]} if leads_to is None else leads_to
    ends = {0: {"$value": "LOSE"}} if ends is None else ends
    tables = {"leads_to": {"$dict": [*map(list, leads_to.items())]}, "ends": {"$dict": [*map(list, ends.items())]}}
    return {"start": start, **tables}


def printed(text: str, status: int = 0, complaint: str = "") -> dict[str, Any]:
    return {**as_output(text), "status": status, "complaint": complaint}


OVER = case_of("is_game_over_connectfour", {"value": True}, **BOARD)
MOVES = case_of("next_boards_connectfour", {"columns": [0, 2]}, **BOARD)
SCORE = case_of("endgame_score_connectfour", {"score": 1}, **BOARD, maximizer=True)
TIE = case_of("endgame_score_connectfour", {"score": 0}, **BOARD, maximizer=True)
AT_LEAST = case_of("endgame_score_connectfour_faster", {"at_least": 1000}, **BOARD, maximizer=True)
BETWEEN = case_of("heuristic_connectfour", {"between": [-3, 5]}, **BOARD, maximizer=True)
POSITIVE = case_of("heuristic_connectfour", {"between": [0, 1000]}, **BOARD, maximizer=True)
SOLVE = case_of("solve", VALUES, game=DIAMOND)
LARGE = case_of("solve", TOTALS, game={"staircase": 2})
GAME = case_of("ZeroBy", ZERO_BY, n=2, removals=[1, 2])
RUN = case_of("make_run", {"stdout": "2: WIN\n0: LOSE\n"}, command="zero_by 2 2")
LONG_RUN = case_of("make_run", {key: as_output("0: LOSE\n")[key] for key in ("lines", "digest")}, command="zero_by 1 1")
ANSWER = case_of("ANSWER_1", QUESTION, nothing=0)

# The case, what the worker sends, whether it passes, and what is said: the message, or yours in the first row.
SENT: list[tuple[Case, dict[str, Any], bool, str]] = [
    (OVER, {"value": True}, True, ""),
    (OVER, {"value": False}, False, "The game is over here."),
    (OVER, {"value": 1}, False, "It returned 1; it should return True or False."),
    (OVER, {"value": "True"}, False, "it should return True or False."),
    (OVER, {"value": None}, False, "It returned nothing (None)"),
    (MOVES, {"value": [COLUMN_0, COLUMN_2]}, True, ""),
    (MOVES, {"value": [COLUMN_2, COLUMN_0]}, False, "in the order of the columns"),
    (MOVES, {"value": [COLUMN_0]}, False, "There should be 2 boards, one for each column that is not full."),
    (MOVES, {"value": [COLUMN_0, COLUMN_0]}, False, "0, 0"),
    (MOVES, {"value": [COLUMN_0, OTHER]}, False, "0, ?"),
    (MOVES, {"value": []}, False, "none"),
    (MOVES, {"value": [OTHER, "a"]}, False, "The list holds 'a', which is not a board."),
    (MOVES, {"value": None}, False, "it should return a list of boards."),
    (SCORE, {"value": 1.0}, True, ""),
    (SCORE, {"value": True}, False, "it should return a plain number."),
    (SCORE, {"value": float("nan")}, False, "it should return a plain number."),
    (SCORE, {"value": -1}, False, "The sign is wrong: who made the last move, and is that the maximizer?"),
    (SCORE, {"value": 2}, False, "The score is wrong."),
    (TIE, {"value": -1000}, False, "The score is wrong."),
    (AT_LEAST, {"value": 1000}, True, ""),
    (AT_LEAST, {"value": 999}, False, "The score should be 1000 or more."),
    (AT_LEAST, {"value": -1000.5}, False, "with the other sign it would be."),
    (BETWEEN, {"value": 4.5}, True, ""),
    (BETWEEN, {"value": -2}, True, ""),
    (BETWEEN, {"value": 5}, False, "The score should be strictly between -3 and 5."),
    (BETWEEN, {"value": -3}, False, "with the other sign it would be."),
    (POSITIVE, {"value": 0}, False, "The score should be strictly between 0 and 1000."),
    (SOLVE, table(top="LOSE", left="WIN", right="WIN", end="LOSE"), True, ""),
    (SOLVE, table(end="LOSE", top="LOSE", right="WIN", left="WIN"), True, ""),
    (SOLVE, table(top="WIN", left="LOSE", right="WIN", end="LOSE"), False, "The value of `left` is wrong."),
    (SOLVE, table(top="WIN", left="WIN", right="WIN", end="LOSE"), False, "The value of `top` is wrong."),
    (SOLVE, table(top="LOSE", left="WIN", end="LOSE"), False, "The value of `right` is missing."),
    (SOLVE, table(top="LOSE", left="WIN", right="WIN", end="LOSE", far="TIE"), False, "cannot be reached"),
    (SOLVE, {"value": {"$dict": [["top", -1]]}}, False, "The value of `top` is no Value: WIN, TIE or LOSE."),
    (SOLVE, {"value": {"$dict": []}}, False, "The value of `end` is missing."),
    (SOLVE, {"value": None}, False, "it should return a dict."),
    (SOLVE, TOTALS, False, "The table has 3 positions; the game has 4, so some are missing."),
    (LARGE, TOTALS, True, ""),
    (LARGE, {**TOTALS, "digest": "abd"}, False, "not every position of the game has its right value."),
    (LARGE, {"totals": {"WIN": 1, "TIE": 1, "LOSE": 1}, "digest": "abc"}, False, "positions with WIN is wrong."),
    (LARGE, {"totals": {"WIN": 3, "TIE": 0, "LOSE": 1}, "digest": "abc"}, False, "some cannot be reached"),
    (LARGE, {"totals": {"WIN": 2, "LOSE": 1}, "digest": "abc"}, False, "Something was written where only the grader"),
    (LARGE, table(odd="WIN"), False, "The table should hold the 3 positions of the game, and nothing else."),
    (LARGE, {"value": {"$dict": [["a", 3]]}}, False, "The value of `a` is no Value"),
    (GAME, graph(), True, ""),
    (GAME, graph(start=3), False, "The game begins with another number of items."),
    (GAME, graph(leads_to={2: [0, 1, -1], 1: [0]}), False, "[0, 1, -1]"),
    (GAME, graph(leads_to={2: [1], 1: [0]}), False, "The moves do not lead where they should with 2 items left."),
    (GAME, graph(leads_to={2: None, 1: [0]}), False, "None"),
    (GAME, graph(leads_to={2: [0, 1]}, ends={0: {"$value": "LOSE"}, 1: None}), False, "go on with 1 item left."),
    (GAME, graph(leads_to={2: [0, 1], 1: [0], 0: [0]}, ends={}), False, "The game should be over with 0 items left."),
    (GAME, graph(ends={0: {"$value": "WIN"}}), False, "terminal_value is wrong with 0 items left."),
    (GAME, graph(ends={0: {"$value": "LOSE"}, -1: {"$value": "LOSE"}}), False, "reaches a position that it never"),
    (GAME, graph(leads_to={}, ends={}), False, "nothing"),
    (GAME, {"problem": ["start", "a float"]}, False, "a whole number; start gives a float."),
    (GAME, {"problem": ["begun again", 1]}, False, "Once moves were made, start() gives 1;"),
    (GAME, {"problem": ["asked again", 2]}, False, "Asked a second time, the moves at 2 lead elsewhere;"),
    (GAME, {"problem": ["other", 2]}, False, "Something was written where only the grader writes"),
    (RUN, printed("2: WIN\n0: LOSE\n"), True, ""),
    (RUN, printed("2: WIN\n0: LOSE"), False, "The last line of the output does not end."),
    (RUN, printed("2: WIN\n1: LOSE\n0: LOSE\n"), False, "Line 2 of the output is wrong."),
    (RUN, printed("2: WIN\n"), False, "nothing"),
    (RUN, printed("2: WIN\n0: LOSE\n\n"), False, "Line 3 of the output is wrong."),
    (RUN, printed("2: WIN\n0: LOSE\n", 1, "ValueError: no"), False, "The command failed: ValueError: no"),
    (LONG_RUN, printed("0: LOSE\n"), True, ""),
    (LONG_RUN, printed("0: WIN\n"), False, "The output is wrong."),
    (ANSWER, {"value": "4"}, True, "Why"),
    (ANSWER, {"value": 4}, True, "Why"),
    (ANSWER, {"value": " 4 "}, True, "Why"),
    (ANSWER, {"value": "3"}, False, "3 is not the answer."),
    (ANSWER, {"value": ""}, False, "There is no answer yet."),
    (ANSWER, {"value": None}, False, "There is no answer yet."),
    (ANSWER, {"value": True}, False, "The answer is True; it should be one of"),
    (ANSWER, {"value": 4.0}, False, "The answer is 4.0; it should be one of"),
    (ANSWER, {"value": [4]}, False, "The answer is [4]; it should be one of"),
]


@pytest.mark.parametrize(("case", "outcome", "passes", "said"), SENT)
def test_what_an_answer_earns_and_what_is_said(case: Case, outcome: dict[str, Any], passes: bool, said: str) -> None:
    verdict = verdict_on(case, outcome)
    assert verdict.passed == passes and verdict.credit == (1 if passes else 0)
    assert said in " ".join([verdict.message, *(row[2] for row in verdict.rows[:1])])
    assert bool(verdict.message) == (not passes or case is ANSWER)


def test_no_answer_is_not_started() -> None:
    assert verdict_on(ANSWER, {"value": ""}).status is Status.NOT_STARTED


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((3, 2, 1), ""),
        ((3, 3, 1), "`better` should score higher than `worse`; both score the same."),
        ((2, 3, 1), "`better` should score higher than `worse`."),
        ((3, 1, 2), "`worse` should score higher than `worst`."),
    ],
)
def test_scores_come_in_an_order(scores: tuple[int, ...], said: str) -> None:
    names = ("better", "worse", "worst")
    calls = tuple(Call(name, BOARD, {"between": [0, 9]}) for name in names)
    case = Case("x/y", 1, GRADED["heuristic_connectfour"], "says", calls, order=names)
    verdict = judge(case, Answer(Ending.ANSWERED, [{"value": score} for score in scores]))
    assert verdict.message == said
    assert verdict.beside is None or [row[0] for row in verdict.rows] == [names[verdict.beside], names[verdict.call]]


@pytest.mark.parametrize(
    ("one", "other", "passes"), [(3, -3, True), (1e9 + 0.1, -1e9, True), (3, -2, False), (3, 3, False)]
)
def test_opposite_scores_are_each_others_negative(one: float, other: float, passes: bool) -> None:
    calls = tuple(Call(name, BOARD, {"between": [-1e12, 1e12]}) for name in ("one", "other"))
    case = Case("x/y", 1, GRADED["heuristic_connectfour"], "says", calls, opposite=("one", "other"))
    assert judge(case, Answer(Ending.ANSWERED, [{"value": one}, {"value": other}])).passed == passes


ODD_THINGS: list[Any] = [
    *(None, True, -1, 10**300, 0.5, float("inf"), "", "odd", [], [[]], [3], ["a", "b"], {}),
    *({"$other": []}, {"$dict": 3}, {"$dict": [3]}, {"$dict": [[[], 3]]}, {"$value": {}}, {"$board": 3}),
    *({"$estimate": []}, {"$estimate": {"guess": {}}}, {"$estimate": {"guess": float("inf")}}),
    *({"indices": 7}, {"indices": [[]]}, {"problem": []}, {"problem": "type", "type": {}}, {"evaluated": -1}),
]


def tampered(reply: Any, odd: Any) -> Iterator[Any]:
    """The reply with something odd in each of its places in turn."""
    if isinstance(reply, dict | list):
        for key in list(reply) if isinstance(reply, dict) else range(len(reply)):
            for inner in (odd, *tampered(reply[key], odd)):
                changed = copy.copy(reply)
                changed[key] = inner
                yield changed


TREE = {"state": {"tree": "root\n  A\n    3\n    12\n  B\n    2\n    8\n", "negates": False}, "arguments": {}}
NIM = {"game": "nim", "position": 6, "player": "MAXIE", "depth": 2, "made_for": 2, "estimator": None}
FOUND = {"path": [0, 0], "score": 3, "evaluations": 4}
GUESSED = {"move": 1, "estimate": {"guess": 3}, "estimates": 9}
RESULT = {"path": {"indices": [0, 0]}, "score": 3, "evaluations": 4}
RECORD = {"watched": True, "evaluated": 4, "repeated": 0, "unattributed": 0, "alike": 0, "order": []}
RIGHT = [(case, outcome) for case, outcome, passes, _ in SENT if passes]
RIGHT += [
    (case_of("minimax_search", FOUND, **TREE), {"result": RESULT, "record": RECORD}),
    (case_of("minimax_search_alphabeta", {**FOUND, "unpruned": 4}, **TREE), {"result": RESULT, "record": RECORD}),
    (case_of("progressive_deepening", {"history": [FOUND]}, **TREE), {"history": [RESULT], "record": RECORD}),
    (
        case_of("MinimaxPlayer", GUESSED, **NIM, call="search"),
        {"value": [1, {"$estimate": {"guess": 3}}], "estimates": 9},
    ),
    (case_of("MinimaxPlayer", {"refused": True}, **{**NIM, "made_for": 0}, call="new"), {"refused": True}),
]


@pytest.mark.parametrize(("case", "right"), RIGHT)
def test_no_forged_reply_confuses_the_judge(case: Case, right: dict[str, Any]) -> None:
    """What the worker would not send is refused, or judged as wrong."""
    for changed in itertools.chain.from_iterable(tampered(right, odd) for odd in ODD_THINGS):
        verdict = verdict_on(case, changed)
        assert verdict.status not in (Status.UNGRADED, Status.TIME_OUT, Status.WAITS)
        may_differ = case in (AT_LEAST, BETWEEN) or what_counts(case, changed) == what_counts(case, right)
        assert not verdict.passed or may_differ, changed


def what_counts(case: Case, reply: dict[str, Any]) -> dict[str, Any]:
    """What decides of a reply."""
    decides = {"make_run": ("text", "status") if case is RUN else ("lines", "digest", "status")}.get(case.function)
    return {key: fact for key, fact in reply.items() if key in (decides or {*reply} - {"record", "estimates"})}


def test_every_kind_tells_wrong_answers_apart_and_right_ones_not() -> None:
    """By fingerprints, which misconceptions are known by."""
    kind = kind_of(SOLVE.graded)
    one, same, other = (
        kind.fingerprint(SOLVE.graded, SOLVE.calls[0], kind.read(table(**names)))
        for names in ({"top": "WIN", "end": "LOSE"}, {"end": "LOSE", "top": "WIN"}, {"top": "TIE", "end": "LOSE"})
    )
    assert one == same != other
    kind = kind_of(BETWEEN.graded)
    sides = [kind.fingerprint(BETWEEN.graded, BETWEEN.calls[0], score) for score in (5, 4.9, -4, 7)]
    assert sides == ["out of range", "too high, 1", "too low, -1", "out of range"]


def test_what_is_missing_is_named() -> None:
    sentence = "lab.py has no solve any more."
    raised = {"type": "NotWritten", "bases": ["NotWritten", "NotImplementedError"], "text": sentence, "frames": []}
    verdict = judge(SOLVE, answered([{"raised": raised}], 1))
    assert (verdict.status, verdict.message) == (Status.NOT_STARTED, sentence)


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("class Searches:\n    def dfs_maximizing(self, state):\n        return state", 2),
        ("def other(state):\n    state = 3\n\n    @print\n    def dfs_maximizing(state):\n        return state", 5),
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


def verdict_in(text: str, case_id: str, bank: Bank, folder: Path) -> Verdict:
    """The verdict of a session on a case of a lab.py with this text."""
    (folder / "lab.py").write_text(text, encoding="utf-8")
    with Session(folder / "lab.py", bank) as session:
        return session.verdict(next(case for case in bank.cases if case.id == case_id))


SOLVED = "\n\n_right = solve\ndef solve(game):\n    found = _right(game)\n    if {}: {}\n    return found\n"
OF_SMALL, OF_LARGE = "'top' in found", "len(found) > 200"

TABLES = [
    (OF_SMALL, "found['top'] = 'WIN'", "The value of `top` is no Value: WIN, TIE or LOSE."),
    (OF_SMALL, "found |= {n: Value.WIN for n in range(200)}", "The table has 207 positions; the game has 7"),
    (OF_SMALL, "found = {7: Value.WIN}", "No key of the table is a position that can be reached."),
    (OF_SMALL, "found = {str((one,)): found[one] for one in found}", "No key of the table is a position"),
    (OF_LARGE, "found.pop(120, 0)", "The table has 240 positions; the game has 241, so some are missing."),
    (OF_LARGE, "found[999] = Value.WIN", "The table has 242 positions; the game has 241, so some cannot be reached"),
    (OF_LARGE, "found[999] = found.pop(120)", "The totals are right, but not every position of the game has its right"),
    (OF_LARGE, "found[999] = 'WIN'", "The value of `999` is no Value: WIN, TIE or LOSE."),
    (OF_LARGE, "found[1.5] = Value.WIN", "The table should hold the 241 positions of the game, and nothing else."),
    (OF_LARGE, "found = {1: Value.WIN, 0: Value.LOSE}", "The table should hold the 241 positions of the game"),
]


@pytest.mark.parametrize(("size", "change", "said"), TABLES)
def test_a_wrong_table(size: str, change: str, said: str, model: str, bank: Bank, tmp_path: Path) -> None:
    case = "solve/one-good-move" if size == OF_SMALL else "solve/several-ways"
    assert verdict_in(model + SOLVED.format(size, change), case, bank, tmp_path).message.startswith(said)


LEADS = "return {min(removal, position) for removal in self.removals}"
GAMES = [
    (LEADS, LEADS.replace("return", "_ ="), "TypeError: 'NoneType' object is not iterable"),
    (LEADS, "return max(self.removals)", "TypeError: 'int' object is not iterable"),
    (LEADS, "return self.removals", "The moves do not lead where they should with 1 item left."),
    ("if position == 0 else None", "if position < 2 else None", "The game should go on with 1 item left."),
    ("return self.n\n", "pass\n", "A position should be the number of items left, a whole number; start gives None."),
    ("return position - move\n", "return float(position - move)\n", "A position should be the number of items left"),
]


@pytest.mark.parametrize(("old", "new", "said"), GAMES)
def test_a_wrong_game(old: str, new: str, said: str, model: str, bank: Bank, tmp_path: Path) -> None:
    assert model.count(old) == 1
    verdict = verdict_in(model.replace(old, new), "zeroby/ten-by-one-or-two", bank, tmp_path)
    assert verdict.message.startswith(said)
