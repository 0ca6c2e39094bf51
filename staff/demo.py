"""`make demo`: grades an incorrect submission and replays its search.

python grader demo           writes the pages into build/demo
python -m staff.demo docs    writes the pages of docs/, and the files of docs/student/
"""

import sys
from pathlib import Path

from grader.bank.reading import load_bank
from grader.cli import enter
from grader.commands.testing import main as test
from grader.grading.session import Session
from grader.kit import KIT
from grader.parser import Parser
from grader.showing.style import Style
from grader.tools.pages.writing import show
from grader.tools.report import write_report
from grader.tools.screen import Screen
from grader.tools.trace import played, trace_page

CASE = "alphabeta/equal-bounds"
RIGHT = "if alpha >= beta:"
WRONG = "if alpha > beta:"
FOLDER = KIT / "build" / "demo"
DOCS = KIT / "docs"
BEGIN = (
    "A student's alpha-beta cuts off only when alpha > beta, not when they are equal. "
    "Everything else in {lab} is right. This is what the student reads after {test}:"
)
NEXT = (
    "The page replays the failing search next to the reference search. The whole "
    "score sheet is a page too: {report}. A student gets the two pages with {trace} "
    "and {whole}.",
    "What to do next: make a mistake in a copy of lab.py, and grade it with "
    "LAB=copy.py. Then type make release, which writes the students' copy. README.md "
    "says what comes after that.",
)


def main(words: list[str]) -> int:
    """Show the demo, and return the exit status.

    If the only word is `docs`, write the pages of docs/ instead.  Raises Refusal.
    """
    if words == ["docs"]:
        # The pages of docs/ need packages that the demo does not need.
        from staff.release.sample import write_student_files

        write_pages(DOCS)
        write_student_files(DOCS / "student")
        return 0
    Parser("demo", "make demo takes no words").read(words)
    screen = Screen.of_terminal()
    command = Style.of_terminal().command
    lab = wrong_lab(FOLDER)
    screen.say(BEGIN.format(lab=lab.relative_to(KIT).as_posix(), test=command()))
    screen.tell("")
    test([], lab)
    write_pages(FOLDER)
    screen.tell("")
    show(FOLDER / "trace.html", screen)
    report = (FOLDER / "report.html").relative_to(KIT).as_posix()
    trace = command("trace", case=CASE)
    for paragraph in NEXT:
        text = paragraph.format(report=report, trace=trace, whole=command("report"))
        screen.say(text)
    return 0


def wrong_lab(folder: Path) -> Path:
    """Write the incorrect submission of the demo into a folder, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    lab = folder / "lab.py"
    model = (KIT / "lab.py").read_text("utf-8")
    lab.write_text(model.replace(RIGHT, WRONG), encoding="utf-8")
    return lab


def write_pages(folder: Path) -> None:
    """Write trace.html and report.html of the incorrect submission into a folder."""
    bank = load_bank()
    lab = wrong_lab(FOLDER)
    case = next(case for case in bank.cases if case.id == CASE)
    page = trace_page(case, 0, played(case, lab, 0)[0])
    (folder / "trace.html").write_text(page, encoding="utf-8")
    with Session(lab, bank) as session:
        write_report(session.sheet(), folder / "report.html")


if __name__ == "__main__":
    sys.exit(enter(["demo", *sys.argv[1:]]))
