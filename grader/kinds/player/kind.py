"""The kind of players of two-player games: a class that inherits from Player."""

from typing import Any

from grader.bank.cases import Call
from grader.kinds.kind import Divergence, Kind
from grader.kinds.player import drawing
from grader.kinds.player.answer import PlayerAnswer, Said, read_answer
from grader.kinds.player.divergence import find_divergence
from grader.kinds.player.judge import judge_player
from grader.kinds.search.answer import Place
from grader.protocol.plain import alike
from grader.verdicts.verdict import Finding


class Player(Kind[PlayerAnswer]):
    """A class with next_move, search and evaluate that plays every two-player game."""

    methods = ("__init__", "next_move", "search", "evaluate")
    calls = ("solver", "search")
    most_traced = 1_000

    def read(self, outcome: dict[str, Any]) -> PlayerAnswer:
        return read_answer(outcome)

    def judge(self, call: Call, answer: PlayerAnswer) -> Finding:
        return judge_player(call, answer)

    def fingerprint(self, call: Call, answer: PlayerAnswer) -> str:
        """The answer, in however many estimates."""
        if isinstance(answer, Said):
            return alike(answer.value)
        return alike(answer.refused)

    def signature(self, call: Call) -> str:
        return drawing.signature(call)

    def pasted(self, call: Call) -> str:
        return drawing.pasted(call)

    def picture(
        self, call: Call, answer: PlayerAnswer | None, node: Place = ()
    ) -> list[str]:
        return drawing.draw_state(call, node)

    def divergence(self, call: Call, answer: PlayerAnswer) -> Divergence | None:
        return find_divergence(call, answer)


KIND = Player()
