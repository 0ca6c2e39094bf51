"""A master copy with a class, for the tests of this room."""

import shutil
from pathlib import Path

import pytest

from staff.tests.gradebook.desk import Desk
from staff.tests.support.masters import COURSE
from staff.tests.support.typed import clone_into


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clone_into(tmp_path_factory.mktemp("a class") / "kit")


@pytest.fixture
def desk(kit: Path, tmp_path: Path) -> Desk:
    shutil.rmtree(kit / "grades", ignore_errors=True)
    shutil.copy(COURSE, kit / "staff" / "course.yaml")
    (tmp_path / "kit").symlink_to(kit)
    return Desk(tmp_path)
