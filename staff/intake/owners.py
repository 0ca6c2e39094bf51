"""Decides which students a file belongs to.  No other module decides this.

The path of a file, and the facts that the system states, can be read in one way or in
several.  A reading makes claims, for example that the student's login is `ada`.  A file
belongs to a student only if exactly one student fits a reading, and if no claim of that
reading is false for that student.  Every other file belongs to nobody.  For such a
file, the students to whom it may belong are listed, and a person decides.
"""

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from staff.intake.roster import Roster, Student
from staff.intake.values import ID, NAME, comparable

# The field of a claim for a text such as `Group 7-Ada Kim`.  Moodle writes the name of
# a student after the name of a group and a dash.  Such a claim can only confirm another
# claim.
NAME_BEHIND_A_GROUP = "name behind a group"
# The fields of a claim that hold a login.  The value of such a claim may come from the
# name of a file or folder.  Then it may be longer and contain the login, as in
# `ada_bob`.
_LOGINS = (ID, "github", "username")


@dataclass(frozen=True)
class Claim:
    """A statement about who a person is."""

    field: str  # such as `github` or `name`
    value: str  # as it is written


@dataclass(frozen=True)
class Reading:
    """One way to read who a person is."""

    claims: tuple[Claim, ...]  # all of them must be true of the same student
    # A reading that is in doubt gives the file to nobody.  But if it fits a student, no
    # other reading can give the file to another student.
    is_doubt: bool = False


@dataclass(frozen=True)
class Person:
    """A person who handed in a file."""

    readings: tuple[Reading, ...]  # all ways to read who the person is


@dataclass(frozen=True)
class Owners:
    """The students to whom a file belongs."""

    ids: tuple[str, ...]
    problems: tuple[str, ...] = ()  # what a person must decide, as ends of sentences
    # The students to whom the file may belong, in words; empty if it belongs to
    # somebody.
    candidates: tuple[str, ...] = ()


class Answer(Enum):
    """Whether a claim is true of a student."""

    YES = "yes"
    NO = "no"
    OPEN = "open"  # the roster does not say


_BETWEEN_NAMES = re.compile(r"[,;&+]| and ")
_NOBODYS = "belongs to nobody"
NOBODY = Owners((), (_NOBODYS,))


def owners_of(people: list[Person], roster: Roster) -> Owners:
    """Find the owners of a file that these people handed in together."""
    ids = dict[str, None]()
    candidates = dict[str, None]()
    problems = dict[str, None]()
    has_strangers = False
    for person in people:
        fitting = students_of(person, roster)
        owner = _owner(person, fitting, roster)
        near = fitting or _near(person, roster)
        if owner:
            ids[owner] = None
        elif len(fitting) > 1:
            problems[f"fits {' and '.join(map(_in_words, fitting))}"] = None
        elif near:
            problems[_NOBODYS] = None
            candidates |= dict.fromkeys(map(_in_words, near))
        else:
            has_strangers = True
    if problems:
        return Owners((), tuple(problems), tuple(candidates))
    if not ids:
        return NOBODY
    if has_strangers:
        return Owners(tuple(ids), ("is also by somebody who is not on the roster",))
    return Owners(tuple(ids))


def students_of(person: Person, roster: Roster) -> list[Student]:
    """The students of whom some reading is true, even if that reading is in doubt."""
    return [
        student
        for student in roster.everybody
        if any(fits(reading, student, roster) for reading in person.readings)
    ]


def _owner(person: Person, fitting: list[Student], roster: Roster) -> str:
    """Return the id of the only student who fits a person.

    The text is empty if no student or more than one fits, or if it is not certain that
    the student is the person.
    """
    if len(fitting) == 1 and is_certain(person, fitting[0], roster):
        return fitting[0].id
    return ""


def is_certain(person: Person, student: Student, roster: Roster) -> bool:
    """Whether a reading that is not in doubt fits a student."""
    return any(
        fits(reading, student, roster)
        for reading in person.readings
        if not reading.is_doubt
    )


def fits(reading: Reading, student: Student, roster: Roster) -> bool:
    """Whether some claim of a reading is true of a student, and none is false."""
    answers = [answer(claim, student, roster) for claim in reading.claims]
    return Answer.YES in answers and Answer.NO not in answers


def answer(claim: Claim, student: Student, roster: Roster) -> Answer:
    """Whether a claim is true of a student."""
    if claim.field == NAME:
        has_name = comparable(NAME, claim.value) in student.facts.get(NAME, ())
        return Answer.YES if has_name else Answer.NO
    if claim.field == NAME_BEHIND_A_GROUP:
        return Answer.OPEN if _is_behind_a_group(claim.value, student) else Answer.NO
    is_somebody_elses = False
    for field in roster.fields_for(claim.field):
        value = comparable(field, claim.value)
        if value in student.facts.get(field, ()):
            return Answer.YES
        if value in roster.values.get(field, ()):
            is_somebody_elses = True
    if is_somebody_elses or claim.field in student.facts:
        return Answer.NO
    return Answer.OPEN


def _is_behind_a_group(text: str, student: Student) -> bool:
    """Whether a text ends with the name of a student.

    Before the name there must be the name of a group and a dash.
    """
    parts = text.split("-")
    endings = [
        comparable(NAME, "-".join(parts[start:])) for start in range(1, len(parts))
    ]
    return not student.facts.get(NAME, frozenset()).isdisjoint(endings)


def _near(person: Person, roster: Roster) -> list[Student]:
    """Return the students whom some claim about a person mentions.

    Such a claim does not decide who the person is.
    """
    claims = [claim for reading in person.readings for claim in reading.claims]
    return [
        student
        for student in roster.everybody
        if any(_points_to(claim, student, roster) for claim in claims)
    ]


def _points_to(claim: Claim, student: Student, roster: Roster) -> bool:
    """Whether a claim, or a part of a claim, is true of a student.

    The value of a claim about a name may be the names of several people.  The value of
    a claim about a login may contain the student's login.
    """
    if answer(claim, student, roster) is Answer.YES:
        return True
    if claim.field == NAME:
        parts = _BETWEEN_NAMES.split(claim.value)
        names = student.facts.get(NAME, frozenset())
        return any(comparable(NAME, part) in names for part in parts)
    if claim.field not in _LOGINS:
        return False
    return any(
        _has_login(claim.value, login)
        for field in _LOGINS
        for login in student.facts.get(field, ())
    )


def _has_login(text: str, login: str) -> bool:
    """Whether a text contains a login, with a separator or the end of the text on each
    side.

    >>> [_has_login(text, "ada") for text in ("bob,ada", "Ada_bob", "ada")]
    [True, True, True]
    >>> [_has_login(text, "ada") for text in ("adam-bob", "lambada")]
    [False, False]
    """
    return bool(re.search(rf"(?<![^\W_]){re.escape(login)}(?![^\W_])", text.casefold()))


def ends_with(text: str, login: str) -> bool:
    """Whether a text is a login, or ends with a separator and the login.

    >>> ends_with("games-lab-Ada", "ada"), ends_with("games-lab-ada", "da")
    (True, False)
    """
    text = text.casefold()
    before = text.removesuffix(login)
    return text != before and (not before or not before[-1].isalnum())


def _in_words(student: Student) -> str:
    """Name a student for a person: by the id, or by the name if there is no id yet."""
    return student.id or f"{student.name or 'somebody'}, without an id yet"


def as_text(people: list[Person]) -> str:
    """Write people in the form in which the store keeps them."""
    return json.dumps(
        [[_as_data(reading) for reading in person.readings] for person in people]
    )


def _as_data(reading: Reading) -> dict[str, Any]:
    """A reading as plain data."""
    return {
        "claims": [[claim.field, claim.value] for claim in reading.claims],
        "is_doubt": reading.is_doubt,
    }


def from_text(text: str) -> list[Person]:
    """Read the people that the store keeps, also in the form of an earlier kit."""
    return [_person(readings) for readings in json.loads(text or "[]")]


def _person(readings: list[Any]) -> Person:
    """Read a person, whose readings are plain data."""
    if readings and not isinstance(readings[0], dict):
        return Person((_reading_of_keys(readings),))
    kept = []
    for reading in readings:
        claims = tuple(Claim(*claim) for claim in reading["claims"])
        kept.append(Reading(claims, reading["is_doubt"]))
    return Person(tuple(kept))


def _reading_of_keys(keys: list[list[str]]) -> Reading:
    """The reading for the keys that an earlier kit kept.

    In the earlier kit, the first of the keys decided who the person is.  That kit also
    took the end of a name as a login.  A reading from such a name fits nobody until
    somebody collects the downloads again.
    """
    claims = [Claim(field.removesuffix(" at the end"), value) for field, value in keys]
    fields = {claim.field for claim in claims}
    if fields == {ID, NAME}:
        claims = [claim for claim in claims if claim.field == ID]
    elif fields != {ID}:
        claims = [claim for claim in claims if claim.field != ID]
    return Reading(tuple(claims))
