"""`make run`: the strong solution on standard output, to the last character, and nothing else there.

The cases stand in boards/cases/0c-make-run.yaml.
"""


def test_make_run(case, grade):
    """Your game and your `solve`, printed."""
    grade(case)
