"""Plays games one after the other, and shows on the terminal how far each game is."""

import itertools
from argparse import Namespace
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.ladder.contestant import BUDGET, LEAST_BUDGET, Contestant, KeptOut
from grader.ladder.game import SURE, Game, Move
from grader.ladder.referee import play
from grader.ladder.submission import Submission
from grader.parser import Parser
from grader.protocol.text import harmless
from grader.refusal import Refusal, show_progress

MOST_BUDGET = 1_000_000
BAR = 20  # characters
USUAL_MOVES = 36  # moves of a game that is not decided early


@dataclass(frozen=True)
class Played:
    """A game that our contestant has played against another one.  Ours is the lab.py
    for which the tool was called.
    """

    game: Game
    names: tuple[str, str]  # the contestant that moved first, and the other
    ours: int  # 0 if our contestant moved first, else 1

    @property
    def points(self) -> float:
        """What the game has earned our contestant: 1, a half, or 0."""
        return self.game.points(self.ours)

    @property
    def our_moves(self) -> tuple[Move, ...]:
        return self.game.moves[self.ours :: 2]

    @property
    def opponent(self) -> str:
        return self.names[1 - self.ours]

    @property
    def ended(self) -> str:
        """How the game ended, in a sentence or two."""
        winner = self.game.winner
        if winner is None:
            return "A draw: the board is full."
        if not self.game.detail:
            return f"{self.names[winner]} wins."
        loser = self.names[1 - winner]
        why = self.game.detail.replace("lab.py", loser)
        return f"{loser} loses ({self.game.how}). {why}"

    def saw_the_loss(self) -> int | None:
        """Return the number of the move from which on our search was sure that it would
        lose.

        The moves of both players are counted, from 1.  Return None if our search was
        not sure at its last move that it would lose.
        """
        seen = None
        for number, move in reversed([*enumerate(self.our_moves, start=1)]):
            if move.worth is None or move.worth > -SURE:
                break
            seen = 2 * number - 1 + self.ours
        return seen


def score_of(games: Collection[Played]) -> str:
    """Say how many points our contestant has earned in these games.

    >>> won = Played(Game(7, 50, (), "four in a line", 0), ("lab.py", "rung 2"), 0)
    >>> drawn = Played(Game(7, 50, (), "full board", None), ("rung 2", "lab.py"), 1)
    >>> score_of([won, drawn])
    '1.5 of 2 points (1 won, 1 drawn, 0 lost)'
    """
    points = [played.points for played in games]
    return (
        f"{sum(points):g} of {len(points)} points ({points.count(1)} won, "
        f"{points.count(0.5)} drawn, {points.count(0)} lost)"
    )


def entered(lab: Path) -> Submission:
    """Return a submission that plays with this lab.py, and that has searched once.

    Raises Refusal if the file is not a lab.py or cannot play, and OSError if the file
    cannot be read.
    """
    submission = Submission(lab, harmless(lab.name, 30))
    try:
        submission.enter()
    except KeptOut as reason:
        submission.close()
        # The reason calls every submission lab.py.  Here the name of this submission
        # replaces it.
        why = str(reason).replace("lab.py", submission.name)
        raise Refusal(f"{submission.name} cannot play yet. {why}") from None
    return submission


def series(
    ours: Contestant, other: Contestant, openings: range, budget: int
) -> Iterator[Played]:
    """Play each opening twice, and yield the games.

    `ours` moves first in the first game of an opening, and `other` in the second.
    """
    games = list(itertools.product(openings, (0, 1)))
    for number, (opening, side) in enumerate(games, start=1):
        pair = (other, ours) if side else (ours, other)

        def tell(moves: int, number: int = number) -> None:
            done = (number - 1 + min(1.0, moves / USUAL_MOVES)) / len(games)
            bar = ("#" * round(done * BAR)).ljust(BAR, ".")
            about = f"{other.name}: game {number} of {len(games)}"
            show_progress(f"[{bar}] {about}, move {moves + 1}")

        game = play(*pair, opening, budget, tell)
        show_progress("")
        yield Played(game, (pair[0].name, pair[1].name), side)


def add_budget(parser: Parser) -> None:
    """Add the option BUDGET to a parser."""
    parser.add_argument(
        "--budget",
        metavar="NUMBER",
        default=str(BUDGET),
        help=f"static evaluations for each move: {BUDGET} by default",
    )


def budget_of(options: Namespace) -> int:
    """Return the number that somebody has typed for the option BUDGET.

    Raises Refusal if the text is not a whole number, or if the number is too small or
    too large.
    """
    return number_in(options.budget, "BUDGET", LEAST_BUDGET, MOST_BUDGET)


def number_in(text: str, name: str, least: int, most: int) -> int:
    """Return the whole number that somebody has typed for the option `name`.

    Raises Refusal if `text` is not a whole number from `least` to `most`.
    """
    if text.isascii() and text.isdigit() and least <= int(text[:9]) <= most:
        return int(text)
    raise Refusal(
        f"{name} must be a whole number from {least} to {most:,}, "
        f"not {harmless(text, 20)!r}"
    )
