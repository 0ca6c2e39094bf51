"""A traced search: what is noted of it, how it is read, and the reference trace."""

from collections.abc import Iterable, Iterator

import pytest

from grader.bank.cases import Bank, Case
from grader.kinds.kind import kind_of
from grader.kinds.search.answer import (
    Called,
    Evaluated,
    Expanded,
    Returned,
    read_answer,
    read_events,
)
from grader.kinds.search.answer import Path as Way
from grader.kinds.search.judge import HISTORY
from grader.kinds.search.nodes import Reference, reference_of
from grader.protocol.plain import Garbled
from staff.tests.conftest import case_named
from staff.tests.support.tracing import run, traced
from staff.wrong_labs import with_body

RECORD = {
    "watched": True,
    "evaluated": 0,
    "repeated": 0,
    "unattributed": 0,
    "alike": 0,
    "order": [],
}
# Every state is a copy, and the recursion goes by another name.
COPYING = """\
    import copy
    def visit(state):
        state = copy.deepcopy(state)
        if state.is_game_over():
            return [state], state.get_endgame_score(), 1
        results = [visit(child) for child in state.generate_next_states()]
        path, score, _ = max(results, key=lambda result: result[1])
        return [state, *path], score, sum(count for _, _, count in results)
    return visit(state)
"""


TWO_BY_TWO = "dfs/two-by-two"


def calls_in(events: Iterable[object]) -> list[Called]:
    """The calls among the events of a trace."""
    return [event for event in events if isinstance(event, Called)]


# --- reference traces ----------------------------------------------------------------


def references(case: Case) -> Iterator[Reference]:
    """The reference traces of the calls of a case that have one."""
    for call in case.calls:
        if reference := reference_of(call):
            yield reference


@pytest.mark.parametrize("fork", [True, False])
@pytest.mark.parametrize(
    "name",
    ["alphabeta/given-window", "progressive/two-by-two", "minimax/connect-four"],
)
def test_the_model_goes_as_its_reference_trace_says(
    name: str, fork: bool, bank: Bank, model: str
) -> None:
    case = case_named(name, bank)
    answers = traced(model, case, fork=fork)
    assert all(answer.is_complete for answer in answers)
    expected = [reference.events for reference in references(case)]
    assert [answer.events for answer in answers] == expected


def test_the_reference_trace_of_a_search_has_no_other_search_in_it(bank: Bank) -> None:
    """The model may hand on to another search, and nobody else has to."""
    searches = [
        case
        for case in bank.cases
        if case.graded.kind == "search" and case.graded.returns != HISTORY
    ]
    assert searches
    for case in searches:
        for reference in references(case):
            calls = calls_in(reference.events)
            assert {call.function for call in calls} == {case.function}, case.id
            assert [call.place for call in calls].count(()) == 1, case.id


def test_the_values_of_a_reference_are_those_without_cut_offs(bank: Bank) -> None:
    case = case_named("alphabeta/two-by-two", bank)
    (reference,) = references(case)
    assert reference.values[()] == case.calls[0].expect["score"]
    cut_off = (1, 1)
    assert reference.values[cut_off] == 9
    assert Evaluated(cut_off, True, 9, False) not in reference.events


# --- traces --------------------------------------------------------------------------


def test_a_search_by_another_name_on_copies_is_attributed(
    bank: Bank, model: str
) -> None:
    lab = with_body("dfs_maximizing", COPYING, model)
    (answer,) = traced(lab, case_named(TWO_BY_TWO, bank))
    assert calls_in(answer.events) == [Called("dfs_maximizing", ())]
    looks = [each for each in answer.events if isinstance(each, (Expanded, Evaluated))]
    places = [look.place for look in looks]
    assert places == [(), (0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1)]
    assert answer.events[-1] == Returned(Way((1, 1)), 9, 4)


def test_more_events_than_wanted_are_left_out(bank: Bank, model: str) -> None:
    """And the search is ended, which may go on for ever."""
    case = case_named(TWO_BY_TWO, bank)
    answer = run(model, case, most=5)
    assert answer.raised
    assert answer.raised.type == "Enough"
    read = kind_of(case.graded).read(answer.outcomes[0])
    assert len(read.events) == 5
    assert not read.is_complete


def test_nothing_is_traced_that_must_not_be_watched(bank: Bank, model: str) -> None:
    answers = traced(model, case_named("alphabeta/tic-tac-toe", bank))
    assert [bool(answer.events) for answer in answers] == [True, True, False, False]


@pytest.mark.parametrize(
    "event",
    [
        ["call", "one two", [], {}],
        ["call", "one", [-1], {}],
        ["call", "one", [], {"alpha": "3"}],
        ["call", "one", [], {"window": 3}],
        ["score", [0], 1, 3],
        ["score", [0], True, None],
        ["score", [0], True, float("nan")],
        ["expand", [True]],
        ["expand", []] * 2,
        ["leap", []],
        {},
    ],
)
def test_what_the_child_would_not_send_is_garbled(event: object) -> None:
    with pytest.raises(Garbled):
        read_events([event])


@pytest.mark.parametrize(
    "trace",
    [
        None,
        "",
        [],
        {"events": []},
        {"events": {}, "complete": True},
        {"events": [[]], "complete": True},
    ],
)
def test_what_is_no_trace_is_garbled(trace: object) -> None:
    with pytest.raises(Garbled):
        read_answer({"result": {"other": None}, "record": RECORD, "trace": trace})
