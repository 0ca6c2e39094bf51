"""What `python grader` can do in the master copy, beside the verbs that ship: module,
its first words, and meaning.
"""

VERBS = {
    "test": (
        "grader.commands.testing",
        "grade lab.py    PART=2, K=alphabeta, V=1, OUT=file, COURSE=1",
    ),
    "debug": (
        "grader.tools.debug",
        "a case in the debugger    CASE=name, CALL=2, COURSE=1",
    ),
    "trace": (
        "grader.tools.trace",
        "play a search back    CASE=name, CALL=2, PLAIN=1, COURSE=1",
    ),
    "report": (
        "grader.tools.report",
        "the score sheet as a page, with what failed    COURSE=1",
    ),
    "demo": (
        "staff.demo",
        "a wrong lab graded, and its search played back: one minute",
    ),
    "release": ("staff.release", "cut the student release    OUT=folder"),
    "gradescope": (
        "staff.gradescope",
        "make build/gradescope.zip, an autograder for Gradescope",
    ),
    "classroom50": (
        "staff.classroom50",
        "make build/classroom50, an autograder for Classroom 50",
    ),
    "collect": (
        "staff.gradebook collect",
        "who handed in what    FROM=downloads/ ROSTER=file TIMES=file",
    ),
    "pushes": (
        "staff.gradebook pushes",
        "fetch what was pushed to GitHub    ORG=name BEFORE=time",
    ),
    "grade": (
        "staff.gradebook grade",
        "grade the class, as far as it has changed    WHO=id,id OVER=1",
    ),
    "publish": (
        "staff.gradebook publish",
        "freeze the grades    ONTIME=1, LOWER=reason, UNGRADED=reason",
    ),
    "why": (
        "staff.gradebook why",
        "how a score comes about    WHO=id,id CASE=name OUT=lab.py",
    ),
    "similar": (
        "staff.gradebook similar",
        "pairs of submissions to look at    WITH=earlier/",
    ),
    "log": ("staff.gradebook log", "who changed what, when, with which kit"),
    "doctor": (
        "staff.gradebook doctor",
        "how this machine is protected from labs    ISOLATE=bwrap",
    ),
    "hidden": (
        "staff.disguise.hidden",
        "write hidden cases like the public ones    SEED=word",
    ),
    "expectations": (
        "staff.expectations",
        "fill in what the cases expect, from the model solution",
    ),
    "coverage": ("staff.coverage", "which branches of the kit its own tests take"),
    "check": ("staff.check", "test the kit itself: tests, lint, types"),
    "bench": ("staff.bench", "measure the kit against its limits"),
    "figures": (
        "staff.figures",
        "measure how often the feedback is right    FRESH=folder",
    ),
}
AS_OPTIONS = (  # what make passes on to them
    "FROM", "ROSTER", "WHO", "AGAIN", "ISOLATE", "SCHEDULER", "SEED", "ONTIME", "LOWER", "UNGRADED", "OVER", "FILE",
    "FRESH", "TIMES", "ORG", "BEFORE", "PREFIX", "WITH",
)  # fmt: skip
