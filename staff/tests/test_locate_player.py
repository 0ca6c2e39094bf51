"""Where a player went wrong: each sentence is a fact about a call of its methods, and a right player gets none."""

from pathlib import Path

import pytest

from boards.cases import Bank, Case
from grader.calls.requests import Requests
from grader.grading.session import Session
from grader.kinds.kind import kind_of
from grader.kinds.player.judge import Said, read_answer
from grader.kinds.search.nodes import stored_walk
from grader.protocol.plain import Garbled, pack
from staff.tests.conftest import KIT
from staff.tests.support.tracing import run
from staff.tests.test_labs import RIGHT_LABS
from staff.wrong_labs import build, load_wrong_labs

WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs() if wrong_lab.function == "MinimaxPlayer"}

# Of each wrong_lab a case, and what is said of it.
FACTS = {
    "ignores-the-depth": (
        "earlier-of-equals",
        "After the move A, 2 moves are left to look ahead and the game is in play, but evaluate(2, state) took an "
        "estimate, and returned Guess(1).",
    ),
    "one-ply-too-deep": (
        "earlier-of-equals",
        "After the moves A and A1, evaluate(0, state) asked search(0, state): no move is left to look ahead, so a "
        "state in play is estimated.",
    ),
    "no-deeper-than-it-was-made-for": (
        "a-depth-of-its-own",
        "In the given state, search(3, state) asked evaluate(0, state) about the state after the move A: from there, "
        "2 moves are left to look ahead.",
    ),
    "minimizes-for-both": (
        "earlier-of-equals",
        "In the given state, Maxie to move, the moves were found to be worth A: Guess(-1), B: Guess(-2), C: "
        "Definitely(Winner(MAXIE)). For Maxie the highest is best: C. search(2, state) returned ('B', Guess(-2)).",
    ),
    "smaller-of-equals": (
        "earlier-of-equals",
        "In the given state, Maxie to move, the moves were found to be worth M: Guess(2), C: Guess(2), Z: Guess(2), "
        "A: Guess(2). For Maxie the highest is best, and of equals the first: M. search(1, state) returned ('A', "
        "Guess(2)).",
    ),
    "estimates-what-is-over": (
        "earlier-of-equals",
        "After the moves A, A1 and A11, the game is over: Maxie wins. evaluate(0, state) returned Guess(0), after it "
        "took an estimate.",
    ),
    "forgets-its-own-estimator": (
        "an-estimator-of-its-own",
        "After the move 1, evaluate(0, state) took an estimate, that of the game: Definitely(Winner(MINNIE)); this "
        "player's own estimator, fewer_for_maxie, says Guess(-7.0).",
    ),
    "looks-one-move-ahead-only-to-move": (
        "nim-four",
        "In the given state, next_move asked search(1, state); this player was made for depth 4.",
    ),
    "sticks-to-its-first-move": (
        "asked-again",
        "In the given state, search(4, state) returned (2, Definitely(Winner(MAXIE))), and next_move(state) "
        "returned 3.",
    ),
    "table-without-the-depth": (
        "a-state-at-two-depths",
        "After the move 3, evaluate(2, state) called no other method, took no estimate, and returned Guess(0).",
    ),
    "keeps-its-window": (
        "asked-again",
        "In the given state, search(4, state) asked about 1 of the 3 moves, and not about 2, 3; it returned (1, "
        "Guess(0)).",
    ),
}


def player_case(bank: Bank, name: str) -> Case:
    return next(case for case in bank.cases if case.id == f"player/{name}")


@pytest.mark.parametrize(("wrong_lab", "case", "fact"), [(name, *facts) for name, facts in FACTS.items()], ids=FACTS)
def test_the_first_call_that_is_wrong_is_told(
    wrong_lab: str, case: str, fact: str, model: str, tmp_path: Path, bank: Bank
) -> None:
    (tmp_path / "lab.py").write_text(build(WRONG_LABS[f"player-{wrong_lab}"], model), encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        diagnosis = session.sheet_of([player_case(bank, case)]).diagnoses["MinimaxPlayer"]
    assert diagnosis.sentence == fact
    assert fact.startswith(diagnosis.place.partition(", in ")[0])
    assert diagnosis.place.endswith("state).")


def test_a_player_that_looks_less_far_first_may_do_so(model: str, tmp_path: Path, bank: Bank) -> None:
    deepening = "move, _ = [self.search(depth, state) for depth in range(1, self.depth + 1)][0]"
    text = model.replace("move, _ = self.search(self.depth, state)", deepening)
    (tmp_path / "lab.py").write_text(text, encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        diagnosis = session.sheet_of([player_case(bank, "nim-four")]).diagnoses["MinimaxPlayer"]
    assert diagnosis.sentence == (
        "In the given state, search(4, state) returned ('take_3', Definitely(Winner(MAXIE))), and next_move(state) "
        "returned 'take_1'."
    )


def test_a_move_that_is_searched_from_another_state_is_told(model: str, tmp_path: Path, bank: Bank) -> None:
    text = model.replace("self.search(self.depth, state)", "self.search(self.depth, self.game.start())")
    (tmp_path / "lab.py").write_text(text, encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        diagnosis = session.sheet_of([player_case(bank, "nim-perfect-estimate")]).diagnoses["MinimaxPlayer"]
    said = "In the given state, next_move asked search(1, state) about another state than the given one."
    assert diagnosis.sentence == said


def test_the_place_is_marked_in_a_tree(model: str, tmp_path: Path, bank: Bank) -> None:
    (tmp_path / "lab.py").write_text(build(WRONG_LABS["player-one-ply-too-deep"], model), encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        diagnosis = session.sheet_of([player_case(bank, "earlier-of-equals")]).diagnoses["MinimaxPlayer"]
    (marked,) = (line for line in diagnosis.picture.splitlines() if line.endswith("<- here"))
    assert marked.split() == ["|", "`-", "MAX", "A1", "~", "-1", "<-", "here"]


def test_a_state_that_was_made_elsewhere_is_no_move_left_out(model: str, tmp_path: Path, bank: Bank) -> None:
    """Equal states are one object here, so that a move may seem to lead to another place."""
    text = (
        model.replace("choose(edges,", "choose(edges[::-1],")
        .replace(
            "self.evaluate(depth - 1, self.game.make_move(state, move))",
            "self.evaluate(depth - 1, self.known.setdefault(after := self.game.make_move(state, move), after))",
        )
        .replace("        self.depth = depth\n", "        self.depth, self.known = depth, {}\n")
    )
    (tmp_path / "lab.py").write_text(text, encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        for name in ("nim-to-the-end", "earlier-of-equals"):
            case = player_case(bank, name)
            assert not session.verdict(case).passed
            found = session.sheet_of([case]).diagnoses.get("MinimaxPlayer")
            assert found is None or "and of equals the first" in found.sentence


BY_ITSELF = (
    "        def worth(left, state):\n"
    "            status = self.game.status(state)\n"
    "            if isinstance(status, Over):\n"
    "                return Definitely(status.outcome)\n"
    "            if left == 0:\n"
    "                return self.estimate(state)\n"
    "            found = [worth(left - 1, self.game.make_move(state, move)) for move in self.game.moves(state)]\n"
    "            return (max if self.game.player(state) is Player.MAXIE else min)(found)\n\n"
    "        edges = [(move, worth(depth - 1, self.game.make_move(state, move))) for move in self.game.moves(state)]\n"
)


@pytest.mark.parametrize(
    ("old", "new", "case", "fact"),
    [
        ("return Definitely(status.outcome)", "return Guess(1000)", "earlier-of-equals",
         "In the given state, Maxie to move, the moves are worth A: Guess(-1), B: Guess(-2), C: "
         "Definitely(Winner(MAXIE)). For Maxie the highest is best: C. search(2, state) returned ('C', Guess(1000))."),
        ("isinstance(status, Over):", "left and isinstance(status, Over):", "earlier-of-equals",
         "In the given state, an estimate was taken of the state after the moves A, A1 and A11, in which the game is "
         "over: Maxie wins."),
        ("if left == 0:", "if left <= 1:", "earlier-of-equals",
         "In the given state, an estimate was taken of the state after the moves A and A1, 2 moves ahead; the depth "
         "is 3."),
    ],
)  # fmt: skip
def test_a_player_that_asks_nobody_is_told_by_its_estimates_and_by_the_moves(
    old: str, new: str, case: str, fact: str, model: str, tmp_path: Path, bank: Bank
) -> None:
    start = model.index("        edges = [(move, self.evaluate")
    own = BY_ITSELF.replace(old, new)
    text = f"{model[:start]}{own}{model[model.index(chr(10), start) + 1 :]}"
    (tmp_path / "lab.py").write_text(text, encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        assert session.sheet_of([player_case(bank, case)]).diagnoses["MinimaxPlayer"].sentence == fact


@pytest.mark.parametrize("lab", [KIT / "lab.py", *RIGHT_LABS], ids=lambda file: file.stem)
def test_a_right_player_gets_no_sentence(lab: Path, bank: Bank) -> None:
    """In whatever way it looks ahead, and though it is traced."""
    for case in (player_case(bank, name) for name in ("earlier-of-equals", "asked-again")):
        kind = kind_of(case.graded)
        for at, outcome in enumerate(run(lab.read_text("utf-8"), case).outcomes):
            answer = read_answer(outcome)
            assert kind.locate(case, at, answer) is None
            assert not isinstance(answer, Said) or answer.trace is not None


def test_of_the_model_every_call_is_right(bank: Bank) -> None:
    """What is stored is what its own calls answered, from the top to the horizon."""
    case = player_case(bank, "earlier-of-equals")
    for at, outcome in enumerate(run((KIT / "lab.py").read_text("utf-8"), case).outcomes):
        answer = read_answer(outcome)
        assert isinstance(answer, Said) and answer.trace
        values = {tuple(place): (move, estimate) for place, move, estimate in stored_walk(case, at)["values"]}
        waiting = [answer.trace]
        while waiting:
            request = waiting.pop()
            waiting += request.requests
            assert request.place in values
            if request.method == "evaluate":
                assert request.value == {"$estimate": values[request.place][1]}


class Restless:
    """A player whose second question is never answered."""

    def __init__(self, deepest: int) -> None:
        self.deepest = deepest

    def next_move(self, state: str) -> None:
        pass

    def search(self, depth: int, state: str) -> str:
        return f"{self.evaluate(depth - 1, 'elsewhere')}"

    def evaluate(self, depth: int, state: str) -> float:
        return self.evaluate(depth - 1, state) if depth > self.deepest else 1 / 0


@pytest.mark.parametrize(("deepest", "requests"), [(0, 3), (-100, 60)])
def test_a_call_that_never_ends_has_returned_nothing(deepest: int, requests: int) -> None:
    """And of a recursion without end no more is noted than can be sent."""
    watched, player = Requests(200), Restless(deepest)
    watched.begin("here")
    watched.watch_player(player)
    with pytest.raises(ZeroDivisionError):
        player.search(2, "here")
    trace = pack(watched.asked())
    answer = read_answer({"value": None, "estimates": 0, "trace": trace})
    assert isinstance(answer, Said)
    waiting = [answer.trace]
    for request in waiting:
        assert request is not None and (request.value, request.estimates) == ("unknown", ())
        waiting += request.requests
    assert len(waiting) == requests
    assert [one.place for one in waiting[:2] if one] == [(), None]


CALL = {"method": "search", "place": [], "depth": 1, "requests": [], "estimates": [], "value": 1}


@pytest.mark.parametrize(
    "trace",
    [{}, [], 3, CALL | {"method": "solve"}, CALL | {"place": [-1]}, CALL | {"depth": "1"}, CALL | {"more": 1},
     CALL | {"requests": [3]}, CALL | {"estimates": [[]]}],
)  # fmt: skip
def test_what_the_child_would_not_send_is_garbled(trace: object) -> None:
    with pytest.raises(Garbled):
        read_answer({"value": 1, "estimates": 1, "trace": pack(trace)})
