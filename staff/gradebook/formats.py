"""How course systems name what was handed in: a pattern for the paths in a folder or zip (systems.yaml).

What a student chose stands last in a path, and the first place that fits is taken, so that no name of a file makes it
somebody else's.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from staff.gradebook.archives import Item
from staff.gradebook.roster import Key
from staff.gradebook.systems import SYSTEMS

PUSHES, METADATA = "pushes.csv", "submission_metadata.yml"
Owners = tuple[tuple[Key, ...], ...]
"""For each of those who handed something in, the keys that tell who that is, the surest first."""
Facts = Mapping[str, tuple[Owners, str]]
"""What an export says of a submission in a file of its own, by the submission's folder: owners and time."""


@dataclass(frozen=True)
class Format:
    """A system's way, as systems.yaml says."""

    system: str
    at: str
    keys: dict[str, str]
    says: str = ""

    def match(self, path: str) -> re.Match[str] | None:
        """The place of a path that fits, behind as few folders as can be."""
        return re.match(rf"(?:[^/]+/){{{1 if self is PLAIN else '0,2'}}}?{self.at}", path)


@dataclass(frozen=True)
class Found:
    """A file as its place names it; `group` is what was handed in with it.

    `stated` is the time that the system states, `said` what else it says.  `number` orders the files of one `family`
    whose times are unknown; 0 if nothing does.
    """

    source: str
    name: str
    item: Item
    owners: Owners
    group: str
    stated: str
    said: str
    family: str
    number: int


FORMATS = [Format(**row) for row in SYSTEMS["downloads"]]
PLAIN = FORMATS[-1]


def recognised(name: str, items: Iterable[Item]) -> Format:
    """The way in which the files of a folder or zip of this name are named; plain if no system's fits.

    A system's names begin in one folder, and most files have them: so no student's folder makes a class another
    system's.
    """
    paths = [f"{name}/{item.path}" for item in items]
    for way in FORMATS[:-1]:
        places = [place for place in map(way.match, paths) if place]
        leads = {place.string[: place.start("start")] for place in places}
        fits = len(places) * 2 >= len(paths) and (f"{name}/{PUSHES}" in paths) == (way.system == "GitHub")
        if fits and len(leads) == 1 and all(path.startswith(min(leads)) or path.count("/") == 1 for path in paths):
            return way
    return PLAIN


def found_at(way: Format, place: re.Match[str], item: Item, facts: Facts) -> Found | None:
    """What the file at a place is; None if the system itself has put it there."""
    parts = place.groupdict("")
    source = place.string[place.start("start") :]
    name = parts["file"] or (source if parts.get("whole") else "")
    if not name:
        return None
    owners, time = facts.get(parts["who"], ((), ""))
    keys = tuple((kind, parts[part]) for kind, part in way.keys.items())
    number, user = int(parts.get("number", 0)), f"{way.system} {parts.get('user')}"
    family, group = (user, user) if number else (source, source.removesuffix(name))
    said = "LATE" if parts.get("late") else ""
    return Found(source, name, item, owners or (keys,), group, parts.get("stated") or time, said, family, number)
