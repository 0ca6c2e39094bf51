"""The kind of players of two-player games: a class that inherits from Player."""

from grader.bank.cases import Call
from grader.kinds.kind import Kind
from grader.kinds.player import drawing
from grader.kinds.player.answer import PlayerAnswer, read_answer
from grader.kinds.player.divergence import find_divergence
from grader.kinds.player.judge import judge_player
from grader.protocol.plain import alike


class Player(Kind[PlayerAnswer]):
    """A class with next_move, search and evaluate that plays every two-player game."""

    methods = ("__init__", "next_move", "search", "evaluate")
    calls = ("solver", "search")
    most_traced = 1_000

    read = staticmethod(read_answer)
    judge = staticmethod(judge_player)
    signature = staticmethod(drawing.signature)
    pasted = staticmethod(drawing.pasted)
    picture = staticmethod(drawing.draw_state)
    divergence = staticmethod(find_divergence)

    def fingerprint(self, call: Call, answer: PlayerAnswer) -> str:
        """The answer, in however many estimates."""
        return alike(answer.value if answer.refused is None else answer.refused)


KIND = Player()
