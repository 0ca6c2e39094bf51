"""How cases of a player are written (boards/played.py says what a call may hold).  Never ships."""

from collections.abc import Mapping
from typing import Any

from boards.cases import Function
from grader.kinds.player.judge import Made
from staff.strict.kind import Ask, Writing
from staff.strict.named import Names, check_tic_tac_toe
from staff.strict.reading import Block

_NIM = ["nim", "very_dumb_nim"]
_READS = {"fewer_for_maxie": _NIM, "odd_is_lost": _NIM, "corners": ["tic_tac_toe"]}


class PlayerCases(Writing):
    """A `game`, a state of it, what is asked, and what the same player or another one is asked before."""

    def check(self, function: Function, call: Block, names: Names) -> None:
        game = call["game"]
        if isinstance(game, Block):
            names.check_tree(game)
        for asked in (call, *call.get("before", ())):
            if game == "tic_tac_toe" and "position" in asked:
                check_tic_tac_toe(asked, "position")
        for made in (call, call.get("another", {})):
            if "estimator" in made and game not in _READS[made["estimator"]]:
                others = " or ".join(name for name, games in _READS.items() if game in games)
                fix = f"take {others}" if others else "leave it out, and the game estimates"
                read = _READS[made["estimator"]][0]
                made.fail(f"{made['estimator']} estimates states of {read}; {fix}", "estimator")

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
