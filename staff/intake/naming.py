"""How systems name what is handed in (systems.yaml), and what the name of a file says
about who it was.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from staff.intake.owners import Claim, Person, Reading
from staff.intake.roster import Roster
from staff.intake.systems import SYSTEMS
from staff.intake.values import comparable


@dataclass(frozen=True)
class Format:
    """A system's way to name what was handed in, as systems.yaml says."""

    system: str
    at: str
    readings: list[dict[str, str]] = field(default_factory=list)
    doubts: list[dict[str, str]] = field(default_factory=list)
    cut: str = ""
    always_cut: bool = False
    beside: str = ""
    receipts: str = ""


@dataclass(frozen=True)
class Place:
    """What the path of a file says: its parts by the names of the groups in `at`,
    without the empty ones.
    """

    parts: dict[str, str]

    @property
    def who(self) -> str:
        """How the system names whoever handed it in, together with what it writes in
        front.
        """
        return self.parts.get("who", "")

    @property
    def is_late(self) -> bool:
        """Whether the system says that the file is late."""
        return "late" in self.parts or "late_too" in self.parts

    @property
    def together(self) -> tuple[str, ...]:
        """What the files that somebody handed in together have in common."""
        return tuple(
            self.parts.get(name, "")
            for name in ("slug", "who", "login", "user", "stated", "whole")
        )


FORMATS = [Format(**row) for row in SYSTEMS["downloads"]]
PLAIN = FORMATS[-1]
OF_SYSTEMS = FORMATS[:-1]


def place_of(way: Format, name: str, path: str) -> Place | None:
    """What a path says in a folder or zip of this name; None if the system does not
    name files like this.
    """
    match = re.match(way.at, f"{name.removesuffix('.zip')}/{path}")
    return (
        Place({part: text for part, text in match.groupdict().items() if text})
        if match
        else None
    )


def person_of(way: Format, place: Place, title: str | None) -> Person:
    """Who handed in a file, as its name says; `title` is what is written in front of a
    login, None if nobody knows.
    """
    parts, is_sure = place.parts, True
    if way.cut:
        is_sure = title is not None and begins_with(place.who, title)
        parts = {
            **parts,
            "login": place.who[len(title or "") :] if is_sure else place.who,
        }
    readings = [
        _reading(claims, parts, is_doubt=not is_sure) for claims in way.readings
    ]
    readings += [_reading(claims, parts, is_doubt=True) for claims in way.doubts]
    return Person(tuple(reading for reading in readings if reading.claims))


def _reading(
    claims: dict[str, str], parts: dict[str, str], is_doubt: bool = False
) -> Reading:
    """The claims whose part a name has."""
    made = []
    for name, template in claims.items():
        value = template.format_map({"who": "", "user": "", "login": "", **parts})
        if value:
            made.append(Claim(name, value))
    return Reading(tuple(made), is_doubt)


def begins_with(name: str, title: str) -> bool:
    """Whether a name begins with a title, and goes on."""
    return name.casefold().startswith(title.casefold()) and len(name) > len(title)


def title_of(
    way: Format, names: Iterable[str], known: list[set[str]], roster: Roster
) -> str | None:
    """What is written in front of the logins in the names of a download; None if nobody
    can be sure of it.

    That is the name of the assignment, where names begin with it: the first of `known`
    decides in which there is one.  Without that, nothing but this is sure: all names
    have exactly one beginning in common that ends with a separator, behind it a name is
    a login of the roster, and no whole name is one; or they have no beginning in
    common.
    """
    names = sorted(set(names))
    for titles in known:
        whole = {f"{title}{way.cut}" for title in titles if title}
        fitting = [
            title for title in whole if any(begins_with(name, title) for name in names)
        ]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    beginnings = common_beginnings(names, way.cut)
    if not beginnings:
        return None if way.always_cut else ""
    if len(beginnings) > 1 or not _leaves_a_login(way, names, beginnings[0], roster):
        return None
    if way.always_cut:
        return beginnings[0]
    is_unsure = len(names) == 1 or _leaves_a_login(way, names, "", roster)
    return None if is_unsure else beginnings[0]


def _leaves_a_login(
    way: Format, names: list[str], beginning: str, roster: Roster
) -> bool:
    """Whether behind a beginning one of the names is a login of the roster."""
    field_name = next(
        name
        for claims in way.readings
        for name, value in claims.items()
        if value == "{login}"
    )
    for own in roster.fields_for(field_name):
        if any(
            comparable(own, name[len(beginning) :]) in roster.values.get(own, ())
            for name in names
        ):
            return True
    return False


def common_beginnings(names: list[str], separator: str) -> list[str]:
    """The beginnings that all names have in common, and that end with a separator.

    >>> common_beginnings(["games-lab-ada-kim", "games-lab-ada-lee"], "-")
    ['games-', 'games-lab-', 'games-lab-ada-']
    """
    first = min(names, key=len, default="")
    ends = [place + 1 for place, letter in enumerate(first) if letter == separator]
    return [
        first[:end]
        for end in ends
        if all(begins_with(name, first[:end]) for name in names)
    ]
