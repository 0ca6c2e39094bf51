"""A player for every two-player game: a class with next_move, search and evaluate."""

from boards.cases import Call, Function
from boards.played import read_played
from grader.judging.verdict import Finding
from grader.kinds.kind import Kind
from grader.kinds.player.divergence import divergence
from grader.kinds.player.drawing import draw_state, pasted, signature
from grader.kinds.player.judge import Made, PlayerAnswer, Said, judge_player, read_answer
from grader.protocol.plain import Garbled, alike

LARGE = 1000  # of a game, which has no drawn tree


class Player(Kind[PlayerAnswer]):
    """A class that inherits from Player."""

    methods = ("__init__", "next_move", "search", "evaluate")
    calls = ("solver", "search")
    most_traced = 1_000
    read = staticmethod(read_answer)
    divergence = staticmethod(divergence)

    def judge(self, function: Function, call: Call, answer: PlayerAnswer) -> Finding:
        if isinstance(answer, Made) is not ("refused" in call.expect):
            raise Garbled
        return judge_player(call, answer)

    def fingerprint(self, function: Function, call: Call, answer: PlayerAnswer) -> str:
        """The answer, in however many estimates."""
        return alike(answer.value if isinstance(answer, Said) else answer.refused)

    def signature(self, function: Function, call: Call) -> str:
        return signature(function.name, read_played(call.inputs))

    def pasted(self, function: Function, call: Call) -> str:
        return pasted(function.name, read_played(call.inputs))

    def picture(self, function: Function, call: Call, answer: PlayerAnswer | None) -> list[str]:
        return draw_state(read_played(call.inputs))

    def size(self, call: Call) -> int:
        game = read_played(call.inputs).game
        return LARGE if isinstance(game, str) else len(game["tree"].splitlines())


KIND = Player()
