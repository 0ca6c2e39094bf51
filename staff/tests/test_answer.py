"""What goes down the pipe, and what is made of a process that has ended."""

import json

import pytest

from grader.protocol.answer import Answer, Ending, Request, exited, measured

REQUEST = Request("over/empty", "board", "is_game_over_connectfour", ({"board": ["......."]},), 2.0)


def test_a_request_is_a_line_that_says_no_more_than_it_must() -> None:
    line = REQUEST.line()
    assert line.endswith(b"}\n") and line.count(b"\n") == 1
    sent = json.loads(line)
    assert sent["calls"] == [{"board": ["......."]}]
    assert not {"expect", "weight", "says"} & sent.keys()


def test_nobody_can_guess_the_name_under_which_a_case_is_sent() -> None:
    one, other = REQUEST.sealed("/scratch/1"), REQUEST.sealed()
    assert len({REQUEST.case, one.case, other.case}) == 3
    assert len(one.case) >= 32
    assert (one.folder, other.folder, one.calls) == ("/scratch/1", "", REQUEST.calls)


@pytest.mark.parametrize(
    ("cpu", "seconds", "cost"), [(1.5, 1.6, 1.5), (0.01, 0.09, 0.01), (0.01, 3.1, 3.0), (2.0, 0.5, 2.0)]
)
def test_a_case_costs_what_it_computes_or_sleeps(cpu: float, seconds: float, cost: float) -> None:
    assert Answer(Ending.ANSWERED, cpu=cpu, seconds=seconds).cost == pytest.approx(cost)


def test_a_process_that_is_gone_has_exited_or_was_killed() -> None:
    assert exited(0) == Answer(Ending.EXITED)
    assert exited(-11) == Answer(Ending.KILLED, detail=11)


def test_what_was_measured_is_told_with_the_answer() -> None:
    told = measured(Answer(Ending.ANSWERED, [{"value": 1}]), 2.0, cpu=0.4, seconds=0.5, printed="hello")
    assert told == Answer(Ending.ANSWERED, [{"value": 1}], cpu=0.4, seconds=0.5, printed="hello")
    assert measured(Answer(Ending.WALL_TIME_UP), 2.0, 2.0, 10.0, "").ending is Ending.WALL_TIME_UP
    assert measured(Answer(Ending.WALL_TIME_UP), 2.0, 1.9, 10.0, "").ending is Ending.STALLED
