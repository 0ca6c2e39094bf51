"""`make play`: plays a game at the terminal against the student's own code.

    python grader play
    python grader play nim --maxie human --minnie minimax:3

The exit status is 0 if the game ended or a human left, 1 if lab.py failed, and 2 if a
word is wrong.
"""

import io
import sys
from pathlib import Path

from api import HumanPlayer, Over, Referee
from api.adapters import WON
from api.outcomes import Side
from api.players import Thought
from grader.grading.source import read_lab
from grader.parser import Parser
from grader.protocol.text import plural
from grader.tools.games import GAME_WORDS, about, make_game
from grader.tools.screen import Screen
from grader.tools.seats import PLAYER_WORDS, Seat, make_seat
from grader.tools.student import CannotPlay, Lab

OPPONENT = "alphabeta:4"
USAGE = (
    f"make play takes a game ({GAME_WORDS}), and --maxie and --minnie ({PLAYER_WORDS})"
)


def main(words: list[str], lab: Path) -> int:
    """Play a game as `words` say, and return the exit status.

    Raises Refusal for wrong words or a file that is not a lab.py, OSError if lab.py
    cannot be read, and Quit if a human leaves.
    """
    options = _parser(lab).read(words)
    minnie = options.minnie
    if not minnie:
        minnie = OPPONENT if options.maxie == "human" else "human"
    read_lab(options.lab)
    screen = Screen.of_terminal()
    # lab.py must neither print into the game nor read what a human types.
    sys.stdout = sys.stderr
    sys.stdin = io.StringIO()
    game = ":".join(options.game) or "connect_four"
    try:
        AtTheTable(Lab(options.lab), screen, game, options.maxie, minnie).play()
    except CannotPlay as failed:
        text = str(failed)
        if not text.endswith((".", "?")):
            text += "."
        screen.say(text)
        return 1
    return 0


def _parser(lab: Path) -> Parser:
    """Return the parser for the words of make play."""
    parser = Parser("play", USAGE, lab)
    parser.add_argument("game", nargs="*", metavar="GAME", default=[])
    parser.add_argument(
        "--maxie",
        metavar="PLAYER",
        default="human",
        help="who plays Maxie: human by default",
    )
    parser.add_argument(
        "--minnie",
        metavar="PLAYER",
        default="",
        help=f"who plays Minnie: {OPPONENT} against a human, and else human",
    )
    return parser


class AtTheTable:
    """A game at the terminal between two players, each of which is a program or a
    human.

    Raises Refusal for a word that names no game or no player, and CannotPlay if lab.py
    fails.
    """

    def __init__(
        self, lab: Lab, screen: Screen, game: str, maxie: str, minnie: str
    ) -> None:
        self.lab = lab
        self.screen = screen
        self.game = make_game(lab, game)
        self.about = about(game)
        self.seats = {
            side: self._seat(word)
            for side, word in zip(Side, (minnie, maxie), strict=True)
        }

    def _seat(self, word: str) -> Seat:
        if word == "human":
            human = HumanPlayer(self.game, self.screen.ask, self.screen.tell_within)
            return Seat(word, human)
        return make_seat(self.lab, self.game, word)

    def play(self) -> None:
        """Play the game to its end.

        Raises CannotPlay if lab.py fails, and Quit if a human leaves.
        """
        game = self.game
        maxie = self.seats[Side.MAXIE]
        minnie = self.seats[Side.MINNIE]
        referee = Referee(maxie.player, minnie.player)
        self.screen.say(self.about.rules)
        self.screen.say(self._who_is_who())
        if "human" in (maxie.word, minnie.word):
            self.screen.say(f"Type {self.about.move}, or q to quit.")
        with self.lab.running():
            state = game.start()
            while not isinstance(status := game.status(state), Over):
                state = game.make_move(state, self._move(referee, state))
            ended = game.outcome_to_string(status.outcome)
        self.screen.tell(f"\n{game.state_to_string(state)}\n\n{ended}")

    def _who_is_who(self) -> str:
        """Say who plays Maxie and who plays Minnie, and with which pieces."""
        his, hers = (f" ({pieces})" if pieces else "" for pieces in self.about.pieces)
        maxie = f"Maxie{his}"
        minnie = f"Minnie{hers}"
        match self.seats[Side.MAXIE].who, self.seats[Side.MINNIE].who:
            case "", "":
                return f"You play both sides. {maxie} moves first, and {minnie} second."
            case "", who:
                return f"You are {maxie} and move first. {minnie} is {who}."
            case who, "":
                return f"You are {minnie} and move second. {maxie} is {who}."
            case who, other:
                return f"{maxie} is {who} and moves first. {minnie} is {other}."

    def _move(self, referee: Referee, state: object) -> object:
        """Ask the player whose turn it is for a move, and return the move.  If the
        player is a program, also print the move.
        """
        side = self.game.player(state)
        seat = self.seats[side]
        if seat.word == "human":
            self.screen.tell("")
            return referee.next_move(state)
        self.screen.wait(f"{side} thinks")
        with self.lab.running(seat.function):
            move = referee.next_move(state)
        thought = getattr(seat.player, "thought", None)
        search = f": {describe(thought)}" if thought else ""
        self.screen.say(f"{side} plays {self.game.move_to_string(move)}{search}.")
        return move


def describe(thought: Thought) -> str:
    """Return the result of a search in words.

    >>> describe(Thought([3], -1005, 4, 212))
    'depth 4, score -1005 (a sure win for Minnie), 212 evaluations'
    >>> describe(Thought([3], 12, 4, 1))
    'depth 4, score 12 (good for Maxie), 1 evaluation'
    >>> describe(Thought([3], 0, 4, 2))
    'depth 4, score 0, 2 evaluations'
    """
    score = f"{thought.score:.4g}{_meaning(thought.score)}"
    evaluations = plural(thought.evaluations, "evaluation")
    return f"depth {thought.depth:g}, score {score}, {evaluations}"


def _meaning(score: float) -> str:
    """Say in parentheses for which player a score is good.  The text is empty for a
    score of 0.
    """
    if score == 0:
        return ""
    side = Side.MAXIE if score > 0 else Side.MINNIE
    if abs(score) >= WON:
        return f" (a sure win for {side})"
    return f" (good for {side})"
