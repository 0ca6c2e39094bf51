"""Part 3: questions.  The answers stand, hashed, in boards/cases/3-questions.yaml."""


def test_ANSWER_1(case, grade):
    """Minimax without alpha-beta."""
    grade(case)


def test_ANSWER_2(case, grade):
    """Minimax with alpha-beta."""
    grade(case)


def test_ANSWER_3(case, grade):
    """Which change cuts off more?"""
    grade(case)


def test_ANSWER_4(case, grade):
    """What to do about Eve."""
    grade(case)
