"""The verbs that do not ship, and those that can do more in the master copy."""

from dataclasses import replace

from grader.verbs import VERBS as OF_STUDENTS
from grader.verbs import Verb


def _of_the_course(verb: str, meaning: str) -> Verb:
    """A verb of students, which takes COURSE=1 here."""
    return replace(OF_STUDENTS[verb], meaning=meaning, takes_course=True)


def _of_gradebook(verb: str, meaning: str) -> Verb:
    """A verb on a class."""
    return Verb("staff.gradebook.__main__", meaning, (verb,))


VERBS = {
    "test": _of_the_course(
        "test", "grade lab.py    PART=2, K=alphabeta, V=1, OUT=file, COURSE=1"
    ),
    "debug": _of_the_course(
        "debug", "a case in the debugger    CASE=name, CALL=2, COURSE=1"
    ),
    "trace": _of_the_course(
        "trace", "play a search back    CASE=name, CALL=2, PLAIN=1, COURSE=1"
    ),
    "report": _of_the_course(
        "report", "the score sheet as a page, with what failed    COURSE=1"
    ),
    "demo": Verb(
        "staff.demo", "a wrong lab graded, and its search played back: one minute"
    ),
    "release": Verb("staff.release.__main__", "cut the student release    OUT=folder"),
    "gradescope": Verb(
        "staff.gradescope.__main__",
        "make build/gradescope.zip, an autograder for Gradescope",
    ),
    "classroom50": Verb(
        "staff.classroom50.__main__",
        "make build/classroom50, an autograder for Classroom 50",
    ),
    "collect": _of_gradebook(
        "collect", "who handed in what    FROM=downloads/ ROSTER=file TIMES=file"
    ),
    "pushes": _of_gradebook(
        "pushes", "fetch what was pushed to GitHub    ORG=name BEFORE=time"
    ),
    "grade": _of_gradebook(
        "grade", "grade the class, as far as it has changed    WHO=id,id OVER=1"
    ),
    "publish": _of_gradebook(
        "publish", "freeze the grades    ONTIME=1, LOWER=reason, UNGRADED=reason"
    ),
    "why": _of_gradebook(
        "why", "how a score comes about    WHO=id,id CASE=name OUT=lab.py"
    ),
    "similar": _of_gradebook(
        "similar", "pairs of submissions to look at    WITH=earlier/"
    ),
    "log": _of_gradebook("log", "who changed what, when, with which kit"),
    "league": _of_gradebook(
        "league", "a tournament of the class    BUDGET=1000 SEED=1 VALUES=yes"
    ),
    "doctor": _of_gradebook(
        "doctor", "how this machine is protected from labs    ISOLATE=bwrap"
    ),
    "hidden": Verb(
        "staff.disguise.hidden",
        "write hidden cases like the public ones    SEED=word",
    ),
    "expectations": Verb(
        "staff.expectations", "fill in what the cases expect, from the model solution"
    ),
    "coverage": Verb("staff.coverage", "which branches of the kit its own tests take"),
    "check": Verb("staff.check", "test the kit itself: tests, lint, types    FAST=1"),
    "bench": Verb("staff.bench.__main__", "measure the kit against its limits"),
    "figures": Verb(
        "staff.figures.__main__",
        "measure how often the feedback is right    FRESH=folder",
    ),
}
"""Without those of students, each is carried out by main(words)."""
