"""Reads the facts that a download states in files of its own: who handed in what, and
when.

Such a file is pushes.csv, the metadata of Gradescope, or a receipt of Blackboard.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from grader.refusal import Refusal
from staff.intake.archives import Item, Unreadable
from staff.intake.naming import Format, begins_with, place_of
from staff.intake.owners import Claim, Person, Reading, ends_with
from staff.intake.tables import Table, decode, parse_table

# Gradescope's metadata holds everything that the autograder printed, so it may be
# large.
LARGEST_FILE = 512 << 20
LARGEST_RECEIPT = 1 << 20
_TOP_LEVEL = re.compile(rb"^(?=[^\s#-])", re.MULTILINE)  # where an entry begins
_OF_RECEIPT = re.compile(r"^(Name|Assignment): (.+?) *$", re.MULTILINE)


@dataclass(frozen=True)
class Fact:
    """What a download states about one submission: who handed it in, and when."""

    people: list[Person] | None = None  # who handed it in; None if that is not stated
    time: str = ""  # the time as the download writes it; empty if it states none


@dataclass
class Facts:
    """Everything that a download states in files of its own."""

    # The facts.  The key is the part of a path that says who handed in the file: the
    # name of a folder, or the beginning of the name of a file.
    of: dict[str, Fact] = field(default_factory=dict)
    # The names of assignments that the download states.
    titles: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)  # what could not be used, in words


def facts_of(format: Format, name: str, items: list[Item]) -> Facts:
    """Return the facts that a folder or zip with the name `name` states.

    `items` are all files in the folder or zip.  Raises Refusal if pushes.csv or
    Gradescope's metadata cannot be read.  If a receipt cannot be read, `unread` says
    so.
    """
    facts = Facts()
    for item in items:
        if format.beside and item.path == format.beside:
            _read_beside(facts, format, name, items, item)
        elif format.receipts and re.match(format.receipts, item.path):
            _read_receipt(facts, format, name, item)
    return facts


def _read_beside(
    facts: Facts, format: Format, name: str, items: list[Item], item: Item
) -> None:
    """Add the facts in pushes.csv or in Gradescope's metadata.

    Raises Refusal if the file cannot be read.
    """
    where = f"{name}/{item.path}"
    try:
        data = item.read(LARGEST_FILE)
    except Unreadable as error:
        raise Refusal(f"{where} {error}") from None
    if not item.path.endswith(".csv"):
        facts.of.update(_submissions(data, item.path))
        return
    places = [place_of(format, name, item.path) for item in items]
    folders = {place.who for place in places if place}
    for line, repository, fact in _pushes(parse_table(data, item.path), item.path):
        if repository in folders:
            facts.of[repository] = fact
        else:
            facts.unread.append(
                f"{where}, line {line}: {repository}, which has no folder"
            )


def _pushes(table: Table, name: str) -> Iterator[tuple[int, str, Fact]]:
    """Yield what each line of pushes.csv states.

    That is the number of the line in the file, the name of the repository, and the
    Fact.  Raises Refusal if a column is missing or appears twice, or if two lines name
    the same repository.
    """
    of_repository = table.column(["repository"], name)
    of_time = table.column(["pushed"], name)
    of_login = table.column(["login", "github", "github_username"], name)
    if of_repository is None or of_time is None:
        raise Refusal(
            f"{name} needs the columns repository and pushed; make pushes writes them"
        )
    seen = dict[str, int]()
    for number, cells in table.texts():
        line = table.line_in_file(number)
        cells += [""] * (len(table.heads) - len(cells))
        repository = cells[of_repository]
        if repository in seen:
            raise Refusal(
                f"{name}, line {line}: {repository} is in line {seen[repository]} "
                "already; keep one"
            )
        seen[repository] = line
        people = None
        if of_login is not None:
            people = [_of_a_push(repository, cells[of_login])]
        yield line, repository, Fact(people, cells[of_time])


def _of_a_push(repository: str, login: str) -> Person:
    """Return the person who pushed, according to a line of pushes.csv.

    Somebody else may have pushed to a student's repository.  So the login is in doubt
    unless the name of the repository ends with the login.  If the login is empty, the
    Person has no readings.
    """
    if not login:
        return Person(())
    agrees = (
        ends_with(repository, login.casefold())
        or repository.casefold() == login.casefold()
    )
    return Person((Reading((Claim("github", login),), is_doubt=not agrees),))


def _submissions(data: bytes, name: str) -> Iterator[tuple[str, Fact]]:
    """Yield the name and the Fact of each submission in Gradescope's metadata.

    The submissions are read one by one, because reading all at once takes much memory.
    Raises Refusal if the metadata is not as Gradescope writes it.
    """
    # This loader reads every value in the YAML file as text, so no id becomes a number.
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        for part in _TOP_LEVEL.split(data.removeprefix(b"---")):
            for submission, entry in (yaml.load(part, loader) or {}).items():
                people = [_submitter(person) for person in entry[":submitters"]]
                yield submission, Fact(people, entry[":created_at"])
    except (yaml.YAMLError, ValueError, KeyError, AttributeError, TypeError):
        raise Refusal(
            f"{name} is not as its system writes it; download it again"
        ) from None


def _submitter(person: dict[str, str]) -> Person:
    """Return the person whom Gradescope's metadata names as a submitter."""
    values = {"sid": person.get(":sid") or "", "email": person.get(":email") or ""}
    claims = tuple(Claim(name, value) for name, value in values.items() if value)
    return Person((Reading(claims),)) if claims else Person(())


def _read_receipt(facts: Facts, format: Format, name: str, item: Item) -> None:
    """Add the facts in a receipt, which Blackboard writes for each attempt.

    If the receipt cannot be read, `facts.unread` says so.
    """
    place = place_of(format, name, item.path)
    try:
        text = decode(item.read(LARGEST_RECEIPT), item.path).text
    except (Unreadable, Refusal):
        facts.unread.append(f"{name}/{item.path}, which cannot be read")
        return
    if not place:
        return
    # Everything below the line `Submission Field:` comes from the student, so it states
    # no facts.
    head = text.partition("Submission Field:")[0]
    lines = dict(_OF_RECEIPT.findall(head))
    title = lines.get("Assignment", "")
    if title and begins_with(place.who, f"{title}{format.cut}"):
        facts.titles.add(title)
    login = re.search(r"\(([^()]+)\)$", lines.get("Name", ""))
    if login:
        ending = f"{format.cut}{login.group(1)}".casefold()
        agrees = place.who.casefold().endswith(ending)
        reading = Reading((Claim("username", login.group(1)),), is_doubt=not agrees)
        facts.of[place.who] = Fact([Person((reading,))])
