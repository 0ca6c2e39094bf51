"""The model solution, asked what cases expect: its answers in the form in which cases are judged."""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from api import INF
from boards.cases import Call, Case
from boards.named import BoardDrawing
from boards.reading import Block
from grader.calls import digest
from grader.judges.solutions import hash_answer
from grader.judging.sentences import sentence_for_ending, sentence_for_exception, sentence_for_import
from grader.pipe.answer import Answer, Ending, Request
from grader.run_check import answer_make_run
from grader.sandbox.sandbox import Sandbox
from staff.excerpts import columns_of

MODEL = Path(__file__).parent.parent / "lab.py"
SHORT_OUTPUT, MOST_SECONDS = 30, 20


class ModelFailure(Exception):
    """The model solution does not answer; the text says to what, and how it fails."""


class Model:
    """The model solution, asked for what it answers to a call.  Raises ModelFailure."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        loaded = sandbox.load()
        if not loaded.imported:
            raise ModelFailure(sentence_for_import(loaded))

    def expectation(self, function: str, inputs: dict[str, Any], call: Block, advice: bool) -> dict[str, Any]:
        """What the model answers to one call, in the form in which cases are judged."""
        if function.startswith("ANSWER"):
            return self._answer_to_question(function, call)
        if function == "make_run":
            return self._output(inputs)
        outcome = self._outcome(function, inputs)
        if function == "ZeroBy":
            graph = {key: sorted(outcome[key]["$dict"], reverse=True) for key in ("leads_to", "ends")}
            texts = {key: {str(one): _plain(other) for one, other in pairs} for key, pairs in graph.items()}
            return {"start": outcome["start"], **texts}
        if function == "solve":
            if "digest" in outcome:
                return {"totals": outcome["totals"], "digest": outcome["digest"]}
            kind = "moves" if "remoteness" in inputs else "values"
            return {kind: {str(position): _plain(value) for position, value in outcome["value"]["$dict"]}}
        if function == "MinimaxPlayer":
            return _of_player(inputs["call"], outcome)
        if function == "progressive_deepening":
            history = [_result(entry) for entry in outcome["history"]]
            return {"last": {key: history[-1][key] for key in ("path", "score")}} if advice else {"history": history}
        if function == "minimax_search_alphabeta":
            return self._in_window(inputs, outcome)
        return _result(outcome["result"]) if "state" in inputs else _of_board(function, inputs, outcome["value"])

    def answer(self, case: Case) -> Answer:
        """The model's answer to a case."""
        if case.function == "make_run":
            return answer_make_run(case, MODEL)
        return self._sandbox.answer(
            Request(case.id, case.function, tuple(call.inputs for call in case.calls), MOST_SECONDS)
        )

    def _in_window(self, inputs: dict[str, Any], outcome: dict[str, Any]) -> dict[str, Any]:
        """An alpha-beta result, judged by its side where the value is not inside the given window."""
        arguments = {key: value for key, value in inputs["arguments"].items() if key not in ("alpha", "beta")}
        plain = self._outcome("minimax_search", {**inputs, "arguments": arguments})["result"]
        low, high = inputs["arguments"].get("alpha", -INF), inputs["arguments"].get("beta", INF)
        expect = {**_result(outcome["result"]), "unpruned": plain["evaluations"]}
        if low < plain["score"] < high:
            return expect
        side = {"at_most": low} if plain["score"] <= low else {"at_least": high}
        return {**side, "evaluations": expect["evaluations"], "unpruned": expect["unpruned"]}

    def _outcome(self, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.outcomes(function, [inputs])[0]

    def outcomes(self, function: str, all_inputs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """What comes back from calls of a function, all in one process."""
        calls = tuple(Call("", inputs, {}) for inputs in all_inputs)
        answer = self.answer(Case("the/model", 0, function, "", calls, MODEL, 1))
        if answer.ending is not Ending.ANSWERED:
            raise ModelFailure(f"the model's {function}: {sentence_for_ending(answer, MOST_SECONDS)[1]}")
        if answer.missing:
            raise ModelFailure(f"lab.py has no {function}")
        if answer.raised:
            raise ModelFailure(f"the model's {function}: {sentence_for_exception(answer.raised, function)[1]}")
        return answer.outcomes

    def _output(self, inputs: dict[str, Any]) -> dict[str, Any]:
        outcome = self._outcome("make_run", {**inputs, "through": "program"})
        if outcome["status"]:
            raise ModelFailure(f'make run ARGS="{inputs["command"]}": {outcome["complaint"]}')
        text = outcome["stdout"]
        lines = text.splitlines()
        if len(lines) <= SHORT_OUTPUT:
            return {"stdout": text}
        return {"lines": len(lines), "digest": digest(lines)}

    def _answer_to_question(self, function: str, call: Block) -> dict[str, Any]:
        """A salted hash, and the explanation (written as `explain`) in code."""
        old = call.take("expect", Block, {})
        explanation = old.get("explanation")
        if "explain" in old:
            explanation = base64.b64encode(old["explain"].strip().encode()).decode()
        if not explanation:
            call.fail("write `expect: {explain: why this answer is right}`; the rest is filled in")
        salt = old.get("salt") or hashlib.sha256(function.encode()).hexdigest()[:8]
        answer = self._outcome(function, {})["value"]
        return {"salt": salt, "digest": hash_answer(salt, answer), "explanation": explanation}


def _result(result: dict[str, Any]) -> dict[str, Any]:
    return {"path": result["path"]["indices"], "score": result["score"], "evaluations": result["evaluations"]}


def _of_player(call: str, outcome: dict[str, Any]) -> dict[str, Any]:
    if call == "new":
        return outcome
    value, estimates = outcome["value"], {"estimates": outcome["estimates"]}
    if call == "next_move":
        return {"move": value, **estimates}
    if call == "evaluate":
        return {"estimate": value["$estimate"], **estimates}
    return {"move": value[0], "estimate": value[1]["$estimate"], **estimates}


def _of_board(function: str, inputs: dict[str, Any], value: Any) -> dict[str, Any]:
    if function == "is_game_over_connectfour":
        return {"value": value}
    if function == "endgame_score_connectfour":
        return {"score": value}
    if function == "next_boards_connectfour":
        before = BoardDrawing(tuple(inputs["board"]), tuple(inputs["players"])).board()
        return {"columns": columns_of(before, value)}
    if value >= 1000:
        return {"at_least": 1000}
    return {"at_most": -1000} if value <= -1000 else {"between": [-1000, 1000]}


def _plain(value: Any) -> Any:
    return value["$value"] if isinstance(value, dict) else value
