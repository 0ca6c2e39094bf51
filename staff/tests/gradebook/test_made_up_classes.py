"""Made-up classes whose names, logins and numbers contain each other: no file goes to
another student.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from staff.intake.gathering import Gathered, gather
from staff.intake.owners import owners_of
from staff.intake.roster import Roster, read_roster
from staff.tests.gradebook.samples import lay

pytestmark = pytest.mark.long

WORDS = ["ada", "kim", "lee", "1"]
SLUGS = ["games-lab", "hw", "lab-ada", "kim"]


@dataclass(frozen=True)
class Somebody:
    """Somebody in a made-up class: the words of the name, a number, and what this
    person is and has done.
    """

    words: tuple[str, ...]
    number: int
    is_on_roster: bool
    has_handed_in: bool

    def login(self, separator: str) -> str:
        return separator.join(self.words)

    @property
    def id(self) -> str:
        return f"id{self.number}"

    @property
    def first(self) -> str:
        return self.words[0].title()

    @property
    def last(self) -> str:
        return f"{' '.join(self.words[1:]).title()} X"


@dataclass
class Download:
    """A roster, the files of a download, and the ids of those who handed in each file.

    `is_sure` says that the download leaves nothing open: then each file has to reach
    its owner.
    """

    roster: str
    files: dict[str, Any]
    authors: dict[str, set[str]]
    is_sure: bool = False


@st.composite
def classes(draw: st.DrawFn) -> list[Somebody]:
    names = draw(
        st.lists(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple),
            min_size=1,
            unique=True,
        )
    )
    numbers = draw(st.permutations([1, 2, 11, 12, 21, 111, 112, 121, 211, 1112]))
    people = []
    for words, number in zip(names, numbers, strict=False):
        people.append(Somebody(words, number, draw(st.booleans()), draw(st.booleans())))
    return [*people, Somebody(("zoe",), 9999, True, False)]


def lines(head: str, line: str, people: list[Somebody], separator: str = "-") -> str:
    """A table of those who are on the roster."""
    rows = [
        line.format(
            p=each, login=each.login(separator), first=each.first, last=each.last
        )
        for each in people
        if each.is_on_roster
    ]
    return "\n".join([head, *rows, ""])


def handed(people: list[Somebody]) -> list[Somebody]:
    return [each for each in people if each.has_handed_in]


def classroom(people: list[Somebody], slug: str) -> Download:
    names = {f"{slug}-{each.login('-')}/lab.py": {each.id} for each in handed(people)}
    files = {f"{slug}-submissions/{name}": "x" for name in names}
    return Download(
        lines("id,github", "{p.id},{login}", people), files, names, is_sure=True
    )


def pushes(people: list[Somebody], slug: str) -> Download:
    names = {f"{slug}-{each.login('-')}/lab.py": {each.id} for each in handed(people)}
    table = "".join(
        f"{name.partition('/')[0]},c,2027-02-12T10:00:00Z\n" for name in names
    )
    files = {
        **dict.fromkeys(names, "x"),
        "pushes.csv": f"repository,commit,pushed\n{table}",
    }
    return Download(lines("id,github", "{p.id},{login}", people), files, names)


def pushes_with_logins(people: list[Somebody], slug: str) -> Download:
    download = pushes(people, slug)
    logins = [
        f"{slug}-{each.login('-')},2027-02-12T10:00:00Z,{each.login('-')}\n"
        for each in handed(people)
    ]
    download.files["pushes.csv"] = f"repository,pushed,login\n{''.join(logins)}"
    download.is_sure = True
    return download


def blackboard(people: list[Somebody], slug: str) -> Download:
    title = slug.replace("-", "_")
    names = {
        f"{title}_{each.login('_')}_attempt_2027-02-12-10-00-00_lab.py": {each.id}
        for each in handed(people)
    }
    table = lines(
        "Last Name,First Name,Username,Student ID", "x,x,{login},{p.id}", people, "_"
    )
    by_login = {each.id: each.login("_") for each in people}
    authors = {name: {by_login[id] for id in ids} for name, ids in names.items()}
    return Download(table, {"g.zip": dict.fromkeys(names, "x")}, authors)


def receipts(people: list[Somebody], slug: str) -> Download:
    download = blackboard(people, slug)
    title = slug.replace("-", "_")
    for each in handed(people):
        text = f"Name: Some Body ({each.login('_')})\nAssignment: {title}\n\nSubmission Field:\nx\n"
        download.files["g.zip"][
            f"{title}_{each.login('_')}_attempt_2027-02-12-10-00-00.txt"
        ] = text
    download.is_sure = True
    return download


def canvas(people: list[Somebody], slug: str) -> Download:
    names = {}
    for each in handed(people):
        letters = f"{each.last}{each.first}".replace(" ", "").lower()
        names[f"{letters}_{each.number}_9001_lab.py"] = {each.id}
        names[f"{slug.replace('-', '')}team_{each.number}_9002_lab.py"] = set[
            str
        ]()  # a group with a student's number
    table = lines(
        "Student,ID,SIS User ID,SIS Login ID,Section",
        '"{last}, {first}",{p.number},s,{p.id},A',
        people,
    )
    return Download(table, {"s.zip": dict.fromkeys(names, "x")}, names)


def moodle(people: list[Somebody], slug: str) -> Download:
    names = {}
    for each in handed(people):
        names[
            f"{each.first} {each.last}_{each.number}_assignsubmission_file_/lab.py"
        ] = {each.id}
        names[f"{slug} team_{each.number}_assignsubmission_file_/lab.py"] = set[str]()
    table = lines(
        "Identifier,Full name,ID number,Grade",
        "Participant {p.number},{first} {last},{p.id},",
        people,
    )
    return Download(table, {"m.zip": dict.fromkeys(names, "x")}, names)


def gradescope(people: list[Somebody], slug: str) -> Download:
    names = {f"submission_{each.number}/lab.py": {each.id} for each in handed(people)}
    text = "---\n"
    for each in handed(people):
        text += f"submission_{each.number}:\n  :submitters:\n  - :sid: '{each.id}'\n    :email: {each.login('-')}@x\n"
        text += "  :created_at: 2027-02-12 10:00:00 Z\n"
    table = lines(
        "First Name,Last Name,SID,Email,Total Score", "x,y,{p.id},{login}@x,", people
    )
    return Download(table, {f"{slug}/{name}": "x" for name in names} | {f"{slug}/submission_metadata.yml": text}, names,
                    is_sure=True)  # fmt: skip


def plain(people: list[Somebody], slug: str) -> Download:
    names = {f"{each.login('-')}/lab.py": {each.login("-")} for each in handed(people)}
    return Download(
        lines("id,github,name", "{login},{p.id},x", people),
        {**dict.fromkeys(names, "x"), f"{slug}.txt": "x"},
        names,
    )


SYSTEMS = [
    classroom,
    pushes,
    pushes_with_logins,
    blackboard,
    receipts,
    canvas,
    moodle,
    gradescope,
    plain,
]


def collected(download: Download, folder: Path) -> tuple[Roster, Gathered]:
    """The class, and what is found in a folder."""
    roster = read_roster("roster.csv", download.roster.encode())
    (folder / "downloads").mkdir(parents=True)
    return roster, gather(
        lay(folder / "downloads", download.files), [], roster, "games-lab"
    )


@settings(
    max_examples=300,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(classes(), st.sampled_from(SLUGS), st.sampled_from(SYSTEMS))
def test_no_file_goes_to_another_student(
    people: list[Somebody], slug: str, system: Any
) -> None:
    download = system(people, slug)
    with tempfile.TemporaryDirectory() as folder:
        roster, gathered = collected(download, Path(folder) / "x")
    owners = {
        file.item.path: set(owners_of(file.people, roster).ids)
        for file, _ in gathered.handed
    }
    for path, ids in owners.items():
        assert ids <= download.authors.get(path, set()), f"{path} goes to {ids}"
    mentioned = {*owners, *gathered.beside, *gathered.left}
    unmentioned = {
        path
        for path in download.authors
        if not any(said.endswith(path) for said in mentioned)
    }
    assert not unmentioned
    if download.is_sure:
        for path, ids in download.authors.items():
            assert owners[path] == ids & roster.students.keys()
