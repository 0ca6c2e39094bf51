"""Part 3: questions.  A test is a case; the cases stand in
boards/cases/3-questions.yaml, hashed.
"""


def test_part3(case, grade):
    """Your answers to the questions."""
    grade(case)
