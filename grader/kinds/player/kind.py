"""A player for every two-player game: a class with next_move, search and evaluate."""

from grader.bank.cases import Call
from grader.kinds.kind import Kind
from grader.kinds.player.divergence import divergence
from grader.kinds.player.drawing import draw_state, pasted, signature
from grader.kinds.player.judge import PlayerAnswer, Said, judge_player, read_answer
from grader.protocol.plain import alike


class Player(Kind[PlayerAnswer]):
    """A class that inherits from Player."""

    methods = ("__init__", "next_move", "search", "evaluate")
    calls = ("solver", "search")
    most_traced = 1_000

    read = staticmethod(read_answer)
    judge = staticmethod(judge_player)
    divergence = staticmethod(divergence)
    signature = staticmethod(signature)
    pasted = staticmethod(pasted)
    picture = staticmethod(draw_state)

    def fingerprint(self, call: Call, answer: PlayerAnswer) -> str:
        """The answer, in however many estimates."""
        return alike(answer.value if isinstance(answer, Said) else answer.refused)


KIND = Player()
