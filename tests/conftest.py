"""The tests here go through the graded cases in boards/cases/.

`make test` runs them and shows one screen; `pytest tests` runs them and shows pytest's own.  The
verdicts are the same, and so is the way to them: a child process runs lab.py, the grader judges.
"""

pytest_plugins = ["grader.plugin"]
