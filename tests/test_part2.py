"""Part 2: searches.  A test is a case; the cases stand in boards/cases/2a-dfs.yaml and
its neighbours.
"""


def test_part2(case, grade):
    """Path, score and count of evaluations of your searches."""
    grade(case)
