"""Decides who takes part in a league.

A student takes part if the student's submission has a name for the league and can play.
"""

import sqlite3
from dataclasses import dataclass, field, replace
from pathlib import Path

from boards.reading import write_whole
from grader.grading.source import what_ails
from grader.ladder.rungs import Rung
from grader.protocol.text import harmless, plural
from staff.course.standing import GRADED, SETTLE, SEVERAL, Handed, latest
from staff.gradebook.book import Account, Book
from staff.league.games import Player, kept_out
from staff.league.names import FIELD, league_name, replaced_names, unique

HOUSE = (1, 2, 3, 5, 7)  # the rungs of the ladder that take part
LONGEST = 300  # characters of a note


@dataclass
class Entries:
    """The players of a league, and what a person should know about them."""

    players: list[Player]
    notes: list[str] = field(default_factory=list)  # notes that a person should read


def house_players(seed: int) -> list[Player]:
    """The kit's own players, as they play in a league with this seed."""
    players = []
    for number in HOUSE:
        rung = Rung(number)
        name = rung.name.capitalize()
        digest = f"{rung.name}, seed {seed}"
        players.append(Player(name, digest, rung=number, seed=seed))
    return players


def entries_of(book: Book, folder: Path, house: list[Player]) -> Entries:
    """Return the players of a league: submissions of the class, and the kit's own
    players.

    Each submission that has a name is written into the folder.  Raises Refusal if
    grades/league_names.csv cannot be used, or if two processes die while they try the
    same submission.
    """
    replaced = replaced_names(book.students)
    entries = Entries(list(house))
    nameless = 0
    for file in _files(book, entries.notes):
        source = book.source(file.sha256)
        name = league_name(source)
        for student in file.students:
            if name:
                name = replaced.get(student, name)
        if not name:
            if ailment := what_ails(source):
                who = ", ".join(file.students)
                note = f"{who} does not take part: Python cannot read lab.py. {ailment}"
                entries.notes.append(harmless(note, LONGEST))
            else:
                nameless += 1
            continue
        lab = folder / file.sha256 / "lab.py"
        write_whole(lab, source)
        player = Player(name, file.sha256, str(lab), students=file.students)
        entries.players.append(player)
    if nameless:
        entries.notes.append(f"without {FIELD}: {plural(nameless, 'submission')}")
    _keep_out(book.store.db, entries)
    _make_unique(entries)
    return entries


def _files(book: Book, notes: list[str]) -> list[Handed]:
    """Return the file that takes part for each student, in the order of the ids.

    A file of a team appears once.  If it is not settled which file of a student counts,
    the last one takes part.  If nobody knows which file is the last, no file of the
    student takes part, and a note in `notes` says so.
    """
    files = dict[str, Handed]()
    for id, student in book.students.items():
        own = book.to_grade(id)
        if len(own) > 1:
            now = Account(book, student).now
            if now.state == GRADED and now.handed:
                own = [now.handed]
        own = latest(own)
        if len({file.sha256 for file in own}) > 1:
            notes.append(f"{id} does not take part: {SEVERAL}; {SETTLE}")
            continue
        files |= {file.source: file for file in own[:1]}
    return sorted(files.values(), key=lambda file: (file.students, file.source))


def _keep_out(db: sqlite3.Connection, entries: Entries) -> None:
    """Remove the players whose submissions cannot play, and note each reason."""
    labs = {player.digest: player.lab for player in entries.players if player.lab}
    reasons = kept_out(db, labs)
    for player in entries.players:
        if player.digest in reasons:
            who = ", ".join(player.students)
            note = f"{who} does not take part: {reasons[player.digest]}"
            entries.notes.append(harmless(note, LONGEST))
    entries.players = [
        player for player in entries.players if player.digest not in reasons
    ]


def _make_unique(entries: Entries) -> None:
    """Make sure that no two players have the same name.

    If an earlier player has the name of a player, a number is added to the later name,
    and a note says so.
    """
    players = dict[str, Player]()
    for player in entries.players:
        name = unique(player.name, players)
        players[name] = replace(player, name=name)
        if name != player.name:
            who = ", ".join(player.students)
            entries.notes.append(
                f"{who} plays as {name}, since the name {player.name} is taken"
            )
    entries.players = list(players.values())
