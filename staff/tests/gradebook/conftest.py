"""Classes that several files of tests begin with."""

from pathlib import Path

import pytest

from staff.tests.gradebook.desk import Desk, desk_at
from staff.tests.gradebook.small_class import SmallClass, hand_in
from staff.tests.support.typed import clone_into


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clone_into(tmp_path_factory.mktemp("a class") / "kit")


@pytest.fixture
def desk(kit: Path, tmp_path: Path) -> Desk:
    return desk_at(tmp_path, kit)


@pytest.fixture(scope="session")
def as_handed_in(tmp_path_factory: pytest.TempPathFactory) -> SmallClass:
    """The small class as no test may change it, ungraded."""
    return hand_in(tmp_path_factory.mktemp("small") / "as handed in")


@pytest.fixture(scope="session")
def as_graded(
    as_handed_in: SmallClass, tmp_path_factory: pytest.TempPathFactory
) -> SmallClass:
    """The small class as no test may change it, graded."""
    folder = tmp_path_factory.mktemp("small") / "as graded"
    small_class = as_handed_in.copy(folder)
    small_class.grade()
    return small_class


@pytest.fixture
def ungraded(as_handed_in: SmallClass, tmp_path: Path) -> SmallClass:
    """A copy of the small class, of which nothing is graded."""
    return as_handed_in.copy(tmp_path / "class")


@pytest.fixture
def graded_class(as_graded: SmallClass, tmp_path: Path) -> SmallClass:
    """A copy of the small class, all of which is graded."""
    return as_graded.copy(tmp_path / "class")
