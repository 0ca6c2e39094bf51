"""What a download says in files of its own: who handed something in, when, and for
which assignment.
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

LARGEST_FILE = (
    512 << 20
)  # of Gradescope's metadata, which holds what every autograder printed
LARGEST_RECEIPT = 1 << 20


@dataclass(frozen=True)
class Fact:
    """What a download says about one thing that was handed in: by whom, if it says
    that, and the time.
    """

    people: list[Person] | None = None
    time: str = ""


@dataclass
class Facts:
    """All that a download says, by the name of a folder or of a file before the
    student's own.

    `titles` are the assignments that it names, `unread` the lines that are about
    nothing in the download.
    """

    of: dict[str, Fact] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)


def facts_of(way: Format, name: str, items: list[Item]) -> Facts:
    """What a folder or zip of this name says in files of its own.  Raises Refusal if
    such a file cannot be read.
    """
    facts = Facts()
    for item in items:
        if way.beside and item.path == way.beside:
            _read_beside(facts, way, name, items, item)
        elif way.receipts and re.match(way.receipts, item.path):
            _read_receipt(facts, way, name, item)
    return facts


def _read_beside(
    facts: Facts, way: Format, name: str, items: list[Item], item: Item
) -> None:
    """Read pushes.csv, or Gradescope's metadata."""
    where = f"{name}/{item.path}"
    try:
        data = item.read(LARGEST_FILE)
    except Unreadable as error:
        raise Refusal(f"{where} {error}") from None
    if not item.path.endswith(".csv"):
        facts.of.update(_submissions(data, item.path))
        return
    folders = {
        place.who
        for place in (place_of(way, name, each.path) for each in items)
        if place
    }
    for line, repository, fact in _pushes(parse_table(data, item.path), item.path):
        if repository in folders:
            facts.of[repository] = fact
        else:
            facts.unread.append(
                f"{where}, line {line}: {repository}, which has no folder"
            )


def _pushes(table: Table, name: str) -> Iterator[tuple[int, str, Fact]]:
    """The lines of pushes.csv: in which line of the file a repository is, its name, and
    what is said of it.
    """
    of_repository, of_time = (
        table.column([heading], name) for heading in ("repository", "pushed")
    )
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
                f"{name}, line {line}: {repository} is in line {seen[repository]} already; keep one"
            )
        seen[repository] = line
        people = None
        if of_login is not None:
            people = [_of_a_push(repository, cells[of_login])]
        yield line, repository, Fact(people, cells[of_time])


def _of_a_push(repository: str, login: str) -> Person:
    """Who has pushed: a login with which the name of the repository ends, or else a
    doubt.
    """
    if not login:
        return Person(())
    agrees = (
        ends_with(repository, login.casefold())
        or repository.casefold() == login.casefold()
    )
    return Person((Reading((Claim("github", login),), is_doubt=not agrees),))


def _submissions(data: bytes, name: str) -> Iterator[tuple[str, Fact]]:
    """The submissions of Gradescope's metadata, read one by one, since all at once take
    much memory.
    """
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # all is text
    try:
        for part in re.split(
            rb"^(?=[^\s#-])", data.removeprefix(b"---"), flags=re.MULTILINE
        ):
            for submission, entry in (yaml.load(part, loader) or {}).items():
                people = [_submitter(person) for person in entry[":submitters"]]
                yield submission, Fact(people, entry[":created_at"])
    except (yaml.YAMLError, ValueError, KeyError, AttributeError, TypeError):
        raise Refusal(
            f"{name} is not as its system writes it; download it again"
        ) from None


def _submitter(person: dict[str, str]) -> Person:
    values = {"sid": person.get(":sid") or "", "email": person.get(":email") or ""}
    claims = tuple(Claim(kind, value) for kind, value in values.items() if value)
    return Person((Reading(claims),)) if claims else Person(())


def _read_receipt(facts: Facts, way: Format, name: str, item: Item) -> None:
    """Read what Blackboard writes beside the files of an attempt: who it was, and the
    assignment.
    """
    place = place_of(way, name, item.path)
    try:
        text = decode(item.read(LARGEST_RECEIPT), item.path).text
    except (Unreadable, Refusal):
        facts.unread.append(f"{name}/{item.path}, which cannot be read")
        return
    lines = dict(
        re.findall(
            r"^(Name|Assignment): (.+?) *$",
            text.partition("Submission Field:")[0],
            flags=re.MULTILINE,
        )
    )
    title = lines.get("Assignment", "")
    login = re.search(r"\(([^()]+)\)$", lines.get("Name", ""))
    if not place:
        return
    if title and begins_with(place.who, f"{title}{way.cut}"):
        facts.titles.add(title)
    if login:
        agrees = place.who.casefold().endswith(f"{way.cut}{login.group(1)}".casefold())
        reading = Reading((Claim("username", login.group(1)),), is_doubt=not agrees)
        facts.of[place.who] = Fact([Person((reading,))])
