"""Plays the games of a league on all cores, and keeps each game.

A game is kept together with everything it depends on: both players, the opening, the
budget and the kit.  So no game is played twice.

    python -m staff.league.games      answers requests (see staff/farm/kit_process.py)
"""

import functools
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from grader.ladder.contestant import Contestant, KeptOut
from grader.ladder.game import Game
from grader.ladder.referee import play
from grader.ladder.rungs import Rung
from grader.ladder.submission import Submission
from grader.protocol.plain import read_as
from grader.refusal import Refusal
from staff.farm.digests import code_digest, digest_of_files, files_in
from staff.farm.kit_process import serve
from staff.farm.pool import DIED_AT_WORK, TRIES, KitProcess, ask, on_all_cores

MODULE = "staff.league.games"
_PLAYERS = ("first", "second")  # the names of the fields of a match
# The games of a match: in game 0 the first player moves first, in game 1 the second.
SIDES = (0, 1)
_PLAYED = (
    "SELECT played FROM game "
    "WHERE first = ? AND second = ? AND opening = ? AND budget = ? AND kit = ?"
)


@dataclass(frozen=True)
class Player:
    """A player of the league: a submission, or a rung of the ladder."""

    name: str  # the name that everybody knows
    digest: str  # a digest of everything that decides how the player plays
    lab: str = ""  # the path of the submission; empty for a rung
    rung: int = 0  # the number of the rung; 0 for a submission
    seed: int = 0  # the seed of the rung
    # The ids of the students who handed the submission in.
    students: tuple[str, ...] = ()


@dataclass(frozen=True)
class Match:
    """Two games between two players.

    Both games begin with the same opening, and each player moves first in one of them.
    """

    first: Player
    second: Player
    opening: int  # the number of the opening

    def players(self, side: int) -> tuple[Player, Player]:
        """The players of one of the two games, in the order in which they move.

        `side` is the number of the game: 0 or 1.
        """
        if side == 0:
            return self.first, self.second
        return self.second, self.first


Over = tuple[Match, int, Game]
"""A game that is over: its match, which of the two games it is, and the game itself."""


@dataclass(frozen=True)
class Games:
    """Plays games of this kit with one budget, and keeps them in the store."""

    db: sqlite3.Connection
    budget: int

    def played(self, matches: Iterable[Match]) -> Iterator[Over]:
        """Yield the games of these matches, each as soon as it is over.

        Closing this iterator ends all processes.  Raises Refusal if two processes die
        while they play the same match.
        """
        to_play = []
        for match in matches:
            missing = []
            for side in SIDES:
                row = self.db.execute(_PLAYED, self._key(match, side)).fetchone()
                if row:
                    yield match, side, of_data(json.loads(row[0]))
                else:
                    missing.append(side)
            if missing:
                to_play.append((_Missing(match, missing), len(missing)))
        if to_play:
            yield from self._kept(on_all_cores(to_play, self._play, MODULE))

    def _kept(self, over: Iterable[Over]) -> Iterator[Over]:
        """Keep these games in the store, and yield each game after it is kept."""
        for match, side, game in over:
            key = self._key(match, side)
            text = json.dumps(as_data(game))
            with self.db:
                self.db.execute(
                    "INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?)",
                    (*key, text),
                )
            yield match, side, game

    def _key(self, match: Match, side: int) -> tuple[str, str, int, int, str]:
        """Return everything on which a game depends: the players, the opening, the
        budget, the kit.
        """
        first, second = match.players(side)
        return first.digest, second.digest, match.opening, self.budget, kit_digest()

    def _play(self, missing: "_Missing", process: KitProcess) -> Iterator[Over]:
        """Let a process play the missing games of a match, and yield these games."""
        match = missing.match
        left = list(missing.sides)
        for _ in range(TRIES):
            request = {"match": asdict(match), "sides": left, "budget": self.budget}
            for answer in process.answers(request):
                side = answer["side"]
                left = [other for other in left if other != side]
                yield match, side, of_data(answer["game"])
            if not left:
                return
        names = f"{match.first.name} against {match.second.name}"
        raise Refusal(DIED_AT_WORK.format(names))


@dataclass(frozen=True)
class _Missing:
    """The games of a match that the store does not have yet."""

    match: Match
    sides: list[int]


@functools.cache
def kit_digest() -> str:
    """The digest of all files of the kit that decide a game."""
    return digest_of_files(files_in(["grader/ladder"]), code_digest())


def kept_out(db: sqlite3.Connection, labs: dict[str, str]) -> dict[str, str]:
    """Return why some of these submissions cannot play, in a sentence for each.

    The key is the SHA-256 of a submission.  A submission that can play is left out.
    `labs` has the path of each submission under the same key.  Each answer is kept, so
    the same kit tries no submission twice.
    """
    kit = kit_digest()
    rows = db.execute("SELECT lab, why FROM entrance WHERE kit = ?", (kit,))
    known = dict(rows.fetchall())
    new = [[sha256, lab] for sha256, lab in labs.items() if sha256 not in known]
    for (sha256, _), answer in ask(new, MODULE):
        known[sha256] = answer["why"]
        row = (sha256, kit, answer["why"])
        with db:
            db.execute("INSERT OR REPLACE INTO entrance VALUES (?, ?, ?)", row)
    return {sha256: known[sha256] for sha256 in labs if known[sha256]}


def main() -> None:
    """Answer requests.  A request is a match with the games to play, or a submission to
    try.
    """
    serve(answers_to)


def answers_to(request: Any) -> Iterator[dict[str, Any]]:
    """Yield the answers to a request.

    If the request is a match, the answers are its games.  If it is a submission to try,
    the only answer says why the submission cannot play; it is empty if the submission
    can play.
    """
    if isinstance(request, list):
        _, lab = request
        yield {"why": why_kept_out(Path(lab))}
        return
    match = request["match"]
    with ExitStack() as stack:
        first, second = (_contestant(match[name], stack) for name in _PLAYERS)
        for side in request["sides"]:
            order = (first, second) if side == 0 else (second, first)
            game = play(*order, match["opening"], request["budget"])
            yield {"side": side, "game": as_data(game)}


def as_data(game: Game) -> dict[str, Any]:
    """Return the game as plain data, for JSON."""
    return {**vars(game), "moves": [dict(vars(move)) for move in game.moves]}


def of_data(data: Any) -> Game:
    """Return the game that this plain data describes.

    Raises Garbled if the data does not describe a game.

    >>> game = Game(1, 50, (), "stall", 0)
    >>> of_data(as_data(game)) == game
    True
    """
    return cast(Game, read_as(Game, data))


def why_kept_out(lab: Path) -> str:
    """Say why a submission cannot play, in a sentence; empty if it can."""
    with closing(Submission(lab)) as submission:
        try:
            submission.enter()
        except (KeptOut, Refusal) as error:
            return str(error)
    return ""


def _contestant(player: dict[str, Any], stack: ExitStack) -> Contestant:
    """Make a contestant of a player, so that the player can play a game.

    The processes of the contestant end when the stack is closed.
    """
    if player["rung"]:
        return Rung(player["rung"], player["seed"])
    return stack.enter_context(closing(Submission(Path(player["lab"]))))


if __name__ == "__main__":
    main()
