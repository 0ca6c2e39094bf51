"""A class whose master copy has few cases, so that `make grade` takes seconds."""

import contextlib
import hashlib
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import (
    copy_master,
    decide,
    take_as_filled,
    with_few_cases,
)
from staff.tests.support.typed import run

# What replaces what in the model solution that each student has handed in.
LABS = {
    "ann": ("", ""),
    "bob": ("alpha >= beta", "alpha > beta"),
    "cat": ("max if maximize else min", "min"),
    "dan": ("import time", "import nothing_of_that_name"),
    "fay": ("import time", "import os; os.abort()"),
}
MISTAKES = "boards/misconceptions/dfs_maximizing.json"
KNOWN = """{"misconceptions": [
{"name": "finds the minimum", "hint": "a hint", "question": "a question?",
 "wrong": {"a": {"cases": {"dfs/one": "ffff"}}}}
]}
"""
Verdicts = dict[tuple[str, str], str]


class SmallClass:
    """A folder with the kit, the roster and what the class has handed in.

    Five students have handed in; eve, who is on the roster too, has not.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kit = folder / "kit"
        self.store = self.kit / "grades" / "grades.db"

    def copy(self, folder: Path) -> "SmallClass":
        """Copy the class to a folder, where a test may change it."""
        return SmallClass(shutil.copytree(self.folder, folder))

    def type(self, words: str) -> "subprocess.CompletedProcess[str]":
        """Type `python grader` and these words."""
        return run(f'"{sys.executable}" grader {words}', self.kit)

    def grade(self, words: str = "") -> str:
        """Grade behind the kit's own lock, which succeeds; what make grade prints."""
        done = self.type(f"grade --isolate lock {words}")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        """The rows with which the store answers a question in SQL."""
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            return db.execute(question).fetchall()

    def change_store(self, statements: str) -> None:
        """Let the store carry out statements of SQL."""
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            db.executescript(statements)
            db.commit()

    def verdicts(self) -> Verdicts:
        """The verdict on each function of each lab.py, by the digest of the file."""
        rows = self.ask("SELECT lab, function, cases FROM verdict")
        return {(lab, function): verdict for lab, function, verdict in rows}

    def lab_of(self, student: str) -> str:
        """The digest by which the store knows the lab.py of a student."""
        lab = self.folder / "downloads" / student / "lab.py"
        return hashlib.sha256(lab.read_bytes()).hexdigest()


def hand_in(folder: Path) -> SmallClass:
    """Set up the class in a folder, and collect its files; nothing is graded yet."""
    small_class = SmallClass(folder)
    kit = with_few_cases(copy_master(small_class.kit))
    decide(kit, parts="[0, 2]")
    lay(kit, {MISTAKES: KNOWN})
    take_as_filled(kit)

    model = (kit / "lab.py").read_text("utf-8")
    for student, (old, new) in LABS.items():
        lay(folder, {f"downloads/{student}/lab.py": model.replace(old, new)})
    lay(folder, {"roster.csv": "\n".join(["id", *LABS, "eve", ""])})
    done = small_class.type("collect --from ../downloads --roster ../roster.csv")
    assert done.returncode == 0, done.stderr
    return small_class
