"""A master copy with a class, as somebody sits before it who types `make collect`."""

import csv
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

from staff.tests.support.typed import run

Form = list[dict[str, str]]


class Desk:
    """A master copy with a class, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kit = folder, folder / "kit"
        self.form, self.store = (
            self.kit / "grades" / "collected.csv",
            self.kit / "grades" / "grades.db",
        )

    def collect(self, **words: object) -> "subprocess.CompletedProcess[str]":
        """Type `python grader collect`, in the folder of the downloads."""
        typed = " ".join(f'{name}="{word}"' for name, word in words.items())
        return run(
            f'"{sys.executable}" "{self.kit}/grader" collect {typed}', self.folder
        )

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
        held = {
            column: row[column] or row[f"kit_{column}"]
            for column in ("student", "submitted", "state")
        }
        held["reason"] = row["reason"] or (
            row["kit_reason"] if held["state"] == "refused" else ""
        )
        held = {
            column: "" if text in ("nobody", "unknown", "none") else text
            for column, text in held.items()
        }
        said = "; ".join(
            [held["student"], held["submitted"], row["kit_counts"], held["state"]]
        )
        return f"{said}, {held['reason']}" if held["reason"] else said

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
