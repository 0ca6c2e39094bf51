"""Status: the kinds of verdict there are."""

from enum import Enum


class Status(Enum):
    """The kinds of verdict, each with the word that a person reads."""

    PASS = "pass"
    PARTIAL = "in part"
    FAIL = "fail"
    NOT_STARTED = "not started"
    TIME_OUT = "time-out"
    CRASH = "crash"
    WAITS = "waits"
    UNGRADED = "ungraded"
