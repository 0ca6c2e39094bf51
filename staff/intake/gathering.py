"""Gathers the files of students in downloads, each with what is known of the file.

A download is a folder or zip with the files of several students, as a course system
makes it.  The kit reads all files of a download as files of one system.  Otherwise a
student could choose a file name that makes the file belong to somebody else.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.protocol.text import harmless, plural
from grader.refusal import Refusal
from staff.course.standing import LATE
from staff.intake.archives import (
    Content,
    Item,
    Unreadable,
    content_of,
    is_lab,
    is_like_a_lab,
    items_of,
    items_of_zip,
    typed_content,
)
from staff.intake.facts import Fact, Facts, facts_of
from staff.intake.naming import (
    OF_SYSTEMS,
    PLAIN,
    Format,
    Place,
    person_of,
    place_of,
    title_of,
)
from staff.intake.owners import Person, Reading, students_of
from staff.intake.roster import Roster

DEEPEST = 3  # how many folders there may be around a download
_NUMBERED_BY_CANVAS = re.compile(r"lab(-\d+)?\.py", re.IGNORECASE)
# A format divides a path into named parts.  If one of the parts has one of these names,
# a student has handed the file in.
_OF_FILES = {"file", "whole", "typed"}


@dataclass(frozen=True)
class File:
    """A file that was handed in, with what the download says about the file."""

    system: str  # the system from which the download comes
    name: str  # the name that the student gave
    item: Item
    people: list[Person]  # those who handed the file in together
    stated: str  # the time that the system states; empty if it states none
    said: str  # LATE if the system says that the file is late; otherwise empty
    family: str  # files with the same family can be ordered by their numbers
    number: int  # the order in the family; 0 if the system says nothing about it
    # Whether a student typed this text or link into the system.
    is_typed: bool


Pair = tuple[File, Content]
"""A file, and its content."""


@dataclass
class Gathered:
    """Everything that was found in downloads."""

    handed: list[Pair] = field(default_factory=list)
    # Sentences that say how the kit has read each folder or zip.
    formats: list[str] = field(default_factory=list)
    # The paths of files that the kit leaves out.  Each was handed in together with
    # another file, which the kit takes.
    beside: list[str] = field(default_factory=list)
    # What the kit did not understand, such as a file whose name no system writes.
    left: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Tree:
    """A folder or zip, with all files in it."""

    name: str
    items: list[Item]  # all files below it

    def folders(self) -> dict[str, "Tree"]:
        """The folders at the top of this tree.  The keys are their names."""
        inner = dict[str, list[Item]]()
        for item in self.items:
            top, slash, rest = item.path.partition("/")
            if slash:
                inner.setdefault(top, []).append(replace(item, path=rest))
        return {name: Tree(name, items) for name, items in inner.items()}

    def without(self, folders: set[str]) -> "Tree":
        """Return this tree without the folders at its top that have these names."""
        rest = [
            item for item in self.items if item.path.partition("/")[0] not in folders
        ]
        return Tree(self.name, rest)


@dataclass(frozen=True)
class Reader:
    """Reads downloads, and gathers the files in them."""

    roster: Roster
    assignment: str  # the name of the assignment, as course.yaml states it
    gathered: Gathered = field(default_factory=Gathered)

    def read(self, tree: Tree, depth: int = 0) -> None:
        """Gather the files in a folder or zip.

        If the files have the format of a system, the reader reads all of them in that
        format.  Otherwise it reads each download in the tree on its own, and reads the
        other files as files of no system.  `depth` is the number of folders around the
        tree.
        """
        format = recognized(tree)
        if format:
            self._read_as(format, tree)
            return
        downloads = dict[str, Tree]()
        if not self._is_of_students(tree):
            downloads = self._downloads_in(tree, depth)
        for inner in downloads.values():
            self.read(inner, depth + 1)
        rest = tree.without(set(downloads))
        if rest.items:
            self._read_as(PLAIN, rest)

    def _is_of_students(self, tree: Tree) -> bool:
        """Whether the name of some folder at the top of a tree names a student.

        If so, the kit takes all other folders at the top for folders of students too.
        """
        return any(is_of_a_student(name, self.roster) for name in tree.folders())

    def _downloads_in(self, tree: Tree, depth: int) -> dict[str, Tree]:
        """Return the folders at the top of a tree that are downloads or contain one.

        The keys are the names of the folders.
        """
        return {
            name: inner
            for name, inner in tree.folders().items()
            if self._is_download(inner, depth + 1)
        }

    def _is_download(self, tree: Tree, depth: int) -> bool:
        """Whether a folder is a download or contains one."""
        if recognized(tree) or self._is_of_students(tree):
            return True
        if self._has_file_of_a_student(tree):
            return True
        return depth < DEEPEST and any(
            self._is_download(inner, depth + 1) for inner in tree.folders().values()
        )

    def _has_file_of_a_student(self, tree: Tree) -> bool:
        """Whether the name of some file at the top of a tree names a student.

        The file must be a zip or end with .py.
        """
        for item in tree.items:
            place = place_of(PLAIN, tree.name, item.path)
            is_whole = place is not None and "whole" in place.parts
            if place and is_whole and is_of_a_student(place.who, self.roster):
                return True
        return False

    def _read_as(self, format: Format, tree: Tree) -> None:
        """Gather the files of a folder or zip, and read their names in this format."""
        facts = facts_of(format, tree.name, tree.items)
        placed = [(item, place_of(format, tree.name, item.path)) for item in tree.items]
        title = self._title(
            format, tree, [place for _, place in placed if place], facts
        )
        groups = dict[tuple[str, ...], list[File]]()
        for item, place in placed:
            if place and place.parts.keys() & _OF_FILES:
                file = _file(format, place, item, facts, title)
                groups.setdefault(place.together, []).append(file)
            elif item.path != format.beside:
                self.gathered.left.append(f"{tree.name}/{item.path}")
        self.gathered.left += facts.unread
        for group in groups.values():
            self._add(format, group)
        if groups:
            how = self._how_read(format, [*groups.values()])
            self.gathered.formats.append(f"{tree.name}: {how}")

    def _how_read(self, format: Format, groups: list[list[File]]) -> str:
        """Say to which system the files belong, and how many files there are."""
        system = format.system
        if format is PLAIN and not any(self._is_known(group[0]) for group in groups):
            system = "no system is recognized, and no folder is named by an id"
        files = [file for group in groups for file in group if not file.is_typed]
        return f"{system}, {plural(len(files), 'file')}"

    def _is_known(self, file: File) -> bool:
        """Whether a student on the roster may have handed in this file."""
        return any(students_of(person, self.roster) for person in file.people)

    def _title(
        self, format: Format, tree: Tree, places: list[Place], facts: Facts
    ) -> str | None:
        """Return the text before the logins in a download, such as `games-lab-`.

        Return None if it is not certain which text this is, and "" if there is no such
        text.
        """
        if not format.cut:
            return ""
        known = [
            facts.titles,
            {tree.name.removesuffix("-submissions")},
            {self.assignment},
        ]
        title = title_of(format, [place.who for place in places], known, self.roster)
        if len(facts.titles) > 1:
            titles = ", ".join(sorted(facts.titles))
            self.gathered.formats.append(f"{tree.name}: several assignments: {titles}")
        elif title is None and any(
            facts.of.get(place.who, Fact()).people is None for place in places
        ):
            self.gathered.formats.append(
                f"{tree.name}: nothing says for sure where the logins begin"
            )
        return title

    def _add(self, format: Format, group: list[File]) -> None:
        """Gather files that were handed in together."""
        files = [file for file in group if not file.is_typed]
        typed = [file for file in group if file.is_typed]
        if not files:
            content = typed_content(typed[0].name, format.system)
            self.gathered.handed.append((typed[0], content))
            self.gathered.beside += [file.item.path for file in typed[1:]]
            return
        labs = _labs_of(files)
        kept = {file.item.path for file, _ in labs}
        # In a format with receipts, a typed text is in fact a receipt.  The system
        # wrote the receipt, and no student handed it in.
        handed = files if format.receipts else [*files, *typed]
        paths = [file.item.path for file in handed]
        self.gathered.beside += [path for path in paths if path not in kept]
        if format.system == "Canvas":
            labs = _in_order_of_attempts(labs)
        self.gathered.handed += labs


def _file(
    format: Format, place: Place, item: Item, facts: Facts, title: str | None
) -> File:
    """Make a File from what the path of a file and the facts of the download say.

    `title` is the text before the logins in the download, such as `games-lab-`.  It is
    None if nobody knows this text for certain.
    """
    fact = facts.of.get(place.who, Fact())
    people = [person_of(format, place, title)]
    if fact.people is not None:
        people = fact.people
    elif not format.readings:
        people = []
    if len(facts.titles) > 1:
        people = [_doubted(person) for person in people]
    number = int(place.parts.get("number", 0))
    return File(
        system=format.system,
        name=place.parts.get("file") or place.parts.get("typed") or item.path,
        item=item,
        people=people,
        stated=place.parts.get("stated") or fact.time,
        said=LATE if place.is_late else "",
        family=f"{format.system} {place.parts['user']}" if number else item.path,
        number=number,
        is_typed=place.is_typed,
    )


def gather(
    origin: Path, tables: Iterable[Path | None], roster: Roster, assignment: str
) -> Gathered:
    """Gather the files of students in `origin`, a folder or zip of downloads.

    `tables` are other files that the command names, such as the roster.  They may be in
    `origin`, but no student has handed them in.  Raises Refusal if `origin` is no
    folder or zip, if a folder cannot be read, or if a file with facts of a system
    cannot be read.
    """
    if not origin.exists() or (origin.is_file() and origin.suffix.lower() != ".zip"):
        raise Refusal(
            f"there is no folder or zip {origin}; "
            "FROM= is the folder or zip that was downloaded"
        )
    reader = Reader(roster, assignment)
    archives = sorted(_archives(origin, roster)) if origin.is_dir() else [origin]
    for archive in archives:
        try:
            reader.read(_tree(archive.name, items_of_zip(archive)))
        except Unreadable as error:
            reader.gathered.left.append(f"{harmless(archive.name)} {error}")
    if origin.is_dir():
        taken = {file.resolve() for file in (*archives, *tables) if file}
        rest = (
            item
            for item in items_of(origin)
            if (origin / item.path).resolve() not in taken
        )
        reader.read(_tree(origin.resolve().name, rest))
    return reader.gathered


def _archives(folder: Path, roster: Roster) -> Iterator[Path]:
    """Yield the downloads among the zips that are directly in a folder.

    A student may also hand in a zip.  Such a zip is no download.  Its name has the
    format of a system, or names a student.
    """
    for file in folder.iterdir():
        if file.suffix.lower() != ".zip" or not file.is_file():
            continue
        is_named_by_a_system = any(
            place_of(format, folder.name, file.name) for format in OF_SYSTEMS
        )
        if not is_named_by_a_system and not is_of_a_student(file.stem, roster):
            yield file


def is_of_a_student(name: str, roster: Roster) -> bool:
    """Whether the name of a folder or file names a student.

    The name may be the student's id, name, or login on GitHub.
    """
    return bool(students_of(person_of(PLAIN, Place({"who": name}), ""), roster))


def _tree(name: str, items: Iterator[Item]) -> Tree:
    """Make a tree of files whose paths can be printed safely."""
    safe = [replace(item, path=harmless(item.path)) for item in items]
    return Tree(harmless(name), safe)


def recognized(tree: Tree) -> Format | None:
    """Return the format of a system that fits the most files of a folder or zip.

    Return None if no format fits at least half of the files.  A system may write a file
    of facts beside the files of students.  The format of such a system fits only if
    this file is there.
    """
    best = None
    most = 0
    for format in OF_SYSTEMS:
        fitting = [
            item for item in tree.items if place_of(format, tree.name, item.path)
        ]
        has_beside = not format.beside or any(
            item.path == format.beside for item in tree.items
        )
        if has_beside and len(fitting) * 2 >= len(tree.items) and len(fitting) > most:
            best = format
            most = len(fitting)
    return best


def _doubted(person: Person) -> Person:
    """Return the same person, but with all readings in doubt."""
    return Person(
        tuple(Reading(reading.claims, is_doubt=True) for reading in person.readings)
    )


def _labs_of(files: list[File]) -> list[Pair]:
    """Return each lab.py among files that were handed in together, with its Content.

    If no file is a lab.py, return one file.  Its Content says why the file is not a
    lab.py.  If possible, this is a file that a person could still accept as a lab.py.
    """
    named = [file for file in files if is_lab(file.name) and "/" not in file.name]
    if not named:
        named = [
            file for file in files if is_lab(file.name) or file.name == file.item.path
        ]
    pairs = [
        (file, content_of(file.item, file.name, bool(named))) for file in named or files
    ]
    sound = [(file, content) for file, content in pairs if not content.reason]
    if sound:
        return sound
    kept = [(file, content) for file, content in pairs if content.data]
    alike = [(file, content) for file, content in kept if is_like_a_lab(file.name)]
    return (alike or kept or pairs)[:1]


def _in_order_of_attempts(labs: list[Pair]) -> list[Pair]:
    """Return the files that one person handed in through Canvas, in one download, with
    numbers that order them as far as that is possible.

    When somebody hands in again, Canvas calls the new file lab-1.py, then lab-2.py, and
    so on.  If all names are like this, or lab.py, or if there is only one file, each
    file keeps its number.  Otherwise some of the files may be of the same attempt, and
    nothing says which file is the last.  Then all files get the same number.
    """
    are_numbered = all(_NUMBERED_BY_CANVAS.fullmatch(file.name) for file, _ in labs)
    if len(labs) < 2 or are_numbered:
        return labs
    last = max(file.number for file, _ in labs)
    return [(replace(file, number=last), content) for file, content in labs]
