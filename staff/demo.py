"""`make demo`: a wrong lab through `make test`, its search played back, and what to do next.

python grader demo              into build/demo
python -m staff.demo docs       the pages that docs/ shows, and what a student gets, in docs/student/
"""

import sys
from pathlib import Path

from boards.cases import load_bank
from grader.commands.testing import main as test
from grader.grading.session import Session
from grader.kit import KIT
from grader.showing.style import Style
from grader.tools.pages.writing import page, player, show
from grader.tools.report import write_report
from grader.tools.screen import Screen
from grader.tools.trace import about, played
from staff.parser import refuse_words
from staff.student import write_student_files
from staff.wrong_labs import build, load_wrong_labs

WRONG_LAB, CASE = "alphabeta-cuts-only-when-greater", "alphabeta/equal-bounds"
FOLDER, DOCS = KIT / "build" / "demo", KIT / "docs"
BEGIN = (
    "A student's alpha-beta cuts off only when alpha exceeds beta, and not when they are equal. The lab is {lab}; "
    "all else in it is right. This is what the student reads after {command}:"
)
NEXT = (
    "The page plays the failing search back, the student's beside the reference; *To the mistake* goes there. "
    "The whole score sheet is a page too: {report}. A student has both by {trace} and {whole}.",
    "What to do next: make a mistake of your own in a copy of lab.py, name the copy in LAB, and see what {command} "
    "makes of it. Then {release} cuts the students' copy, and the README goes on from there.",
)


def main(words: list[str]) -> int:
    """Show it, or write what docs/ shows; the exit status.  Raises Refusal."""
    if words == ["docs"]:
        write_pages(DOCS)
        write_student_files(DOCS / "student")
        return 0
    refuse_words("demo", words)
    screen, command = Screen.of_terminal(), Style.of_terminal().command
    lab = wrong_lab(FOLDER)
    name = lab.relative_to(KIT).as_posix()
    screen.say(BEGIN.format(lab=name, command=command()))
    screen.tell("")
    test([], lab)
    write_pages(FOLDER)
    screen.tell("")
    show(FOLDER / "trace.html", screen)
    told = {"trace": command("trace", case=CASE), "whole": command("report"), "command": command()}
    report = (FOLDER / "report.html").relative_to(KIT).as_posix()
    for paragraph in NEXT:
        screen.say(paragraph.format(report=report, release=command("release"), **told))
    return 0


def wrong_lab(folder: Path) -> Path:
    """The lab of the demo, as a file in a folder."""
    (wrong_lab,) = (wrong_lab for wrong_lab in load_wrong_labs() if wrong_lab.id == WRONG_LAB)
    folder.mkdir(parents=True, exist_ok=True)
    lab = folder / "lab.py"
    lab.write_text(build(wrong_lab, (KIT / "lab.py").read_text("utf-8")), encoding="utf-8")
    return lab


def write_pages(folder: Path) -> None:
    """trace.html and report.html of the wrong lab, into a folder."""
    bank, lab = load_bank(), wrong_lab(FOLDER)
    folder.mkdir(exist_ok=True)
    case = next(case for case in bank.cases if case.id == CASE)
    text = page("A search played back", player(*about(case, 0), played(case, lab, 0)[0]))
    (folder / "trace.html").write_text(text, encoding="utf-8")
    with Session(lab, bank) as session:
        write_report(session.sheet(), folder / "report.html")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
