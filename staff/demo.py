"""`make demo`: a wrong lab through `make test`, its search played back, and what to do
next.

python grader demo              into build/demo
python -m staff.demo docs       the pages that docs/ shows, and what a student gets, in docs/student/
"""

import sys
from pathlib import Path

from grader.bank.reading import load_bank
from grader.commands.testing import main as test
from grader.grading.session import Session
from grader.kit import KIT
from grader.showing.style import Style
from grader.tools.pages.writing import show
from grader.tools.report import write_report
from grader.tools.screen import Screen
from grader.tools.trace import played, trace_page
from staff.parser import refuse_words

CASE = "alphabeta/equal-bounds"
RIGHT, WRONG = "if alpha >= beta:", "if alpha > beta:"
FOLDER, DOCS = KIT / "build" / "demo", KIT / "docs"
BEGIN = (
    "A student's alpha-beta cuts off only when alpha > beta, not when they are equal. Everything else in {lab} is "
    "right. This is what the student reads after {test}:"
)
NEXT = (
    "The page plays the failing search back, next to the reference search. The whole score sheet is a page too: "
    "{report}. A student gets the two pages with {trace} and {whole}.",
    "What to do next: make a mistake in a copy of lab.py, and grade it with LAB=copy.py. Then type make release, which "
    "writes the students' copy. README.md says what comes after that.",
)


def main(words: list[str]) -> int:
    """Show it, or write what docs/ shows; the exit status.  Raises Refusal."""
    if words == ["docs"]:
        from staff.student import (
            write_student_files,
        )  # which needs packages that the demo does not

        write_pages(DOCS)
        write_student_files(DOCS / "student")
        return 0
    refuse_words("demo", words)
    screen, command = Screen.of_terminal(), Style.of_terminal().command
    lab = wrong_lab(FOLDER)
    screen.say(BEGIN.format(lab=lab.relative_to(KIT).as_posix(), test=command()))
    screen.tell("")
    test([], lab)
    write_pages(FOLDER)
    screen.tell("")
    show(FOLDER / "trace.html", screen)
    report = (FOLDER / "report.html").relative_to(KIT).as_posix()
    for paragraph in NEXT:
        screen.say(
            paragraph.format(
                report=report,
                trace=command("trace", case=CASE),
                whole=command("report"),
            )
        )
    return 0


def wrong_lab(folder: Path) -> Path:
    """The lab of the demo, as a file in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lab = folder / "lab.py"
    lab.write_text(
        (KIT / "lab.py").read_text("utf-8").replace(RIGHT, WRONG), encoding="utf-8"
    )
    return lab


def write_pages(folder: Path) -> None:
    """trace.html and report.html of the wrong lab, into a folder."""
    bank, lab = load_bank(), wrong_lab(FOLDER)
    case = next(case for case in bank.cases if case.id == CASE)
    (folder / "trace.html").write_text(
        trace_page(case, 0, played(case, lab, 0)[0]), encoding="utf-8"
    )
    with Session(lab, bank) as session:
        write_report(session.sheet(), folder / "report.html")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
