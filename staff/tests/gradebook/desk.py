"""A master copy with a class, as somebody sits before it who types `make collect`."""

import csv
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from staff.tests.support.masters import COURSE
from staff.tests.support.typed import run

Form = list[dict[str, str]]
NOTHING = ("", "nobody", "unknown", "none")  # in a cell that somebody has filled in


class Desk:
    """A master copy with a class, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kit = folder / "kit"
        self.form = self.kit / "grades" / "collected.csv"
        self.store = self.kit / "grades" / "grades.db"

    def take_grades(self) -> Path:
        """Move grades/ out of the kit, to where tests copy it from; its folder."""
        return (self.kit / "grades").rename(self.folder / "grades")

    def put_back(self, grades: Path) -> None:
        """Let grades/ be as it is in another folder."""
        shutil.rmtree(self.kit / "grades", ignore_errors=True)
        shutil.copytree(grades, self.kit / "grades")

    def collect(self, **words: object) -> "subprocess.CompletedProcess[str]":
        """Type `python grader collect`, in the folder of the downloads."""
        typed = " ".join(f'{name}="{word}"' for name, word in words.items())
        return run(
            f'"{sys.executable}" "{self.kit}/grader" collect {typed}', self.folder
        )

    def collected(self, **words: object) -> str:
        """Type `python grader collect`, which succeeds; its report."""
        done = self.collect(**words)
        assert done.returncode == 0, done
        return done.stdout

    def type(self, words: str) -> "subprocess.CompletedProcess[str]":
        """Type `python grader …` in the kit."""
        return run(f'"{sys.executable}" grader {words}', self.kit)

    def read(self) -> Form:
        """The rows of the form."""
        with self.form.open(encoding="utf-8-sig", newline="") as file:
            separator = ";" if ";" in file.readline() else ","
            file.seek(0)
            return list(csv.DictReader(file, delimiter=separator))

    def edit(self, source: str, /, **cells: str) -> None:
        """Edit a row of the form, as a spreadsheet saves it: with semicolons, and
        without the mark.
        """
        rows = self.read()
        next(row for row in rows if row["source"] == source).update(cells)
        self.write(rows)

    def write(self, rows: Form) -> None:
        with self.form.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
            writer.writeheader()
            writer.writerows(rows)

    def row(self, source: str) -> str:
        """What holds for a file: what people have decided, and else what the kit
        says.
        """
        (row,) = [row for row in self.read() if row["source"] == source]
        return what_holds(row)

    def rows(self) -> dict[str, str]:
        """What holds for each file, by its source."""
        return {row["source"]: what_holds(row) for row in self.read()}

    def log(self) -> list[tuple[str, ...]]:
        with sqlite3.connect(self.store) as db:
            return db.execute("SELECT what, old, new FROM log ORDER BY id").fetchall()

    def names(self) -> dict[str, str]:
        """The names of the students, by id."""
        with sqlite3.connect(self.store) as db:
            return dict(db.execute("SELECT id, name FROM student"))

    def forget_the_column(self) -> None:
        """Leave the store as a kit left it that kept nowhere from which column the ids
        come.
        """
        with sqlite3.connect(self.store) as db:
            db.execute("DELETE FROM kept")

    def put_owners(self, owners: object) -> None:
        """Put into the store who handed in the files, as a kit of before wrote it."""
        with sqlite3.connect(self.store) as db:
            db.execute("UPDATE submission SET owners = ?", (json.dumps(owners),))

    def publish_somebody(self, student: str) -> None:
        """Put a student into a publication."""
        with sqlite3.connect(self.store) as db:
            db.execute(
                "INSERT INTO published VALUES (1, ?, 'missing', '{}', '{}')", (student,)
            )


def desk_at(folder: Path, kit: Path) -> Desk:
    """A folder with a kit in which nothing was typed yet."""
    shutil.rmtree(kit / "grades", ignore_errors=True)
    shutil.copy(COURSE, kit / "staff" / "course.yaml")
    (folder / "kit").symlink_to(kit)
    return Desk(folder)


def what_holds(row: dict[str, str]) -> str:
    """A row of the form in words: student; time; whether it counts; state, reason."""
    state = row["state"] or row["kit_state"]
    reason = row["reason"]
    if state == "refused" and not reason:
        reason = row["kit_reason"]
    words = [
        row["student"] or row["kit_student"],
        row["submitted"] or row["kit_submitted"],
        row["kit_counts"],
        state,
    ]
    said = "; ".join("" if word in NOTHING else word for word in words)
    return f"{said}, {reason}" if reason not in NOTHING else said
