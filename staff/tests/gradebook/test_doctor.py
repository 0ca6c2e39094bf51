"""make doctor on machines that make no box: what is in the way, and what helps
there.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from staff.farm.isolation import (
    APPARMOR_FORBIDS,
    CONTAINER_MARKS,
    IN_A_CONTAINER,
    NOT_INSTALLED,
)
from staff.tests.conftest import KIT
from staff.tests.support.masters import change
from staff.tests.support.typed import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is Linux's")
DOCS = "(see docs/gradebook.md)"
FAILS = "bubblewrap fails here (bwrap: setting up uid map: Permission denied)"
BWRAP = "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n"


@dataclass(frozen=True)
class Machine:
    """A machine on which bubblewrap makes no box."""

    bwrap: bool  # whether it is installed, and fails
    apparmor: str  # what the kernel says of user namespaces; empty without AppArmor
    container: str  # the mark of a container; empty outside
    says: str


MACHINES = {
    "nothing installed": Machine(False, "", "", f"{NOT_INSTALLED}: install bubblewrap, or {IN_A_CONTAINER} {DOCS}"),
    "AppArmor off": Machine(False, "0", "", f"{NOT_INSTALLED}: install bubblewrap, or {IN_A_CONTAINER} {DOCS}"),
    "Ubuntu, nothing installed": Machine(
        False, "1", "", f"{NOT_INSTALLED}, and AppArmor allows bubblewrap only with a profile: "
        f"install bubblewrap and load staff/bwrap.apparmor, or {IN_A_CONTAINER} {DOCS}",
    ),
    "Ubuntu": Machine(
        True, "1", "", f"{FAILS}, and AppArmor allows bubblewrap only with a profile: "
        f"load staff/bwrap.apparmor, or {IN_A_CONTAINER} {DOCS}",
    ),
    "another reason": Machine(True, "0", "", f"{FAILS}: {IN_A_CONTAINER} {DOCS}"),
    "a container": Machine(True, "1", ".dockerenv", f"{FAILS}, and this is a container: say ISOLATE=container"),
    "another container": Machine(
        False, "", "run/.containerenv", f"{NOT_INSTALLED}, and this is a container: say ISOLATE=container"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def root(kit: Path) -> Path:
    """The folder in which a master copy looks for what the system says of itself."""
    folder = kit.parent / "root"
    for place in (*CONTAINER_MARKS, APPARMOR_FORBIDS):
        change(
            kit / "staff" / "farm" / "isolation.py",
            f'"{place}"',
            f'"{folder}{place}"',
        )
    return folder


def typed(
    kit: Path, words: str, machine: Machine, root: Path
) -> "subprocess.CompletedProcess[str]":
    """Type `python grader` and these words on such a machine."""
    shutil.rmtree(root, ignore_errors=True)
    for folder in (
        root / "bin",
        root / "run",
        Path(f"{root}{APPARMOR_FORBIDS.parent}"),
    ):
        folder.mkdir(parents=True)
    if machine.bwrap:
        (root / "bin" / "bwrap").write_text(BWRAP, "utf-8")
        (root / "bin" / "bwrap").chmod(0o755)
    if machine.apparmor:
        Path(f"{root}{APPARMOR_FORBIDS}").write_text(f"{machine.apparmor}\n", "utf-8")
    if machine.container:
        (root / machine.container).touch()
    return run(f'"{sys.executable}" grader {words}', kit, PATH=str(root / "bin"))


@pytest.mark.parametrize("name", MACHINES)
def test_where_bubblewrap_fails_one_line_says_what_helps(
    name: str, kit: Path, root: Path
) -> None:
    done = typed(kit, "doctor --isolate bwrap", MACHINES[name], root)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith(
        f"ISOLATE=bwrap does not work on this machine (python grader doctor says what works): {MACHINES[name].says}\n"
    )


def test_the_doctor_says_why_there_is_no_box(kit: Path, root: Path) -> None:
    done = typed(kit, "doctor", MACHINES["Ubuntu"], root)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(
        f"isolation: lock, which is what the course asks for\nno box: {MACHINES['Ubuntu'].says}\n"
    )


def test_what_is_no_container_is_not_taken_for_one(kit: Path, root: Path) -> None:
    done = typed(kit, "doctor --isolate container", MACHINES["Ubuntu"], root)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    marks = " nor ".join(f"{root}{mark}" for mark in CONTAINER_MARKS)
    assert (
        f"ISOLATE=container is for a command that runs in a container, and here is neither {marks}"
        in done.stderr
    )


@pytest.mark.parametrize("name", ["a container", "another container"])
def test_a_container_is_a_box(name: str, kit: Path, root: Path) -> None:
    done = typed(kit, "doctor --isolate container", MACHINES[name], root)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        "isolation: box, which is enough: it is stronger than lock, the least that the course asks for\n"
    )
    assert (
        "see which processes run         NOT REFUSED (within this container)\n"
        in done.stdout
    )
    assert "only a box" not in done.stdout


def test_all_that_helps_is_where_it_is_said_to_be() -> None:
    """The profile and the Containerfile are in staff/, and what sets up bubblewrap
    loads the profile.
    """
    profile = (KIT / "staff" / "bwrap.apparmor").read_text("utf-8")
    assert "profile bwrap /usr/bin/bwrap" in profile and "userns," in profile
    for name in ("docs/gradebook.md", ".github/workflows/kit.yml"):
        text = (KIT / name).read_text("utf-8")
        assert "staff/bwrap.apparmor /etc/apparmor.d/bwrap" in text, name
    assert "-f staff/Containerfile" in (KIT / "docs" / "gradebook.md").read_text(
        "utf-8"
    )
