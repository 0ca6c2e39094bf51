"""What this machine has.  Where KIT_HAS names something, no test may be skipped for
want of it: a continuous build then fails instead of testing less.
"""

import os
import shutil
import subprocess
from collections.abc import Callable

from grader.bank.reading import load_bank
from grader.grading.session import Session
from staff.tests.conftest import KIT
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM


def bubblewrap_works() -> bool:
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return bool(shutil.which("bwrap")) and subprocess.run(command).returncode == 0


def chromium_is_there() -> bool:
    return bool(CHROMIUM and CHROMEDRIVER)


def landlock_holds() -> bool:
    bank = load_bank()
    with Session(KIT / "lab.py", bank) as session:
        sheet = session.sheet_of(bank.cases[:1])
    return sheet.isolation.tier == "closed"


def is_root() -> bool:
    return os.geteuid() == 0


CHECKS: dict[str, Callable[[], bool]] = {
    "bubblewrap": bubblewrap_works,
    "chromium": chromium_is_there,
    "landlock": landlock_holds,
    "root": is_root,
}


def test_this_machine_has_what_it_is_said_to_have() -> None:
    names = os.environ.get("KIT_HAS", "").split()
    assert [name for name in names if not CHECKS[name]()] == []
