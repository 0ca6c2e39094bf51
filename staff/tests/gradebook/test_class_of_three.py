"""The class of three with which docs/gradebook.md begins: its commands work, and print
what stands there.
"""

import re
from pathlib import Path

from staff import demo
from staff.tests.conftest import KIT
from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.support.recipes import section_of
from staff.tests.support.typed import run

HEADINGS = (
    "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,"
    "Grade can be changed,Last modified (submission),Last modified (grade),"
    "Feedback comments"
)
STUDENTS = (
    "Participant 11,Ada Kim,ada,ada@example.edu,Submitted for grading,{},100.00,Yes,"
    '"Friday, 12 February 2027, 9:05 PM",-,',
    "Participant 12,Bob Lee,bob,bob@example.edu,Submitted for grading,{},100.00,Yes,"
    '"Saturday, 13 February 2027, 8:40 AM",-,',
    "Participant 13,Cleo May,cleo,cleo@example.edu,No submission,{},100.00,Yes,-,-,",
)


def worksheet(*grades: str) -> str:
    """Moodle's grading worksheet with these grades."""
    lines = [line.format(grade) for line, grade in zip(STUDENTS, grades, strict=True)]
    return "\r\n".join([f"\ufeff{HEADINGS}", *lines, ""])


def test_the_class_of_three(desk: Desk, model: str, tmp_path: Path) -> None:
    too_late = demo.wrong_lab(tmp_path).read_text("utf-8")
    files = {
        "Ada Kim_11_assignsubmission_file_/lab.py": too_late,
        "Bob Lee_12_assignsubmission_file_/lab.py": model,
    }
    lay(desk.kit, {"worksheet.csv": worksheet("", "", "")})
    lay(desk.kit / "downloads", {"AI-Games lab-77.zip": files})
    page = (KIT / "docs" / "gradebook.md").read_text("utf-8")
    section = section_of(page, "A class of three")
    screens = re.findall(r"```text\n\$ (make [^\n]+)\n(.*?)```", section, re.DOTALL)
    verbs = [command.split()[1] for command, _ in screens]
    assert verbs == ["collect", "grade", "why", "publish"]
    for command, shown in screens:
        done = run(command, desk.kit)
        assert done.returncode == 0, done.stderr
        # How well this machine is protected is another matter.
        printed = re.sub(r"(; isolation: )\w+$", r"\1box", done.stdout, flags=re.M)
        assert all(lines in printed for lines in shown.split("...\n")), printed
    upload = desk.kit / "grades" / "published" / "1" / "upload"
    filled = (upload / "worksheet.csv").read_bytes().decode("utf-8")
    assert filled == worksheet("97.43", "90.00", "")
    assert (upload / "feedback.zip").is_file()
