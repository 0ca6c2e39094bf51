"""The tests in this folder are the graded cases in boards/cases/.

`make test` grades all cases and shows one screen.  `pytest tests`, or the test view of
your editor, runs each case as a test of its own.  A failing test shows what `make test`
shows for its case.

Both ways lead to the same verdicts: a child process runs lab.py, and the grader judges
the answers.
"""

pytest_plugins = ["grader.commands.plugin"]
