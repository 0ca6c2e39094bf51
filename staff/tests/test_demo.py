"""make demo: a wrong lab graded and played back; the pages in docs/ are those that it
makes.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.bank.cases import Bank
from grader.grading.session import Session
from grader.showing.console import report
from grader.showing.style import Style
from staff import demo
from staff.tests.conftest import KIT
from staff.tests.support.masters import copy_master, release_from
from staff.tests.support.waiting import LONG


def test_the_pages_in_docs_are_those_of_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m staff.demo docs` writes them anew."""
    monkeypatch.setattr(demo, "FOLDER", tmp_path)
    demo.write_pages(tmp_path)
    for name in ("trace.html", "report.html"):
        assert (tmp_path / name).read_text("utf-8") == (KIT / "docs" / name).read_text(
            "utf-8"
        ), name


def test_what_a_student_gets_is_what_a_release_cuts(tmp_path: Path) -> None:
    """`python -m staff.demo docs` writes it anew: lab.py, the handout and its pages."""
    student = KIT / "docs" / "student"
    shown = {
        file.relative_to(student): file.read_bytes()
        for file in student.rglob("*")
        if file.is_file()
    }
    release = release_from(copy_master(tmp_path / "master"), tmp_path / "release")
    pages = {file.relative_to(release) for file in (release / "docs").iterdir()}
    assert shown == {
        name: (release / name).read_bytes()
        for name in {Path("lab.py"), Path("README.md"), *pages}
    }


def test_a_minute_with_nothing_to_configure() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grader", "demo"],
        cwd=KIT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 79
    for words in (
        "build/demo/lab.py",
        "PARTLY RIGHT  alphabeta/equal-bounds",
        "Open in a browser: build/demo/trace.html",
        "next:",
    ):
        assert words in done.stdout
    assert (KIT / "build" / "demo" / "report.html").is_file()


def test_the_readme_shows_the_screen_of_that_lab_and_the_pages(
    bank: Bank, tmp_path: Path
) -> None:
    readme = (KIT / "README.md").read_text("utf-8")
    [screen] = re.findall(r"```text\n(.*?)```", readme, re.DOTALL)
    with Session(demo.wrong_lab(tmp_path), bank) as session:
        shown = (
            report(
                session.sheet(), False, Style(colour=False, ascii_only=True, make=True)
            )
            + "\n"
        )
    assert all(lines in shown for lines in screen.split("...\n")), shown
    assert len(screen.splitlines()) <= 15
    assert (
        "(docs/trace.png)](docs/trace.html)" in readme
        and "(docs/report.html)" in readme
    )
