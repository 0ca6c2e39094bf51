"""Decides which students a file belongs to, unless somebody has decided it by hand.

The path of a file, and the facts that the system states, name the people who handed in
the file.  What they say about a person can be read in one way or in several.  A reading
makes claims, for example that the person's login is `ada`.  A reading fits a student if
at least one of its claims is true of the student, and none is false.  The kit takes a
person for a student only if no reading of that person fits another student, and if a
reading that is not in doubt fits this student.  If it is not certain which student one
of the people is, the file belongs to nobody.  For such a file, the kit lists the
students to whom it may belong, and somebody decides by hand.
"""

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from staff.intake.roster import Roster, Student
from staff.intake.values import ID, NAME, comparable

# The field of a claim for a text such as `Group 7-Ada Kim`.  Moodle writes the name of
# a student after the name of a group and a dash.  A claim with this field is false if
# the text does not end with the name of the student.  Otherwise the claim is open.
NAME_BEHIND_A_GROUP = "name behind a group"
# The fields whose values are logins.  If a claim with one of these fields comes from
# the name of a file or folder, its value may hold more than a login, as in `ada_bob`.
_LOGINS = (ID, "github", "username")


@dataclass(frozen=True)
class Claim:
    """A statement about who a person is."""

    field: str  # such as `github` or `name`
    value: str  # as it is written


@dataclass(frozen=True)
class Reading:
    """One way to read what a download says about a person."""

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
    # The students to whom the file may belong, in words.  This is empty if the file
    # belongs to somebody.
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
    """Return the students whom some reading fits, even a reading that is in doubt."""
    return [
        student
        for student in roster.everybody
        if any(fits(reading, student, roster) for reading in person.readings)
    ]


def _owner(person: Person, fitting: list[Student], roster: Roster) -> str:
    """Return the id of the student who certainly is this person.

    `fitting` are the students whom a reading of the person fits.  The id is empty if
    there is not exactly one such student, if all readings that fit the student are in
    doubt, or if the student has no id yet.
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
    """Say whether a claim is true of a student; OPEN if the roster does not say."""
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

    A mention alone does not decide who the person is.
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
    """Whether a text contains a login that is not part of a longer word.

    A word consists of letters and digits.

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
    """Name a student in a sentence: by the id, or by the name if there is no id yet."""
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
    """Read people from a text that the store keeps.

    The text has the form of `as_text`, or the form that an earlier kit wrote.
    """
    return [_person(readings) for readings in json.loads(text or "[]")]


def _person(readings: list[Any]) -> Person:
    """Make a Person from plain data, which this kit or an earlier kit kept."""
    if readings and not isinstance(readings[0], dict):
        return Person((_reading_of_keys(readings),))
    kept = []
    for reading in readings:
        claims = tuple(Claim(*claim) for claim in reading["claims"])
        kept.append(Reading(claims, reading["is_doubt"]))
    return Person(tuple(kept))


def _reading_of_keys(keys: list[list[str]]) -> Reading:
    """Make a reading from what an earlier kit kept about a person.

    The earlier kit kept pairs of a field and a value.  It added ` at the end` to a
    field if only the end of the value had to fit.  Here, the whole value of such a pair
    must fit.  If the fields are only an id and a name, the name is left out.  If there
    is any other field, the id is left out.
    """
    claims = [Claim(field.removesuffix(" at the end"), value) for field, value in keys]
    fields = {claim.field for claim in claims}
    if fields == {ID, NAME}:
        claims = [claim for claim in claims if claim.field == ID]
    elif fields != {ID}:
        claims = [claim for claim in claims if claim.field != ID]
    return Reading(tuple(claims))
