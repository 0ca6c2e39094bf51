"""`python grader workflow CHECKOUT`: one run of .github/workflows/classroom.yml.

Grades CHECKOUT/lab.py, and nothing else from there, with the kit that this file stands
in.  Writes build/results.json and build/report.html in the kit, the summary of the run,
and the outputs `score`, `full` and `begun`.  Exit status 0 whenever there is a score
sheet: no lab.py is a sheet of 0.  GRADER_FALLBACK says why the kit is not the newest
release.
"""

import contextlib
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
from grader.protocol.words import harmless
from grader.refusal import Refusal
from grader.release import MASTER, read_release, release_here
from grader.showing.markdown import not_begun, summary
from grader.tools.report import write_report

USAGE = "usage: python grader workflow CHECKOUT, where CHECKOUT is the folder that holds lab.py"
CRASHED = "The grader itself failed, which says nothing about your lab.py. Show this page to your course's staff."


def main(words: list[str], lab: Path) -> int:
    """Grade a checkout as the workflow does; the exit status.  Raises Refusal for other
    words.
    """
    parser = Parser("workflow", USAGE)
    parser.add_argument("checkout", metavar="CHECKOUT", type=Path)
    checkout: Path = parser.parse_args(words).checkout
    if not checkout.is_dir():
        raise Refusal(USAGE)
    token = secrets.token_hex(16)
    print(
        f"::stop-commands::{token}", flush=True
    )  # from here on no student's word is a command
    try:
        sheet = grade_checkout(checkout)
        sheet.write(KIT / "build" / "results.json")
        _append("GITHUB_STEP_SUMMARY", summary(sheet, notes_on(checkout)))
        _append("GITHUB_OUTPUT", outputs(sheet))
        with contextlib.suppress(Exception):  # the page is not worth a verdict
            write_report(sheet)
    except Exception:
        traceback.print_exc()
        _append("GITHUB_STEP_SUMMARY", f"## Not graded\n\n{CRASHED}\n")
        print(f"::{token}::\n::error title=Not graded::{CRASHED}")
        return 1
    score, out_of = as_points(sheet.total.score), as_points(sheet.total.out_of)
    begin = f". {not_begun(sheet)}" if sheet.to_begin_with else ""
    print(
        f"::{token}::\n::notice title=Autograding complete::Points {score}/{out_of}{begin}"
    )
    print(
        f'::notice title=Autograding report::{{"totalPoints":{score},"maxPoints":{out_of}}}'
    )
    return 0


def grade_checkout(checkout: Path) -> ScoreSheet:
    """The score sheet of CHECKOUT/lab.py; one of 0 that says so, when there is no such
    file.
    """
    bank, lab, kit = load_bank(), checkout / "lab.py", release_here()
    reason = ""
    try:
        read_lab(lab)
    except NotALab as error:
        reason = f"lab.py {error.reason}; push a lab.py of your own"
    except OSError as error:
        reason = f"lab.py cannot be read: {error.strerror}"
    if reason:
        return ScoreSheet(bank, {}, b"", import_failure=reason, kit=kit)
    return with_feedback(grade(lab, bank), kit.feedback)


def outputs(sheet: ScoreSheet) -> str:
    """What the later steps of the workflow read: the score, and whether the run is
    green.
    """
    answers = {"full": sheet.is_full, "begun": not sheet.to_begin_with}
    lines = [f"{name}={str(answer).lower()}\n" for name, answer in answers.items()]
    return f"score={as_points(sheet.total.score)}\n{''.join(lines)}"


def notes_on(checkout: Path) -> list[str]:
    """What to say of the kit that graded: that it is not the newest one, or that the
    student's is older.
    """
    if fallback := os.environ.get("GRADER_FALLBACK"):
        return [f"Graded with the files of this repository: {fallback}."]
    with contextlib.suppress(Refusal, OSError):
        student, kit = read_release(checkout), release_here()
        if student.version not in (MASTER.version, kit.version):
            return [
                f"You have kit {harmless(student.version, 20)}, grades use {kit.version}: make update"
            ]
    return []


def _append(variable: str, text: str) -> None:
    """Add to one of the files that GitHub names in the environment; nothing
    elsewhere.
    """
    if file := os.environ.get(variable):
        with open(file, "a", encoding="utf-8") as stream:
            stream.write(text)
