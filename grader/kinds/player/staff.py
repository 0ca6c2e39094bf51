"""How cases of a player are written (boards/played.py says what a call may hold).  Never ships."""

from collections.abc import Mapping
from typing import Any

from boards.cases import Function
from grader.kinds.player.judge import Made
from staff.strict.kind import Ask, Writing
from staff.strict.named import Names
from staff.strict.reading import Block


class PlayerCases(Writing):
    """A `game`, a state of it, what is asked, and what the same player or another one is asked before."""

    def check(self, function: Function, call: Block, names: Names) -> None:
        if isinstance(call["game"], Block):
            names.check_tree(call["game"])

    def can_be_disguised(self, function: Function) -> bool:
        return True

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        answer = ask(function.name, inputs)
        if isinstance(answer, Made):
            return {"refused": answer.refused}
        value, estimates = answer.value, {"estimates": answer.estimates}
        asked = inputs.get("call", "search")
        if asked == "next_move":
            return {"move": value, **estimates}
        if asked == "evaluate":
            return {"estimate": value["$estimate"], **estimates}
        return {"move": value[0], "estimate": value[1]["$estimate"], **estimates}


WRITING = PlayerCases()
