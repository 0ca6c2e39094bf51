"""A match: one game many times, between two programs, and a table of the results."""

from collections import Counter

from api.outcomes import Outcome
from grader.pipe.words import plural
from grader.tools.pairing import Table
from grader.tools.position import Position
from grader.tools.screen import Screen
from grader.tools.student import Lab


def play_match(lab: Lab, table: Table, screen: Screen, games: int) -> None:
    """Play the games and show the table; also what was played when something stops the match."""
    outcomes: Counter[Outcome] = Counter()
    lengths: list[int] = []
    try:
        for number in range(1, games + 1):
            screen.wait(f"game {number} of {games}")
            outcome, length = _play(lab, table)
            outcomes[outcome] += 1
            lengths.append(length)
    finally:
        screen.show(_result(table, outcomes, lengths))


def _play(lab: Lab, table: Table) -> tuple[Outcome, int]:
    """One game: its outcome, and the number of its moves."""
    position, length = Position(table.game, table.game.start()), 0
    while True:
        with lab.running():
            over = position.over
        if over:
            return over.outcome, length
        with lab.running(table.seats[position.turn].function):
            position = position.after(table.referee.next_move(position.state))
        length += 1


def _result(table: Table, outcomes: Counter[Outcome], lengths: list[int]) -> list[str]:
    """The table: who won how often, and how long the games were."""
    counts = {table.game.outcome_to_string(outcome): number for outcome, number in outcomes.items()}
    played = plural(len(lengths), "game")
    players = " against ".join(f"{side} {seat.word}" for side, seat in table.seats.items())
    lines = [f"{played}, {players}", *(f"  {number:>6}  {text}" for text, number in sorted(counts.items()))]
    if lengths:
        lines.append(f"Moves a game: {min(lengths)} to {max(lengths)}, {sum(lengths) / len(lengths):.1f} on average.")
    return lines
