"""What comes up the pipe is read with no more work than there is in it: every case of every run pays for it."""

import sys
from typing import Any

import pytest

from grader.protocol.reading import DEEPEST, decode

MOST_STEPS = 200  # functions called and left; 150 levels of nothing took more than a thousand


def nested(depth: int) -> bytes:
    """A reply with a list in a list, so many times."""
    return b'{"a": ' + b"[" * depth + b"]" * depth + b"}"


def test_a_shallow_reply_takes_few_steps() -> None:
    steps = list[str]()

    def note(frame: Any, event: str, argument: Any) -> None:
        steps.append(event)

    sys.setprofile(note)
    try:
        reply = decode(b'{"ended": 0, "survivors": false}')
    finally:
        sys.setprofile(None)
    assert reply == {"ended": 0, "survivors": False}
    assert len(steps) < MOST_STEPS


@pytest.mark.parametrize(("depth", "is_read"), [(1, True), (DEEPEST - 2, True), (DEEPEST, False), (5_000, False)])
def test_a_deep_reply_is_none_of_ours(depth: int, is_read: bool) -> None:
    assert (decode(nested(depth)) is not None) is is_read


HALF = r'{"a": "\ud800"}'


@pytest.mark.parametrize("reply", [HALF.encode(), HALF.encode("utf-16-le"), b'{"a": "\xed\xa0\x80"}'], ids=range(3))
def test_half_a_character_is_none_of_ours_however_it_is_written(reply: bytes) -> None:
    assert decode(reply) is None
