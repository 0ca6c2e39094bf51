"""What lies in downloads: the files that were handed in, read, and what is left over.

How systems name them stands in systems.yaml.  The whole of a folder or zip is one system's, so that no name that a
student chose makes a file somebody else's.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from grader.protocol.words import harmless, plural
from grader.refusal import Refusal
from staff.course.standing import LATE
from staff.gradebook.archives import Item, Lab, Unreadable, is_lab, items_of, items_of_zip, read_lab
from staff.gradebook.roster import Key, Roster
from staff.gradebook.systems import SYSTEMS
from staff.gradebook.tables import parse_table

LARGEST = 64 << 20  # of what a download says in a file of its own
Owners = list[list[Key]]
"""For each of those who handed something in, the keys that tell who that is, the surest first."""
Facts = dict[str, tuple[Owners, str]]
"""What a download says of a submission in a file of its own, by the submission's folder: owners and time."""


@dataclass(frozen=True)
class Format:
    """A system's way to name what was handed in, as systems.yaml says."""

    system: str
    at: str
    keys: dict[str, str] = field(default_factory=dict)
    beside: str = ""


@dataclass(frozen=True)
class Found:
    """A file as its place names it: `name` is what a student called it.

    `stated` is the time that the system states, `said` what else it says.  `number` orders the files of
    one `family` whose times are unknown; 0 if nothing does.
    """

    system: str
    name: str
    item: Item
    owners: Owners
    stated: str
    said: str
    family: str
    number: int


@dataclass
class Gathered:
    """The files handed in, and what each holds; the formats recognised; what is left over."""

    handed: list[tuple[Found, Lab]] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


FORMATS = [Format(**row) for row in SYSTEMS["downloads"]]


def gather(origin: Path, table: Path | None, roster: Roster) -> Gathered:
    """Read a folder or zip of downloads; the roster's table in it is no submission.  Raises Refusal."""
    if not origin.exists() or (origin.is_file() and origin.suffix.lower() != ".zip"):
        raise Refusal(f"there is no folder or zip {origin}; FROM= is the folder or zip that was downloaded")
    gathered = Gathered()
    archives = [file for file in origin.glob("*.zip") if not roster.students_of([("id", file.stem)])]
    for archive in sorted(archives) if origin.is_dir() else [origin]:
        try:
            _read(gathered, archive.name, items_of_zip(archive), roster)
        except Unreadable as error:
            gathered.left.append(f"{harmless(archive.name)} {error}")
    if origin.is_dir():
        taken = {file.resolve() for file in (*archives, table) if file}
        rest = [item for item in items_of(origin) if (origin / item.path).resolve() not in taken]
        _read(gathered, origin.resolve().name, rest, roster)
    return gathered


def _read(gathered: Gathered, name: str, found: Iterable[Item], roster: Roster) -> None:
    """Add what a folder or zip of this name holds."""
    name, items = harmless(name), [replace(item, path=harmless(item.path)) for item in found]
    tops = {item.path.partition("/")[0] for item in items}
    is_flat = any(item.path.count("/") < (2 if is_lab(item.path) else 1) for item in items)
    if len(tops) == 1 and not is_flat and not roster.students_of([("id", min(tops))]):
        name = min(tops)  # a folder around all, and nobody's
        items = [replace(item, path=item.path.partition("/")[2]) for item in items]
    way = next((way for way in FORMATS if _fits(way, name, items)), FORMATS[-1])
    facts, groups = dict(_facts(way, items)), defaultdict[tuple[str, ...], list[Found]](list)
    for item in items:
        if place := re.match(way.at, f"{name}/{item.path}"):
            told = place.groupdict("")
            file = told.pop("file") or (item.path if told.get("whole") else "")
            together = tuple(text for part, text in told.items() if part not in ("late", "number"))
            if file:
                groups[together].append(_found(way, told, file, item, facts))
        elif item.path != way.beside:
            gathered.left.append(f"{name}/{item.path}")
    for files in groups.values():
        gathered.handed += _labs_of(files)
    if groups:
        gathered.formats.append(f"{name}: {way.system}, {plural(sum(map(len, groups.values())), 'file')}")


def _fits(way: Format, name: str, items: list[Item]) -> bool:
    """Whether a system names files as those of a folder or zip of this name are."""
    fitting = [item for item in items if re.match(way.at, f"{name}/{item.path}")]
    return len(fitting) * 2 >= len(items) and way.beside in ("", *(item.path for item in items))


def _found(way: Format, told: dict[str, str], name: str, item: Item, facts: Facts) -> Found:
    """The file at a place that tells so much."""
    owners, time = facts.get(told["who"], ([], ""))
    owners = owners or [[(kind, value.format(**told)) for kind, value in way.keys.items()]]
    number = int(told.get("number", 0))
    family = f"{way.system} {told['user']}" if number else item.path
    said = LATE if told.get("late") else ""
    return Found(way.system, name, item, owners, told.get("stated", time), said, family, number)


def _labs_of(files: list[Found]) -> list[tuple[Found, Lab]]:
    """Of files handed in together those that are a lab.py; if there is none, one of them, with why it is none."""
    named = [found for found in files if is_lab(found.name) and "/" not in found.name]
    named = named or [found for found in files if is_lab(found.name) or found.name == found.item.path]
    read = [(found, read_lab(found.item, found.name, bool(named))) for found in named or files]
    sound = [(found, lab) for found, lab in read if not lab.reason]
    kept = [(found, lab) for found, lab in read if lab.data]  # of which a person may say that it is one
    return sound or kept[:1] or read[:1]


def _facts(way: Format, items: list[Item]) -> Iterator[tuple[str, tuple[Owners, str]]]:
    """What a download says in a file of its own.  Raises Refusal if that cannot be read."""
    try:
        for data in (item.read(LARGEST) for item in items if item.path == way.beside):
            if way.beside.endswith(".csv"):
                for _, row in parse_table(data, way.beside).rows():
                    yield row["repository"], ([], row["pushed"])
            else:
                yield from _metadata(data)
    except (Unreadable, yaml.YAMLError, ValueError, KeyError, AttributeError, TypeError):
        raise Refusal(f"{way.beside} is not as its system writes it; download it again") from None


def _metadata(data: bytes) -> Iterator[tuple[str, tuple[Owners, str]]]:
    """Gradescope's: who handed in, and when."""
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # all is text
    for name, entry in yaml.load(data, loader).items():
        people = [(person.get(":sid") or "", person.get(":email") or "") for person in entry[":submitters"]]
        owners = [[("sid", sid), ("email", email), ("id", sid), ("id", email)] for sid, email in people]
        yield name, (owners, entry[":created_at"])
