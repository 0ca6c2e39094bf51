"""`make expectations`: fills in what each case expects, from the model solution, and says what changed.

Comments and layout of the case files stay.  An expectation marked `by_hand: true` is never
touched; where the model contradicts it, that is an error.  With `--check` nothing is written, and
any difference is an error.
"""

import base64
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

from api import INF
from boards.cases import CASES, Call, Case, case_blocks, case_files, load_bank
from boards.earlier import wanted_excerpt
from boards.excerpts import name_of_excerpt
from boards.inputs import EXPECTATIONS, InputReader, read_expectation
from boards.named import BoardDrawing
from boards.reading import BadFile, Block, read_yaml
from grader.answer import Answer, Ending, Request
from grader.calls import digest
from grader.judge import judge
from grader.judges.solutions import hash_answer
from grader.run_check import answer_make_run
from grader.sandbox import Sandbox, open_sandbox
from grader.sentences import sentence_for_ending, sentence_for_exception, sentence_for_import
from staff.excerpts import TooLarge, columns_of, write_excerpt
from staff.release.shares import HIDDEN, hidden_files
from staff.shapes import check_shapes, shapes_of

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
            raise ModelFailure(
                f"the model's {function}: {sentence_for_ending(answer, MOST_SECONDS)[1]} ({calls[0].inputs})"[:400]
            )
        for outcome in answer.outcomes:
            if "missing" in outcome:
                raise ModelFailure(f"lab.py has no {function}")
            if "raised" in outcome:
                raise ModelFailure(f"the model's {function}: {sentence_for_exception(outcome['raised'], function)[1]}")
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


def fill_in(file: Path, reader: InputReader, model: Model, write: bool) -> list[str]:
    """Bring one case file up to date; a line for each difference.  Raises BadFile."""
    round_trip, document, differences = compare(file, reader, model)
    if differences and write:
        save(file, round_trip, document)
    return differences


def compare(file: Path, reader: InputReader, model: Model) -> tuple[YAML, Any, list[str]]:
    """A case file with every expectation brought up to date, and a line for each difference."""
    round_trip = YAML()
    round_trip.width = 10_000
    round_trip.preserve_quotes = True
    round_trip.indent(mapping=2, sequence=4, offset=2)
    blocks = list(case_blocks(read_yaml(file)))
    document = round_trip.load(file)
    differences = []
    excerpts = _excerpts(blocks, reader, model)
    stored_excerpts = read_yaml(file).get("excerpts", {})
    if excerpts != stored_excerpts:
        differences.append(f"{file.name}: {'changed' if stored_excerpts else 'new'}: excerpts of Connect Four")
        document["excerpts"] = CommentedMap((name, _styled(text)) for name, text in excerpts.items())
    for (function, block, calls), entry in zip(blocks, document["cases"], strict=True):
        name = f"{file.name}:{block.line}: {block.take('id', str)}"
        for call, node in zip(calls, entry.get("calls", [entry]), strict=True):
            if function not in EXPECTATIONS:
                block.fail(f"there is no graded function `{function}`", "function")
            _, inputs = reader.inputs(function, call)
            _attach_excerpt(function, inputs, excerpts)
            stored = call.take("expect", Block, {})
            if stored.get("by_hand"):
                _compare_by_hand(function, inputs, call, model)
                continue
            found = model.expectation(function, inputs, call, block.get("advice", False))
            if found != stored:
                was = f"{_short(stored)} -> " if stored and "explain" not in stored else "new: "
                differences.append(f"{name}: {was}{_short(found)}")
                node["expect"] = _styled(found)
    return round_trip, document, differences


def _excerpts(blocks: Sequence[tuple[str, Block, list[Block]]], reader: InputReader, model: Model) -> dict[str, str]:
    """The excerpts that the calls of a file need, by name."""
    wanted: dict[str, tuple[BoardDrawing, int, Block]] = {}
    for function, _, calls in blocks:
        for call in calls:
            if found := wanted_excerpt(function, reader.inputs(function, call)[1]):
                drawing, plies = found
                name = name_of_excerpt(drawing.rows)
                wanted[name] = (drawing, max(plies, wanted[name][1] if name in wanted else 0), call)
    excerpts = {}
    for name, (drawing, plies, call) in wanted.items():
        try:
            excerpts[name] = write_excerpt(drawing, plies, model.outcomes)
        except TooLarge as error:
            call.fail(str(error))
    return excerpts


def _attach_excerpt(function: str, inputs: dict[str, Any], excerpts: dict[str, str]) -> None:
    """Give a search on a Connect Four ending the game that it plays on."""
    if "state" in inputs and (wanted := wanted_excerpt(function, inputs)):
        inputs["state"]["excerpt"] = excerpts[name_of_excerpt(wanted[0].rows)]


def save(file: Path, round_trip: YAML, document: Any) -> None:
    """Write a case file back."""
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        round_trip.dump(document, stream)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 160 else f"{text[:159]}…"


def _compare_by_hand(function: str, inputs: dict[str, Any], call: Block, model: Model) -> None:
    """Raise BadFile where the model would not pass an expectation that was computed by hand."""
    case = Case("by/hand", 0, function, "", (Call("", inputs, read_expectation(function, call, inputs)),), MODEL, 1)
    verdict = judge(case, model.answer(case))
    if not verdict.passed:
        rows = "; ".join(f"{what} wanted {wanted}, the model says {found}" for what, wanted, found in verdict.rows)
        call.fail(f"computed by hand, but the model contradicts it: {rows or verdict.message}", "expect")


def _styled(value: Any, key: str = "") -> Any:
    """The value for the YAML file: short mappings on one line, texts so that YAML 1.1 reads them back."""
    if isinstance(value, dict):
        mapping = CommentedMap((_styled(name), _styled(inner, name)) for name, inner in value.items())
        if not {"stdout", "history", "leads_to", "explanation"} & value.keys():
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, list):
        sequence = CommentedSeq(_styled(inner) for inner in value)
        if key != "history":
            sequence.fa.set_flow_style()
        return sequence
    if isinstance(value, str):
        if "\n" in value:
            return LiteralScalarString(value)
        return value if yaml.safe_load(value) == value else DoubleQuotedScalarString(value)
    return value


def main(words: list[str]) -> int:
    """Bring every case file up to date, or, with `--check`, say where one is not.

    Nothing is written before every case has been found good.
    """
    check = words == ["--check"]
    if words and not check:
        print(f"unknown: {' '.join(words)}; usage: expectations [--check]", file=sys.stderr)
        return 2
    sandbox = open_sandbox(MODEL)
    try:
        for folder in (CASES, HIDDEN):
            load_bank(folder, unfilled=True)
        model, reader = Model(sandbox), InputReader()
        files = [*case_files(), *hidden_files()]
        compared = {file: compare(file, reader, model) for file in files}
        check_shapes(shape for file, (_, document, _) in compared.items() for shape in shapes_of(file, document))
        differences = [line for *_, lines in compared.values() for line in lines]
        print(*differences, sep="\n", end="\n" if differences else "")
        for file, (round_trip, document, lines) in compared.items():
            if lines and not check:
                save(file, round_trip, document)
        load_bank()
        again = [line for file in files for line in compare(file, reader, model)[2]] if differences else []
    except (BadFile, ModelFailure) as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        sandbox.close()
    new = sum(": new: " in line for line in differences)
    changed = len(differences) - new
    cases = sum(len(document["cases"]) for _, document, _ in compared.values())
    print(f"{cases} cases; expectations: {new} new, {changed} changed{', nothing written' if check else ''}")
    if changed and not check:
        print("An expectation that was there before has changed: is lab.py right? `git diff` shows what it was.")
    if again and not check:
        print("what was written does not read back the same; see the lines above", file=sys.stderr)
    return 1 if (check and differences) or (again and not check) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
