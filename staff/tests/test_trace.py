"""A traced search: what is noted of it, how it is read, and the reference trace."""

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
from grader.kinds.search.nodes import reference_of
from grader.protocol.plain import Garbled
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


def case_of(bank: Bank, name: str) -> Case:
    return next(case for case in bank.cases if case.id == name)


@pytest.mark.parametrize("fork", [True, False])
def test_the_model_goes_as_its_reference_trace_says(
    fork: bool, bank: Bank, model: str
) -> None:
    for name in (
        "alphabeta/given-window",
        "progressive/two-by-two",
        "minimax/connect-four",
    ):
        case = case_of(bank, name)
        for at, answer in enumerate(traced(model, case, fork=fork)):
            reference = reference_of(case.calls[at])
            assert reference is not None and answer.is_complete
            assert answer.events == reference.events


def test_the_reference_trace_of_a_search_has_no_other_search_in_it(bank: Bank) -> None:
    """The model may hand on to another search, and nobody else has to."""
    searches = [case for case in bank.cases if case.graded.kind == "search"]
    for case in searches:
        if case.graded.returns == HISTORY:
            continue
        for call in case.calls:
            reference = reference_of(call)
            if reference is None:
                continue
            called = [event for event in reference.events if isinstance(event, Called)]
            assert {event.function for event in called} == {case.function}
            assert [event.place for event in called].count(()) == 1


def test_the_values_of_a_reference_are_those_without_cut_offs(bank: Bank) -> None:
    case = case_of(bank, "alphabeta/two-by-two")
    reference = reference_of(case.calls[0])
    assert reference is not None
    assert reference.values[()] == case.calls[0].expect["score"]
    assert reference.values[1, 1] == 9  # which the search itself does not look at
    assert Evaluated((1, 1), True, 9, False) not in reference.events


def test_a_search_by_another_name_on_copies_is_attributed(
    bank: Bank, model: str
) -> None:
    (answer,) = traced(
        with_body("dfs_maximizing", COPYING, model), case_of(bank, "dfs/two-by-two")
    )
    calls = [event for event in answer.events if isinstance(event, Called)]
    assert calls == [Called("dfs_maximizing", ())]
    places = [
        event.place
        for event in answer.events
        if isinstance(event, (Expanded, Evaluated))
    ]
    assert places == [(), (0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1)]
    assert answer.events[-1] == Returned(Way((1, 1)), 9, 4)


def test_more_events_than_wanted_are_left_out(bank: Bank, model: str) -> None:
    """And the search is ended, which may go on for ever."""
    answer = run(model, case_of(bank, "dfs/two-by-two"), most=5)
    assert answer.raised and answer.raised.type == "Enough"
    read = kind_of(case_of(bank, "dfs/two-by-two").graded).read(answer.outcomes[0])
    assert len(read.events) == 5 and not read.is_complete


def test_nothing_is_traced_that_must_not_be_watched(bank: Bank, model: str) -> None:
    answers = traced(model, case_of(bank, "alphabeta/tic-tac-toe"))
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
