"""The verbs that exist only in the master copy, and those that can do more there."""

from grader.verbs import Verb


def _of_the_course(verb: str, meaning: str) -> Verb:
    """Return a verb that students have too.  In the master copy, it takes COURSE=1."""
    return Verb("staff.bank", meaning, (verb,))


def _of_gradebook(verb: str, meaning: str) -> Verb:
    """Return a verb that works on a class, such as `make grade`."""
    return Verb("staff.gradebook.__main__", meaning, (verb,))


VERBS = {
    "test": _of_the_course(
        "test", "grade lab.py    PART=2, K=alphabeta, V=1, OUT=file, COURSE=1"
    ),
    "debug": _of_the_course("debug", "debug a case    CASE=name, CALL=2, COURSE=1"),
    "trace": _of_the_course(
        "trace", "replay a search    CASE=name, CALL=2, PLAIN=1, COURSE=1"
    ),
    "report": _of_the_course(
        "report", "show the score sheet as a web page    COURSE=1"
    ),
    "demo": Verb("staff.demo", "grade an incorrect submission and replay its search"),
    "release": Verb(
        "staff.release.__main__", "build the student release and check it    OUT=folder"
    ),
    "gradescope": Verb(
        "staff.gradescope.__main__",
        "build the autograder for Gradescope",
    ),
    "classroom50": Verb(
        "staff.classroom50.__main__",
        "build the autograder for Classroom 50",
    ),
    "collect": _of_gradebook(
        "collect", "list who handed in what    FROM=folder ROSTER=file TIMES=file"
    ),
    "pushes": _of_gradebook(
        "pushes", "fetch what was pushed to GitHub    ORG=name BEFORE=time"
    ),
    "grade": _of_gradebook(
        "grade", "grade the class; only what has changed runs    WHO=id OVER=1"
    ),
    "publish": _of_gradebook(
        "publish", "freeze the grades    ONTIME=1, LOWER=reason, UNGRADED=reason"
    ),
    "why": _of_gradebook("why", "explain a score    WHO=id,id CASE=name OUT=theirs.py"),
    "similar": _of_gradebook("similar", "rank pairs that share code    WITH=earlier/"),
    "league": _of_gradebook(
        "league", "submissions play each other    BUDGET=1000 SEED=1 VALUES=yes"
    ),
    "log": _of_gradebook("log", "list who changed what, and with which kit"),
    "doctor": _of_gradebook(
        "doctor", "check how well this machine is protected    ISOLATE=bwrap"
    ),
    "hidden": Verb(
        "staff.disguise.hidden",
        "write hidden cases like the public ones    SEED=word",
    ),
    "expectations": Verb(
        "staff.expectations", "compute what the cases expect, using the model solution"
    ),
    "coverage": Verb(
        "staff.coverage", "measure how much code of the kit the tests run"
    ),
    "check": Verb(
        "staff.check", "test the kit itself: tests, lint, types    FAST=1, ALL=1"
    ),
    "bench": Verb("staff.bench.__main__", "measure the kit against its limits"),
    "figures": Verb(
        "staff.figures.__main__",
        "measure how often the feedback is right    FRESH=folder",
    ),
}
"""Each verb that students do not have is carried out by main(words)."""
