"""What is in downloads: the files that were handed in, read, and what is left over.

How systems name files is in naming.py, and what they say in files of their own in
facts.py.  The whole of a folder or zip is one system's, so that no name that a student
chose makes a file somebody else's.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.protocol.words import harmless, plural
from grader.refusal import Refusal
from staff.course.standing import LATE
from staff.intake.archives import (
    Item,
    Lab,
    Unreadable,
    is_lab,
    is_like_a_lab,
    items_of,
    items_of_zip,
    read_lab,
    typed_lab,
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

DEEPEST = 3  # folders around a download
_NUMBERED_BY_CANVAS = re.compile(r"lab(-\d+)?\.py", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A file as its place names it: `name` is what a student called it, and `people`
    are those who handed it in.

    `stated` is the time that the system states, `said` what else it says.  `number`
    orders the files of one `family` whose times are unknown; 0 if nothing does.
    """

    system: str
    name: str
    item: Item
    people: list[Person]
    stated: str
    said: str
    family: str
    number: int


@dataclass
class Gathered:
    """The files handed in, and what each holds; the formats recognized; and what is
    left over.

    `beside` are files that were handed in together with one that is kept, `left` those
    that no system names like this.
    """

    handed: list[tuple[Found, Lab]] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Tree:
    """A folder or zip: its name, and the files in it."""

    name: str
    items: list[Item]

    def folders(self) -> dict[str, "Tree"]:
        """The folders at its top."""
        inner = dict[str, list[Item]]()
        for item in self.items:
            top, slash, rest = item.path.partition("/")
            if slash:
                inner.setdefault(top, []).append(replace(item, path=rest))
        return {name: Tree(name, items) for name, items in inner.items()}

    def without(self, folders: set[str]) -> "Tree":
        """The same without some of the folders at its top."""
        return Tree(
            self.name,
            [item for item in self.items if item.path.partition("/")[0] not in folders],
        )


@dataclass(frozen=True)
class Reader:
    """What is needed to read downloads: the roster, and the name of the assignment as
    course.yaml has it.
    """

    roster: Roster
    assignment: str
    gathered: Gathered = field(default_factory=Gathered)

    def read(self, tree: Tree, depth: int = 0) -> None:
        """Add what a folder or zip holds: all of it as one system names files, or else
        folder by folder.
        """
        way = recognized(tree)
        if way:
            self._read_as(way, tree)
            return
        around = {} if self._is_of_students(tree) else self._downloads_in(tree, depth)
        for inner in around.values():
            self.read(inner, depth + 1)
        rest = tree.without(set(around))
        if rest.items:
            self._read_as(PLAIN, rest)

    def _is_of_students(self, tree: Tree) -> bool:
        """Whether a folder at the top is a student's, or may be: then all folders
        beside it are students' as well.
        """
        return any(is_of_a_student(name, self.roster) for name in tree.folders())

    def _downloads_in(self, tree: Tree, depth: int) -> dict[str, Tree]:
        """The folders at the top that hold a download."""
        return {
            name: inner
            for name, inner in tree.folders().items()
            if self._is_download(inner, depth + 1)
        }

    def _is_download(self, tree: Tree, depth: int) -> bool:
        if (
            recognized(tree)
            or self._is_of_students(tree)
            or self._files_of_students(tree)
        ):
            return True
        return depth < DEEPEST and any(
            self._is_download(inner, depth + 1) for inner in tree.folders().values()
        )

    def _files_of_students(self, tree: Tree) -> bool:
        """Whether a file at the top is named by the id of a student."""
        for item in tree.items:
            place = place_of(PLAIN, tree.name, item.path)
            if (
                place
                and "whole" in place.parts
                and is_of_a_student(place.who, self.roster)
            ):
                return True
        return False

    def _read_as(self, way: Format, tree: Tree) -> None:
        """Add the files of a folder or zip in which a system names them."""
        facts = facts_of(way, tree.name, tree.items)
        placed = [(item, place_of(way, tree.name, item.path)) for item in tree.items]
        title = self._title(way, tree, [place for _, place in placed if place], facts)
        groups = dict[tuple[str, ...], list[tuple[Found, Place]]]()
        for item, place in placed:
            if place and (place.parts.keys() & {"file", "whole", "typed"}):
                found = self._found(way, place, item, facts, title)
                groups.setdefault(place.together, []).append((found, place))
            elif item.path != way.beside:
                self.gathered.left.append(f"{tree.name}/{item.path}")
        self.gathered.left += facts.unread
        for group in groups.values():
            self._add(way, group)
        if groups:
            number = sum(
                1
                for group in groups.values()
                for _, place in group
                if "typed" not in place.parts
            )
            is_known = way is not PLAIN or any(
                self._is_known(group[0][0]) for group in groups.values()
            )
            system = (
                way.system
                if is_known
                else "no system is recognized, and no folder is named by an id"
            )
            self.gathered.formats.append(
                f"{tree.name}: {system}, {plural(number, 'file')}"
            )

    def _is_known(self, found: Found) -> bool:
        return any(students_of(person, self.roster) for person in found.people)

    def _title(
        self, way: Format, tree: Tree, places: list[Place], facts: Facts
    ) -> str | None:
        """What is written in front of the logins; None if nobody can be sure of it."""
        if not way.cut:
            return ""
        known = [
            facts.titles,
            {tree.name.removesuffix("-submissions")},
            {self.assignment},
        ]
        title = title_of(way, [place.who for place in places], known, self.roster)
        if len(facts.titles) > 1:
            self.gathered.formats.append(
                f"{tree.name}: several assignments: {', '.join(sorted(facts.titles))}"
            )
        elif title is None and any(
            facts.of.get(place.who, Fact()).people is None for place in places
        ):
            self.gathered.formats.append(
                f"{tree.name}: nothing says for sure where the logins begin"
            )
        return title

    def _found(
        self, way: Format, place: Place, item: Item, facts: Facts, title: str | None
    ) -> Found:
        """The file at a place that says so much."""
        fact = facts.of.get(place.who)
        people = [person_of(way, place, title)]
        if fact and fact.people is not None:
            people = fact.people
        elif not way.readings:
            people = []
        if len(facts.titles) > 1:
            people = [_doubted(person) for person in people]
        name = place.parts.get("file") or place.parts.get("typed") or item.path
        number = int(place.parts.get("number", 0))
        family = f"{way.system} {place.parts['user']}" if number else item.path
        time = place.parts.get("stated") or (fact.time if fact else "")
        return Found(
            way.system,
            name,
            item,
            people,
            time,
            LATE if place.is_late else "",
            family,
            number,
        )

    def _add(self, way: Format, group: list[tuple[Found, Place]]) -> None:
        """Add what was handed in together."""
        files = [found for found, place in group if "typed" not in place.parts]
        typed = [found for found, place in group if "typed" in place.parts]
        if not files:
            self.gathered.handed.append(
                (typed[0], typed_lab(typed[0].name, way.system))
            )
            self.gathered.beside += [found.item.path for found in typed[1:]]
            return
        labs = _labs_of(files)
        kept = {found.item.path for found, _ in labs}
        others = files if way.receipts else [*files, *typed]
        self.gathered.beside += [
            found.item.path for found in others if found.item.path not in kept
        ]
        self.gathered.handed += (
            _of_one_attempt(labs) if way.system == "Canvas" else labs
        )


def gather(
    origin: Path, tables: Iterable[Path | None], roster: Roster, assignment: str
) -> Gathered:
    """Read a folder or zip of downloads; the tables that were named beside it are no
    submissions.  Raises Refusal.
    """
    if not origin.exists() or (origin.is_file() and origin.suffix.lower() != ".zip"):
        raise Refusal(
            f"there is no folder or zip {origin}; FROM= is the folder or zip that was downloaded"
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
    """The zips at the top of a folder that are downloads, and not what a student handed
    in.
    """
    for file in folder.iterdir():
        if file.suffix.lower() != ".zip" or not file.is_file():
            continue
        is_named_by_a_system = any(
            place_of(way, folder.name, file.name) for way in OF_SYSTEMS
        )
        if not is_named_by_a_system and not is_of_a_student(file.stem, roster):
            yield file


def is_of_a_student(name: str, roster: Roster) -> bool:
    """Whether a folder or file of this name is a student's, or may be."""
    return bool(students_of(person_of(PLAIN, Place({"who": name}), ""), roster))


def _tree(name: str, items: Iterator[Item]) -> Tree:
    return Tree(
        harmless(name), [replace(item, path=harmless(item.path)) for item in items]
    )


def recognized(tree: Tree) -> Format | None:
    """The system that names files like most of a folder or zip; None if that is not
    half of them.
    """
    best, most = None, 0
    for way in OF_SYSTEMS:
        fitting = sum(1 for item in tree.items if place_of(way, tree.name, item.path))
        has_beside = not way.beside or any(
            item.path == way.beside for item in tree.items
        )
        if has_beside and fitting * 2 >= len(tree.items) and fitting > most:
            best, most = way, fitting
    return best


def _doubted(person: Person) -> Person:
    """The same person, of whom nobody can be sure."""
    return Person(
        tuple(Reading(reading.claims, is_doubt=True) for reading in person.readings)
    )


def _labs_of(files: list[Found]) -> list[tuple[Found, Lab]]:
    """Which of the files that were handed in together are a lab.py.

    If none is, one of the files with why it is none: rather one that a person may say
    it of.
    """
    named = [found for found in files if is_lab(found.name) and "/" not in found.name]
    named = named or [
        found for found in files if is_lab(found.name) or found.name == found.item.path
    ]
    read = [
        (found, read_lab(found.item, found.name, bool(named)))
        for found in named or files
    ]
    sound = [(found, lab) for found, lab in read if not lab.reason]
    if sound:
        return sound
    kept = [(found, lab) for found, lab in read if lab.data]
    alike = [(found, lab) for found, lab in kept if is_like_a_lab(found.name)]
    return (alike or kept or read)[:1]


def _of_one_attempt(labs: list[tuple[Found, Lab]]) -> list[tuple[Found, Lab]]:
    """The files of one attempt in Canvas: only names that Canvas itself has numbered
    say which one is the last.
    """
    if len(labs) < 2 or all(
        _NUMBERED_BY_CANVAS.fullmatch(found.name) for found, _ in labs
    ):
        return labs
    last = max(found.number for found, _ in labs)
    return [(replace(found, number=last), lab) for found, lab in labs]
