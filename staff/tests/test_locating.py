"""Where a search went wrong: a fact about one place, told of the mistake that was made, and of nothing else."""

import pytest

from boards.cases import Bank
from grader.kinds.kind import Located
from grader.kinds.known import kind_of
from staff.chaffs import build, load_chaffs
from staff.tests.conftest import KIT
from staff.tests.support.tracing import traced

WITH_LIMITS_AND_WINDOWS = (
    "alphabeta/default-arguments",
    "alphabeta/flag-at-the-leaf",
    "alphabeta/outside-the-window",
    "minimax/tic-tac-toe",
    "progressive/minimizer-first",
)
CHAFFS = {chaff.id: chaff for chaff in load_chaffs()}


def located(lab: str, name: str, bank: Bank, at: int = 0) -> Located | None:
    """What is said of a call of a case, in a lab given as text."""
    case = next(case for case in bank.cases if case.id == name)
    return kind_of(case.graded).locate(case, at, traced(lab, case)[at])


@pytest.mark.parametrize(
    ("chaff", "case", "at", "sentence"),
    [
        (
            "dfs-plays-against-itself", "dfs/two-by-two", 0,
            "At A, where the highest counts, your calls on its children returned 3 and 5; your call returned 3.",
        ),
        (
            "dfs-never-resets-its-counter", "dfs/no-choice", 1,
            "At `over` there is one static evaluation to make; your call on it returned a count of 2.",
        ),
        (
            "endgame-search-default-flag", "minimax-endgame/no-choice", 1,
            "At `over` get_endgame_score was asked with flag True and gave 6, not -6; the minimizer is to move there.",
        ),
        (
            "endgame-search-cuts-off", "minimax-endgame/two-by-two", 0,
            "At B your search left out 9 (below B); without cut-offs every child counts.",
        ),
        (
            "minimax-one-ply-only", "minimax/unusual-scores", 1,
            "depth_limit = 2 at root leaves 1 for A; your call on it has depth_limit = 0.",
        ),
        (
            "minimax-only-maximizes", "minimax/unusual-scores", 1,
            "Your call on A has maximize = False; the maximizer is to move there.",
        ),
        (
            "minimax-always-maximizes-first", "minimax/unusual-scores", 1,
            "Path and score are those of a search in which the maximizer moves first; at root the minimizer does.",
        ),
        (
            "minimax-takes-the-last-of-equals", "minimax/earlier-of-equals", 0,
            "At A1 both `a` and `b` are worth 5, and the earlier one is to be taken; your path goes to `b`.",
        ),
        (
            "alphabeta-cuts-only-when-greater", "alphabeta/equal-bounds", 0,
            "At B, MIN to move, alpha = 3: your call on 3 (below B) returned 3, so beta = 3 and nothing more below B "
            "matters; you went on to 5 (below B).",
        ),
        (
            "alphabeta-bounds-not-passed-down", "alphabeta/two-by-two", 0,
            "At root alpha = 3 by then; your call on B has alpha = -INF. Below it, 9 (below B) was looked at, "
            "which cannot matter.",
        ),
        (
            "alphabeta-ignores-the-given-window", "alphabeta/given-window", 1,
            "At B, MAX to move, beta = 0, as the search was given: B1 gave 4, so alpha = 4 and nothing more below B "
            "matters; you went on to 3 (below B).",
        ),
        (
            "progressive-adds-up-evaluations", "progressive/two-by-two", 0,
            "Your search to depth 2 returned evaluations = 3; the history holds 5.",
        ),
    ],
)  # fmt: skip
def test_the_first_thing_that_is_wrong_is_told(
    chaff: str, case: str, at: int, sentence: str, bank: Bank, model: str
) -> None:
    found = located(build(CHAFFS[chaff], model), case, bank, at)
    assert found is not None
    assert found.sentence == sentence


def test_the_place_is_marked_in_the_tree(bank: Bank, model: str) -> None:
    found = located(build(CHAFFS["alphabeta-cuts-only-when-greater"], model), "alphabeta/equal-bounds", bank)
    assert found is not None
    assert found.place == "Look at B, MIN to move."
    assert found.picture[4:8] == (
        "   |- MIN B",
        "   |   |- 3   3rd evaluated  <-- cut here",
        "   |   |- 5   4th evaluated  <-- not needed",
        "   |   `- 9   5th evaluated",
    )


@pytest.mark.parametrize("name", ["alphabeta/flag-at-the-leaf", "progressive/minimizer-first", "minimax/nim"])
def test_nothing_is_said_of_what_is_right(name: str, bank: Bank, model: str) -> None:
    case = next(case for case in bank.cases if case.id == name)
    for at, answer in enumerate(traced(model, case)):
        assert kind_of(case.graded).locate(case, at, answer) is None


@pytest.mark.parametrize("wheat", ["classes", "fail_hard", "iterative", "negamax", "noisy", "recursion", "terse"])
def test_nothing_is_said_of_labs_that_are_right_in_another_way(wheat: str, bank: Bank) -> None:
    lab = (KIT / "staff" / "wheats" / f"{wheat}.py").read_text(encoding="utf-8")
    for name in WITH_LIMITS_AND_WINDOWS:
        case = next(case for case in bank.cases if case.id == name)
        for at, answer in enumerate(traced(lab, case)):
            assert kind_of(case.graded).locate(case, at, answer) is None
