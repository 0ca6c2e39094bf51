"""How systems name files (systems.yaml), and what such a name says about a person."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from staff.intake.owners import Claim, Person, Reading
from staff.intake.roster import Roster
from staff.intake.systems import SYSTEMS
from staff.intake.values import comparable

LOGIN = "login"  # the part of a name that is left after the title
# The parts of a name that are equal for all files that somebody handed in together.
_TOGETHER = ("slug", "who", LOGIN, "user", "stated", "whole")


@dataclass(frozen=True)
class Format:
    """How a system names files that were handed in, from a row of systems.yaml."""

    system: str
    at: str  # a pattern for the whole path; its groups are the parts of the name
    # Each reading is a dict.  The key is the field of a claim.  The value is a template
    # for the value of the claim, which the parts of a name fill in.
    readings: list[dict[str, str]] = field(default_factory=list)
    # The readings that are in doubt.  They are written like `readings`.
    doubts: list[dict[str, str]] = field(default_factory=list)
    cut: str = ""  # the separator between a title and a login
    always_cut: bool = False  # whether every name begins with a title
    beside: str = ""  # the name of the file in which the system states facts
    receipts: str = ""  # a pattern for files that the system writes for each attempt


@dataclass(frozen=True)
class Place:
    """The path of a file, divided into its parts."""

    parts: dict[str, str]  # the groups of the pattern `at` that are not empty

    @property
    def who(self) -> str:
        """The part `who` of the path, which says who handed in the file.

        In some formats the part may begin with the name of the assignment.  The text is
        empty if the path has no such part.
        """
        return self.parts.get("who", "")

    @property
    def is_late(self) -> bool:
        """Whether the system says that the file is late."""
        return "late" in self.parts or "late_too" in self.parts

    @property
    def is_typed(self) -> bool:
        """Whether this is the path of a text or link that was typed into the system."""
        return "typed" in self.parts

    @property
    def together(self) -> tuple[str, ...]:
        """The parts that are the same for all files that were handed in together."""
        return tuple(self.parts.get(name, "") for name in _TOGETHER)


FORMATS = [Format(**row) for row in SYSTEMS["downloads"]]
PLAIN = FORMATS[-1]
OF_SYSTEMS = FORMATS[:-1]


def place_of(format: Format, name: str, path: str) -> Place | None:
    """Divide the path of a file into its parts.

    `name` is the name of the folder or zip that has the file.  Return None if the path
    does not have this format.
    """
    match = re.match(format.at, f"{name.removesuffix('.zip')}/{path}")
    if not match:
        return None
    return Place({part: text for part, text in match.groupdict().items() if text})


def person_of(format: Format, place: Place, title: str | None) -> Person:
    """Return the person who handed in a file, according to the path of the file.

    In some formats, a title such as `games-lab-` comes before the login.  `title` is
    this text; None if nobody knows it for certain.
    """
    parts = dict(place.parts)
    is_sure = True
    if format.cut:
        is_sure = title is not None and begins_with(place.who, title)
        parts[LOGIN] = place.who
        if title and is_sure:
            parts[LOGIN] = place.who[len(title) :]
    readings = [_reading(claims, parts, not is_sure) for claims in format.readings]
    readings += [_reading(claims, parts, is_doubt=True) for claims in format.doubts]
    return Person(tuple(reading for reading in readings if reading.claims))


def _reading(claims: dict[str, str], parts: dict[str, str], is_doubt: bool) -> Reading:
    """Make a reading from templates of claims, which the parts of a path fill in.

    If the value of a claim is empty, the reading does not have the claim.
    """
    made = []
    for name, template in claims.items():
        value = template.format_map({"who": "", "user": "", LOGIN: "", **parts})
        if value:
            made.append(Claim(name, value))
    return Reading(tuple(made), is_doubt)


def begins_with(name: str, title: str) -> bool:
    """Whether a name begins with a title, and is longer than the title.

    Upper and lower case do not matter.
    """
    return name.casefold().startswith(title.casefold()) and len(name) > len(title)


def title_of(
    format: Format, names: Iterable[str], known: list[set[str]], roster: Roster
) -> str | None:
    """Find the title: the text before the logins in `names`, such as `games-lab-`.

    Return "" if there is no title, and None if the title is not certain.

    `known` holds sets of titles without the separator at the end.  A title fits if,
    with the separator, it is the beginning of some name.  The first set with a title
    that fits decides.  If several titles of that set fit, the title is not certain.

    If no set decides, the kit looks for beginnings that all names have in common and
    that end with a separator.  The kit is certain in two cases.  In the first case,
    there is no such beginning, and so no title.  In the second case, all of this is
    true: there is exactly one such beginning; what comes after it in some name is a
    login on the roster; there are several names; and no whole name is a login on the
    roster.

    In a format with `always_cut`, every name begins with a title.  So the kit is never
    certain that there is no title, and the second case needs neither of its last two
    conditions.
    """
    names = sorted(set(names))
    for titles in known:
        whole = {f"{title}{format.cut}" for title in titles if title}
        fitting = [
            title for title in whole if any(begins_with(name, title) for name in names)
        ]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    beginnings = common_beginnings(names, format.cut)
    if not beginnings:
        return None if format.always_cut else ""
    if len(beginnings) > 1:
        return None
    if not _leaves_a_login(format, names, beginnings[0], roster):
        return None
    is_unsure = len(names) == 1 or _leaves_a_login(format, names, "", roster)
    if is_unsure and not format.always_cut:
        return None
    return beginnings[0]


def _leaves_a_login(
    format: Format, names: list[str], beginning: str, roster: Roster
) -> bool:
    """Whether some name without this beginning is a login on the roster."""
    logins = [name[len(beginning) :] for name in names]
    for field_name in roster.fields_for(_field_of_logins(format)):
        known = roster.values.get(field_name, frozenset())
        if any(comparable(field_name, login) in known for login in logins):
            return True
    return False


def _field_of_logins(format: Format) -> str:
    """Return the field to which the logins in names of this format belong.

    For example, the field is `github` if the logins are logins of GitHub.
    """
    return next(
        name
        for claims in format.readings
        for name, template in claims.items()
        if template == f"{{{LOGIN}}}"
    )


def common_beginnings(names: list[str], separator: str) -> list[str]:
    """The beginnings that all names have in common and that end with a separator.

    >>> common_beginnings(["games-lab-ada-kim", "games-lab-ada-lee"], "-")
    ['games-', 'games-lab-', 'games-lab-ada-']
    """
    shortest = min(names, key=len, default="")
    beginnings = []
    for place, letter in enumerate(shortest):
        beginning = shortest[: place + 1]
        if letter == separator and all(begins_with(name, beginning) for name in names):
            beginnings.append(beginning)
    return beginnings
