"""Part 3: questions.  Each test is a graded case.

boards/cases/3-questions.yaml holds the cases.  The answers in it are hashed.
"""


def test_part3(case, grade):
    """Your answers to the questions."""
    grade(case)
