"""`python grader workflow CHECKOUT`: grades what a student has pushed to GitHub.

The workflow .github/workflows/classroom.yml runs this command.

This command grades CHECKOUT/lab.py with the kit that this file belongs to.  From
CHECKOUT it reads only lab.py and the version of the student's kit.  It writes
build/results.json and build/report.html in the kit that grades.  For GitHub it writes
the summary of the run, and the outputs `score`, `full` and `begun`.  If lab.py is
missing, the score sheet has 0 points.  The exit status is 0, or 1 if the grader itself
fails, or 2 for wrong words.  If the kit that grades is not the newest release, the
environment variable GRADER_FALLBACK says why.
"""

import contextlib
import json
import os
import secrets
import traceback
from pathlib import Path

from grader.bank.reading import load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet, as_points
from grader.grading.source import NotALab, read_lab
from grader.kit import KIT
from grader.parser import Parser
from grader.protocol.text import harmless
from grader.refusal import Refusal
from grader.release import MASTER, read_release
from grader.showing.markdown import not_begun, summary
from grader.tools.report import write_report

USAGE = (
    "usage: python grader workflow CHECKOUT, "
    "where CHECKOUT is the folder that holds lab.py"
)
CRASHED = (
    "The grader itself failed, which says nothing about your lab.py. "
    "Show this page to your course's staff."
)


def main(words: list[str], lab: Path) -> int:
    """Grade a checkout for the workflow on GitHub, and return the exit status.

    Raises Refusal if the words do not name a folder.
    """
    parser = Parser("workflow", USAGE)
    parser.add_argument("checkout", metavar="CHECKOUT", type=Path)
    checkout: Path = parser.read(words).checkout
    if not checkout.is_dir():
        raise Refusal(USAGE)
    token = secrets.token_hex(16)
    # From now on, GitHub obeys no command in the output of this program.  Otherwise
    # student code could print commands for GitHub.
    print(f"::stop-commands::{token}", flush=True)
    try:
        sheet = grade_checkout(checkout)
        sheet.write(KIT / "build" / "results.json")
        _append("GITHUB_STEP_SUMMARY", summary(sheet, notes_on(checkout)))
        _append("GITHUB_OUTPUT", outputs(sheet))
        # If the page cannot be written, the program goes on, because the verdicts are
        # published already.
        with contextlib.suppress(Exception):
            write_report(sheet)
    except Exception:
        traceback.print_exc()
        _append("GITHUB_STEP_SUMMARY", f"## Not graded\n\n{CRASHED}\n")
        print(f"::{token}::\n::error title=Not graded::{CRASHED}")
        return 1
    print(f"::{token}::")
    _notify(sheet)
    return 0


def _notify(sheet: ScoreSheet) -> None:
    """Print the points in the form that GitHub Classroom reads."""
    score = as_points(sheet.total.score)
    out_of = as_points(sheet.total.out_of)
    begin = f". {not_begun(sheet)}" if sheet.to_begin_with else ""
    points = f'{{"totalPoints":{score},"maxPoints":{out_of}}}'
    print(f"::notice title=Autograding complete::Points {score}/{out_of}{begin}")
    print(f"::notice title=Autograding report::{points}")


def grade_checkout(checkout: Path) -> ScoreSheet:
    """Grade CHECKOUT/lab.py, and return the score sheet.

    If CHECKOUT has no lab.py that can be graded, the sheet says why, and only void
    cases earn points.
    """
    bank = load_bank()
    lab = checkout / "lab.py"
    reason = ""
    try:
        read_lab(lab)
    except NotALab as error:
        reason = f"lab.py {error.reason}; push a lab.py of your own"
    except OSError as error:
        reason = f"lab.py cannot be read: {error.strerror}"
    if reason:
        kit = read_release()
        return ScoreSheet(bank, {}, b"", import_failure=reason, kit=kit)
    return with_feedback(grade(lab, bank))


def outputs(sheet: ScoreSheet) -> str:
    """Return the outputs for later steps of the workflow.

    They are the score, whether the score is full, and whether the student has begun.
    """
    return (
        f"score={as_points(sheet.total.score)}\n"
        f"full={json.dumps(sheet.is_full)}\n"
        f"begun={json.dumps(not sheet.to_begin_with)}\n"
    )


def notes_on(checkout: Path) -> list[str]:
    """Return at most one note, which is about the version of the kit.

    If the kit that grades is not the newest one, the note says why.  Otherwise, if the
    release.json of the student's kit has another version than the kit that grades, the
    note says so.
    """
    if fallback := os.environ.get("GRADER_FALLBACK"):
        return [f"Graded with the files of this repository: {fallback}."]
    with contextlib.suppress(Refusal, OSError):
        student, kit = read_release(checkout), read_release()
        if student.version not in (MASTER.version, kit.version):
            version = harmless(student.version, 20)
            return [f"You have kit {version}, grades use {kit.version}: make update"]
    return []


def _append(variable: str, text: str) -> None:
    """Append a text to a file that GitHub reads.

    `variable` is the name of an environment variable, which holds the path of the file.
    If this variable is not set, do nothing.
    """
    if file := os.environ.get(variable):
        with open(file, "a", encoding="utf-8") as stream:
            stream.write(text)
