"""What comes up the pipe: only what the child could have sent becomes a Reply."""

import pytest

from grader.protocol.answer import Ending
from grader.protocol.replies import DEEPEST, MOST_NODES, answered, read_reply

RAISED = {
    "type": "KeyError",
    "bases": ["KeyError"],
    "text": "",
    "frames": [[3, "solve"]],
}
DEEP = b"[" * DEEPEST + b"]" * DEEPEST
FORGED = {
    "no JSON": b'{"what": "ended"',
    "two": b'{"what": "ended"}{"what": "ended"}',
    "a list": b'[{"what": "ended"}]',
    "another word": b'{"what": "passed"}',
    "nothing": b"{}",
    "more than there is": b'{"what": "ended", "points": 100}',
    "a status that is none": b'{"what": "ended", "status": -1}',
    "a status that is no number": b'{"what": "ended", "status": true}',
    "an outcome that is none": b'{"what": "outcome", "outcome": [1]}',
    "a time that is no number": b'{"what": "answered", "cpu": NaN}',
    "half a character": rb'{"what": "answered", "printed": "\ud800"}',
    "half a character as it stands": b'{"what": "answered", "printed": "\xed\xa0\x80"}',
    "another encoding": '{"what": "ended"}'.encode("utf-16-le"),
    "a number without end": b'{"what": "ended", "status": 1%s}' % (b"0" * 5_000),
    "something deep": b'{"what": "outcome", "outcome": {"value": %s}}' % DEEP,
    "something far too deep": b'{"what": "outcome", "outcome": %s}'
    % (b'{"a":' * 50_000),
    "something wide": b'{"what": "outcome", "outcome": {"value": [%s0]}}'
    % (b"0," * MOST_NODES),
    "an exception that is none": b'{"what": "imported", "raised": {"type": 3}}',
}


@pytest.mark.parametrize("how", FORGED)
def test_what_is_forged_is_no_reply(how: str) -> None:
    assert read_reply(FORGED[how]) is None


def test_what_the_child_sends_is_a_reply() -> None:
    shut_in = read_reply(
        b'{"what": "shut in", "isolation": {"landlock": 6, "seccomp": true}}'
    )
    assert shut_in and shut_in.isolation and shut_in.isolation.landlock == 6
    ended = read_reply(b'{"what": "ended", "run": "a", "signal": 9}')
    assert ended and (ended.run, ended.status, ended.signal) == ("a", 0, 9)
    large = read_reply(b'{"what": "outcome", "outcome": {"value": 1%s}}' % (b"0" * 900))
    assert large and large.outcome == {"value": 10**900}


def test_outcomes_are_those_of_the_calls_up_to_the_first_that_raised() -> None:
    value = {"value": 3}
    assert answered([value, value], 2).outcomes == [value, value]
    assert answered([value, value], 1).ending is Ending.GARBLED
    raised = answered([value, {"raised": RAISED}], 3)
    assert (raised.ending, len(raised.outcomes)) == (Ending.ANSWERED, 2)
    assert raised.raised and raised.raised.frames == ((3, "solve"),)
    assert answered([{"raised": {"type": 3}}], 1).ending is Ending.GARBLED
