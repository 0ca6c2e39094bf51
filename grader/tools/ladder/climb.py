"""`make ladder`: plays four games on each rung, and stops at the first rung that lab.py
does not beat.

    python grader ladder
    python grader ladder --rung 5 --budget 500

A rung is a player that belongs to the kit.  Rung 1 is the weakest.  The exit status is
0 if games were played.  It is 2 if lab.py cannot play, or if a word is wrong.
"""

import contextlib
from pathlib import Path

from grader.kit import KIT
from grader.ladder.rungs import RUNGS, Rung
from grader.ladder.submission import Submission
from grader.parser import Parser
from grader.protocol.text import plural
from grader.tools.ladder.playing import (
    Played,
    add_budget,
    budget_of,
    entered,
    number_in,
    series,
)
from grader.tools.ladder.replays import write_page
from grader.tools.pages.writing import show
from grader.tools.screen import Screen

PAGE = KIT / "build" / "ladder.html"
GAMES = 4  # on each rung: two openings from both sides
ENOUGH = 2  # points; lab.py needs more than that to beat a rung


def main(words: list[str], lab: Path) -> int:
    """Play on the rungs that `words` choose, and return the exit status.

    Raises Refusal for wrong words or a lab.py that cannot play, and OSError if lab.py
    cannot be read.
    """
    parser = Parser(
        "ladder", "make ladder takes options such as RUNG=5 and BUDGET=500", lab
    )
    parser.add_argument("--rung", metavar="NUMBER", help="play only on this rung")
    add_budget(parser)
    options = parser.read(words)
    budget = budget_of(options)
    rungs = RUNGS
    page = PAGE
    if options.rung:
        rungs = (number_in(options.rung, "RUNG", RUNGS[0], RUNGS[-1]),)
        # If only one rung is played, its page gets a name of its own, so that the page
        # of the last whole climb is not overwritten.
        page = PAGE.with_name(f"ladder-rung-{rungs[0]}.html")
    screen = Screen.of_terminal()
    with contextlib.closing(entered(options.lab)) as submission:
        climb = Climb(submission, budget, screen)
        try:
            climb.up(rungs)
        finally:
            if climb.games:
                write_page(page, f"{submission.name} on the ladder", "", climb.games)
    show(page, screen)
    return 0


class Climb:
    """Lets a submission play on one rung after the other."""

    def __init__(self, submission: Submission, budget: int, screen: Screen) -> None:
        self.submission = submission
        self.budget = budget
        self.screen = screen
        self.games: list[Played] = []

    def up(self, rungs: tuple[int, ...]) -> None:
        """Play on these rungs, and stop at the first one that the submission does not
        beat.  Then say how far the submission came.
        """
        self.screen.say(
            f"{self.submission.name} may make {self.budget:,} static evaluations for "
            f"each move. A rung is beaten with more than {ENOUGH} points of {GAMES}."
        )
        beaten = 0
        for number in rungs:
            if not self._beats(number):
                break
            beaten = number
        self.screen.say(self._reached(rungs, beaten))
        if beaten != rungs[-1]:
            self.screen.say(foresight(self.games))

    def _beats(self, number: int) -> bool:
        """Play four games on a rung, and print a line for each of them.  Return whether
        the submission has beaten the rung.
        """
        rung = Rung(number)
        self.screen.tell(f"\nRung {number}: {rung.about}")
        first = (number - 1) * GAMES // 2 + 1
        openings = range(first, first + GAMES // 2)
        points = 0.0
        for played in series(self.submission, rung, openings, self.budget):
            self.games.append(played)
            points += played.points
            self.screen.say(line_of(played), indent="      ")
        return points > ENOUGH

    def _reached(self, rungs: tuple[int, ...], beaten: int) -> str:
        """Say how far the submission came.  `beaten` is the highest rung that it has
        beaten, or 0.
        """
        name = self.submission.name
        if len(rungs) == 1:
            does = "beats" if beaten else "does not beat"
            return f"{name} {does} rung {rungs[0]}."
        return f"{name} reaches rung {beaten} of {rungs[-1]}."


def foresight(games: list[Played]) -> str:
    """Say from which move on the search was sure that it would lose.

    The text is about the last game that the search lost.  If the search was not sure at
    its last move of that game, the text gives the score of that move instead.  The text
    is empty if the search lost no game in which it had made a move.
    """
    lost = [played for played in games if not played.points and played.our_moves]
    if not lost:
        return ""
    *_, game = lost
    moves = len(game.game.moves)
    lead = f"In the last lost game (opening {game.game.opening}), your search"
    if seen := game.saw_the_loss():
        return f"{lead} was sure of the loss from move {seen} of {moves} on."
    worth = game.our_moves[-1].worth
    return f"{lead} never saw the loss coming: it scored its last move {worth}."


def line_of(played: Played) -> str:
    """Return a game in one line.

    If the game did not end by the rules of Connect Four, the line also says why the
    loser has lost.

    >>> from grader.ladder.game import Game, Move
    >>> moves = (Move(3, 5, 70, 4), Move(2), Move(3, 1000, 80, 6))
    >>> game = Game(9, 80, moves, "four in a line", 0)
    >>> line_of(Played(game, ("lab.py", "rung 1"), 0))
    'Opening 9, you first: won after 3 moves; 150 evaluations, up to depth 6'
    """
    ours = played.our_moves
    place = ("first", "second")[played.ours]
    result = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[played.points]
    line = (
        f"Opening {played.game.opening}, you {place}: {result} after "
        f"{plural(len(played.game.moves), 'move')}"
    )
    if ours:
        evaluations = sum(move.evaluations for move in ours)
        deepest = max(move.depth for move in ours)
        line += f"; {evaluations:,} evaluations, up to depth {deepest}"
    if played.game.detail:
        line += f". {played.ended}"
    return line
