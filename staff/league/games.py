"""Plays the games of a league on all cores, and keeps each one.

A game is kept under all that it depends on: both submissions, the opening, the budget
and the kit.  So no game is played twice.

    python -m staff.league.games      plays requests, as staff/farm/kit_process.py
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.ladder.contestants import Contestant, Rung, Submission
from grader.ladder.game import Game
from grader.ladder.openings import OPENINGS
from grader.ladder.referee import play
from staff.farm.digests import code_digest, digest_of_files, files_in
from staff.farm.kit_process import serve
from staff.farm.pool import ask

MODULE = "staff.league.games"
OF_A_GAME = ("first", "second", "opening", "budget", "kit")
_FIND = "SELECT played FROM game WHERE " + " AND ".join(f"{n} = ?" for n in OF_A_GAME)
_KEEP = "INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True)
class Player:
    """Somebody who takes part: a submission, or a rung of the ladder."""

    name: str  # under which everybody knows the player
    digest: str  # of all that decides how the player plays
    lab: str = ""  # the place of the submission; empty for a rung
    rung: int = 0  # the number of the rung; 0 for a submission
    students: tuple[str, ...] = ()  # the ids of those who handed it in
    seed: int = 0  # of a rung

    @property
    def words(self) -> list[Any]:
        """What a process is told that has this player play."""
        return [self.lab, self.rung, self.seed]
