"""`make play`: a game at the terminal, against the student's own code; or a match of two programs.

    python grader play
    python grader play nim --maxie human --minnie minimax:3
    python grader play --maxie alphabeta:4 --minnie random:7 --games 100

Exit status 0 where the game ended or somebody left it, 1 where lab.py failed, 2 for a bad word.
"""

import io
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from api import DRAW, ConnectFourBoard
from api.adapters import WON
from api.outcomes import Side
from api.players import Quit, Thought
from grader.grading.source import read_lab
from grader.protocol.words import plural
from grader.tools.named import options_of
from grader.tools.position import Position, draw
from grader.tools.screen import Screen
from grader.tools.seats import PLAYER_WORDS, BadWord, Seat, make_seat
from grader.tools.student import Lab, LabFailed
from grader.tools.table import GAME_WORDS, Table, lay_table

OPPONENT = "alphabeta:4"
USAGE = f"make play takes a game, of {GAME_WORDS}; --maxie and --minnie, of {PLAYER_WORDS}; and --games 100 for a match"
MATCH = "a match is --games 1 or more between programs: give --maxie and --minnie, neither of them human"


def main(words: list[str], lab: Path) -> int:
    """Play as the words say; the exit status.  Raises Refusal, OSError, and Quit where a human leaves."""
    read_lab(lab)
    screen, student = Screen.of_terminal(), Lab(lab)
    sys.stdout, sys.stdin = sys.stderr, io.StringIO()  # what lab.py prints or reads is no part of the game
    try:
        game, maxie, minnie, games = _parse(words)
        table = lay_table(student, game, maxie, minnie)
        for seat in table.seats.values():
            screen.say(seat.note)
        if games:
            play_match(table, screen, games)
        else:
            AtTheTable(table, screen).play()
    except LabFailed as failed:
        screen.say(f"{str(failed).rstrip('.')}.")
        return 1
    return 0


def _parse(words: list[str]) -> tuple[str, str, str, int]:
    """The game, who plays Maxie and Minnie, and how many games of a match; 0 for one game, move by move.

    Raises Refusal.
    """
    options = options_of(words, ("maxie", "minnie", "games"), USAGE, beside=True)
    maxie, minnie = options.get("maxie"), options.get("minnie")
    if maxie is None:
        maxie = OPPONENT if minnie == "human" else "human"
    if minnie is None:
        minnie = OPPONENT if maxie == "human" else "human"
    games = options.get("games", "")
    if "games" in options and (not re.fullmatch("[1-9][0-9]{0,5}", games) or "human" in (maxie, minnie)):
        raise BadWord(MATCH)
    return options.get("") or "connect_four", maxie, minnie, int(games or 0)


def play_match(table: Table, screen: Screen, games: int) -> None:
    """One game many times, between two programs; shows the results, also where something stops the match."""
    outcomes, lengths = Counter[str](), list[int]()
    try:
        with table.lab.running():
            for number in range(1, games + 1):
                screen.wait(f"game {number} of {games}")
                position, length = table.start(), 0
                while (over := position.over) is None:
                    position, length = position.after(table.move(position)), length + 1
                outcomes[table.game.outcome_to_string(over.outcome)] += 1
                lengths.append(length)
    finally:
        players = " against ".join(f"{side} {seat.word}" for side, seat in table.seats.items())
        counts = [f"  {number:>6}  {outcome}" for outcome, number in sorted(outcomes.items())]
        screen.show([f"{plural(len(lengths), 'game')}, {players}", *counts])
        if lengths:
            average = f"{sum(lengths) / len(lengths):.1f} on average"
            screen.say(f"Moves a game: {min(lengths)} to {max(lengths)}, {average}.")


class AtTheTable:
    """One game, move by move.  A human may take moves back and ask for a hint."""

    def __init__(self, table: Table, screen: Screen) -> None:
        self.table, self.screen = table, screen
        self.now = table.start()
        self.shown: Position | None = None
        self.has_human = any(seat.is_human for seat in table.seats.values())

    def play(self) -> None:
        """Play to the end.  Raises LabFailed, with the board still there, and Quit."""
        self._introduce()
        over = None
        try:
            with self.table.lab.running():
                while (over := self.now.over) is None:
                    self._turn()
        finally:
            self._show(is_won=over is not None and over.outcome is not DRAW)
        self.screen.show([self.screen.style.tint(self.table.game.outcome_to_string(over.outcome), "1")])

    def _introduce(self) -> None:
        """Say who plays, and what can be typed."""
        has_pieces = isinstance(self.now.state, (ConnectFourBoard, str))
        maxie, minnie = ("Maxie (X)", "Minnie (O)") if has_pieces else ("Maxie", "Minnie")
        seats = self.table.seats
        self.screen.say(f"{maxie} is {seats[Side.MAXIE].word}, {minnie} is {seats[Side.MINNIE].word}.")
        if self.has_human:
            self.screen.say("Type a move; or u to take one back, h for a hint, q to quit.")
        if any(hasattr(seat.player, "thought") for seat in seats.values()):
            self.screen.say("A score above 0 is good for Maxie, one below for Minnie.")

    def _turn(self) -> None:
        """One move, or what a human wants instead of one."""
        seat = self._seat(self.now)
        if seat.is_human or not self.has_human:
            self._show()
        if seat.is_human:
            self._ask()
            return
        self.screen.wait(f"{self.now.turn} thinks ...")
        move = self.table.move(self.now)
        self.screen.say(f"{self.now.turn} plays {self._move_and_thought(seat, move)}.")
        self.now = self.now.after(move)

    def _seat(self, position: Position) -> Seat:
        """Who is to move in a position."""
        return self.table.seats[position.turn]

    def _show(self, is_won: bool = False) -> None:
        """Draw the position, unless it stands there already."""
        if self.now is self.shown:
            return
        self.shown = self.now
        self.screen.show(["", *draw(self.now, self.screen.style, is_won), ""])

    def _ask(self) -> None:
        """Have a human make a move, or do what is typed in place of one."""
        game, state = self.table.game, self.now.state
        possible = [game.move_to_string(move) for move in game.moves(state)]
        listed = ", ".join(possible) if len(possible) < 10 else f"{possible[0]} ... {possible[-1]}"
        text = self.screen.ask(f"{self.now.turn}, your move ({listed[:40]}): ")
        move = game.parse_move(state, text)
        if move is not None:
            self.now = self.now.after(move)
        elif text.lower() == "q":
            raise Quit(0)
        elif text.lower() == "u":
            self._take_back()
        elif text.lower() == "h":
            self._hint()
        else:
            self.screen.say(f"{text[:30]!r} is no move here. Possible: {listed[:200]}; or u, h, q.")

    def _take_back(self) -> None:
        """Go back to the last turn of a human before this one."""
        before = self.now.before
        while before and not self._seat(before).is_human:
            before = before.before
        if before:
            self.now = before
        else:
            self.screen.say("There is no move of yours to take back.")

    def _hint(self) -> None:
        """Say what the other player would do here, or the student's alpha-beta if that is no program."""
        lab, seat = self.table.lab, self.table.seats[self.now.turn.other]
        try:
            if not seat.function:
                seat = make_seat(lab, self.table.game, OPPONENT)
            if seat.note:
                raise LabFailed(seat.note.partition(":")[0])
            with lab.running(seat.function):
                move = seat.player.next_move(self.now.state)
            self.screen.say(f"Hint: {seat.word} would play {self._move_and_thought(seat, move)}.")
        except LabFailed as failed:
            self.screen.say(f"No hint: {failed}")

    def _move_and_thought(self, seat: Seat, move: Any) -> str:
        thought = getattr(seat.player, "thought", None)
        text = self.table.game.move_to_string(move)
        return f"{text}: {_describe(thought)}" if thought else text


def _describe(thought: Thought) -> str:
    """What a search found out, in words.

    >>> _describe(Thought([3], -1005, 4, 212))
    'depth 4, score -1005 (Minnie wins), 212 evaluations'
    """
    winner = Side.MAXIE if thought.score > 0 else Side.MINNIE
    wins = f" ({winner} wins)" if abs(thought.score) >= WON else ""
    count = plural(thought.evaluations, "evaluation")
    return f"depth {thought.depth:g}, score {thought.score:.4g}{wins}, {count}"
