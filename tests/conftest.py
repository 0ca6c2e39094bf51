"""The tests here go through the graded cases in boards/cases/.

`make test` grades the cases and shows one screen.  `pytest tests`, or your editor's
test view, runs the tests here.  A failing test shows what `make test` would show of its
case.  The verdicts are the same, and so is the way to them: a child process runs
lab.py, and the grader judges.
"""

pytest_plugins = ["grader.commands.plugin"]
