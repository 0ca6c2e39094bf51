"""Whose a file is: the one rule.

The place of a file, and what the system says beside it, can be read in one way or in
several.  A reading makes claims, such as that the student's login is `ada`.  A file
belongs to a student only if exactly one student fits what is read, and if nothing that
is read speaks against that.  Every other file belongs to nobody, with the students it
may belong to, and a person decides.
"""

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from staff.intake.roster import NAME, Roster, Student, comparable

NAME_BEHIND_A_GROUP = "name behind a group"  # which Moodle writes as `Group-Name`; it only confirms another claim
_LOGINS = ("id", "github", "username")  # of which the end of a longer name may be one


@dataclass(frozen=True)
class Claim:
    """What a reading says about a person: a field, such as `github` or `name`, and its
    value as it is written.
    """

    field: str
    value: str


@dataclass(frozen=True)
class Reading:
    """One way to read who a person is: claims that must all be true of the same
    student.

    A doubt gives nobody the file, but it keeps the file from anybody else.
    """

    claims: tuple[Claim, ...]
    is_doubt: bool = False


@dataclass(frozen=True)
class Person:
    """Somebody who handed in a file: all ways to read who that is."""

    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class Owners:
    """The ids of the students whose file it is; and what is open about that, as the
    ends of sentences.

    `candidates` are the students whose file it may be, as one names them, if it is
    nobody's.
    """

    ids: tuple[str, ...]
    problems: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


class Answer(Enum):
    """Whether a claim is true of a student; OPEN if the roster does not know."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


_BETWEEN_NAMES = re.compile(r"[,;&+]| and ")
_NOBODYS = "belongs to nobody"
NOBODY = Owners((), (_NOBODYS,))


def owners_of(people: list[Person], roster: Roster) -> Owners:
    """Whose a file is that these people handed in together."""
    ids = dict[str, None]()
    candidates = dict[str, None]()
    problems = []
    strangers = 0
    for person in people:
        fitting = students_of(person, roster)
        near = fitting or [
            student for student in roster.everybody if may_be(person, student, roster)
        ]
        if (
            len(fitting) == 1
            and fitting[0].id
            and is_certain(person, fitting[0], roster)
        ):
            ids[fitting[0].id] = None
        elif len(fitting) > 1:
            problems.append(f"fits {' and '.join(map(_shown, fitting))}")
        elif near:
            problems.append(_NOBODYS)
            candidates |= dict.fromkeys(map(_shown, near))
        else:
            strangers += 1
    if problems:
        return Owners((), tuple(dict.fromkeys(problems)), tuple(candidates))
    if not ids:
        return NOBODY
    also = ("is also by somebody who is not on the roster",) if strangers else ()
    return Owners(tuple(ids), also)


def students_of(person: Person, roster: Roster) -> list[Student]:
    """The students whom a reading fits, also one that is a doubt."""
    return [
        student
        for student in roster.everybody
        if any(fits(each, student, roster) for each in person.readings)
    ]


def is_certain(person: Person, student: Student, roster: Roster) -> bool:
    """Whether a reading fits a student that is no doubt."""
    return any(
        fits(each, student, roster) for each in person.readings if not each.is_doubt
    )


def fits(reading: Reading, student: Student, roster: Roster) -> bool:
    """Whether a reading is about a student: one of its claims is true of the student,
    and none is false.
    """
    answers = [answer(claim, student, roster) for claim in reading.claims]
    return Answer.YES in answers and Answer.NO not in answers


def answer(claim: Claim, student: Student, roster: Roster) -> Answer:
    """Whether a claim is true of a student."""
    if claim.field == NAME:
        return (
            Answer.YES
            if comparable(NAME, claim.value) in student.facts.get(NAME, ())
            else Answer.NO
        )
    if claim.field == NAME_BEHIND_A_GROUP:
        return Answer.OPEN if _is_behind_a_group(claim.value, student) else Answer.NO
    fields = roster.fields_for(claim.field)
    if any(
        comparable(field, claim.value) in student.facts.get(field, ())
        for field in fields
    ):
        return Answer.YES
    is_somebody_elses = any(
        comparable(field, claim.value) in roster.values.get(field, ())
        for field in fields
    )
    has_another = claim.field in student.facts
    return Answer.NO if is_somebody_elses or has_another else Answer.OPEN


def _is_behind_a_group(text: str, student: Student) -> bool:
    """Whether a text ends with a student's name, behind a group's name and a dash."""
    parts = text.split("-")
    endings = [
        comparable(NAME, "-".join(parts[start:])) for start in range(1, len(parts))
    ]
    return not student.facts.get(NAME, frozenset()).isdisjoint(endings)


def may_be(person: Person, student: Student, roster: Roster) -> bool:
    """Whether something that is read points to a student, though it is not enough."""
    claims = [claim for reading in person.readings for claim in reading.claims]
    return any(_points_to(claim, student, roster) for claim in claims)


def _points_to(claim: Claim, student: Student, roster: Roster) -> bool:
    """Whether a claim, or a part of a claim about several people, is true of a student,
    or has the student's login.
    """
    if answer(claim, student, roster) is Answer.YES:
        return True
    if claim.field == NAME:
        names = student.facts.get(NAME, frozenset())
        return any(
            comparable(NAME, part) in names
            for part in _BETWEEN_NAMES.split(claim.value)
        )
    return claim.field in _LOGINS and any(
        _has_login(claim.value, login)
        for field in _LOGINS
        for login in student.facts.get(field, ())
    )


def _has_login(text: str, login: str) -> bool:
    """Whether a login stands in a text, with a separator on each side of it that is not
    an end of the text.

    >>> [_has_login(text, "ada") for text in ("bob,ada", "Ada_bob", "ada", "adam-bob", "lambada")]
    [True, True, True, False, False]
    """
    return bool(re.search(rf"(?<![^\W_]){re.escape(login)}(?![^\W_])", text.casefold()))


def ends_with(text: str, login: str) -> bool:
    """Whether a text ends with a login, behind a separator.

    >>> ends_with("games-lab-Ada", "ada"), ends_with("games-lab-ada", "da")
    (True, False)
    """
    text = text.casefold()
    before = text.removesuffix(login)
    return text != before and (not before or not before[-1].isalnum())


def _shown(student: Student) -> str:
    return student.id or f"{student.name or 'somebody'}, without an id yet"


def as_text(people: list[Person]) -> str:
    """People as they are kept in the store."""
    return json.dumps(
        [[_as_data(reading) for reading in person.readings] for person in people]
    )


def _as_data(reading: Reading) -> dict[str, Any]:
    return {
        "claims": [[claim.field, claim.value] for claim in reading.claims],
        "is_doubt": reading.is_doubt,
    }


def from_text(text: str) -> list[Person]:
    """The people that the store keeps, also as an earlier kit wrote them."""
    return [_person(readings) for readings in json.loads(text or "[]")]


def _person(readings: list[Any]) -> Person:
    if readings and not isinstance(readings[0], dict):
        return Person((_reading_of_keys(readings),))
    kept = []
    for reading in readings:
        kept.append(
            Reading(
                tuple(Claim(*claim) for claim in reading["claims"]), reading["is_doubt"]
            )
        )
    return Person(tuple(kept))


def _reading_of_keys(keys: list[list[str]]) -> Reading:
    """What an earlier kit kept: keys, of which the first one decided.  Now all of them
    are claims of one reading.

    Such a kit cut a login off the end of a name; now nobody fits such a name until the
    downloads are collected again.
    """
    claims = [Claim(kind.removesuffix(" at the end"), value) for kind, value in keys]
    fields = {claim.field for claim in claims}
    if fields == {"id", "name"}:
        return Reading(tuple(claim for claim in claims if claim.field == "id"))
    return Reading(
        tuple(claim for claim in claims if claim.field != "id" or fields == {"id"})
    )
