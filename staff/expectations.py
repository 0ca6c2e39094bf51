"""`make expectations`: fills in what each case expects, from the model solution, and
says what changed; and stores how the model's searches go about them
(reference_traces.py), and what known mistakes answer (misconceptions.py).

Comments and layout of the case files stay.  An expectation marked `by_hand: true` is
never touched; if the model contradicts it, that is an error.  With `--check` nothing is
written, and any difference is an error.
"""

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

from boards.excerpts import name_of_excerpt
from boards.reading import BadFile, shown
from grader.bank.cases import Call, Case
from grader.bank.reading import CallReader, read_case
from grader.grading.judge import judge
from grader.refusal import tell
from staff import misconceptions, reference_traces
from staff.generated import write_digests
from staff.meanwhile import progress
from staff.model import Model, ModelFailure
from staff.strict.bank import all_files
from staff.strict.cases import case_blocks, check_files
from staff.strict.kind import staff_file, writing_of
from staff.strict.points import check_points
from staff.strict.reading import Block, mistakes_in, parse_yaml, read_yaml
from staff.strict.shapes import check_shapes
from staff.strict.twins import twins_left_behind

EXCERPTS = "excerpts of Connect Four"


@dataclass(frozen=True)
class Filled:
    """A case file with every expectation brought up to date, and a line for each
    difference to what it was.
    """

    text: str
    differences: list[str]


def fill_in(file: Path, text: str, model: Model) -> Filled:
    """What the model makes of the text of a case file, which has been checked.  BadFile
    names the case.
    """
    round_trip = _round_trip()
    root, document, reader = parse_yaml(text, file), round_trip.load(text), CallReader()
    excerpts, differences = _excerpts(root, reader, model), []
    if excerpts != root.get("excerpts", {}):
        differences.append(
            f"{shown(file)}: {'changed' if 'excerpts' in root else 'new'}: {EXCERPTS}"
        )
        document.pop("excerpts", None)
        if (
            excerpts
        ):  # above the cases, so that a case can be written at the end of the file
            document.insert(
                list(document).index("cases"), "excerpts", _styled(excerpts, "excerpts")
            )
    _look_ahead(root, reader, excerpts, model)
    for (name, block, calls), entry in zip(
        case_blocks(root), document["cases"], strict=True
    ):
        function = model.functions[name]
        for call, node in zip(calls, entry.get("calls", [entry]), strict=True):
            before = call.get("expect", {})
            after = _expected(block, call, reader.call(function, call, excerpts), model)
            if before != after:
                node["expect"] = _styled(after)
                was = (
                    f"{_short(before)} -> "
                    if before and "explain" not in before
                    else "new: "
                )
                differences.append(
                    f"{shown(file)}:{block.line}: {block['id']}: {was}{_short(after)}"
                )
                call["expect"] = after
        _check_order(
            block,
            read_case("", {**root, "excerpts": excerpts}, function, block, reader),
            model,
        )
    stream = io.StringIO()
    round_trip.dump(document, stream)
    return Filled(stream.getvalue(), differences)


def _round_trip() -> YAML:
    """What reads and writes a case file with its comments and layout."""
    round_trip = YAML()
    round_trip.width = 10_000
    round_trip.preserve_quotes = True
    round_trip.indent(mapping=2, sequence=4, offset=2)
    return round_trip


def _look_ahead(
    root: Block, reader: CallReader, excerpts: dict[str, str], model: Model
) -> None:
    """Ask the model for all calls of a function at once, which takes less time."""
    inputs: dict[str, list[dict[str, Any]]] = {}
    for name, _, calls in case_blocks(root):
        function = model.functions[name]
        inputs.setdefault(name, []).extend(
            reader.call(function, call, excerpts).inputs for call in calls
        )
    for name, all_inputs in inputs.items():
        model.look_ahead(name, all_inputs)


def _expected(block: Block, call: Block, read: Call, model: Model) -> dict[str, Any]:
    """What a call is to expect: what stands there by hand, or else what the model
    answers.
    """
    function = read.function
    stored: dict[str, Any] = call.get("expect", {})
    if stored.get("by_hand"):
        _check_by_hand(read, call, model)
        return stored
    if "advice" in block:
        call["advice"] = block["advice"]
    with mistakes_in(staff_file(function.kind)):
        try:
            found = writing_of(function).fill(function, call, read.inputs, model.ask)
        except ModelFailure as failure:
            call.fail(f"{block['id']}: {failure}")
        yaml.safe_dump(found)  # which says what is no plain data
    return found


def _excerpts(root: Block, reader: CallReader, model: Model) -> dict[str, str]:
    """The excerpts of Connect Four that the calls of a file need, by name."""
    excerpts: dict[str, str] = {}
    for function, _, calls in case_blocks(root):
        graded = model.functions[function]
        for call in calls:
            inputs = reader.call(graded, call, {}).inputs
            try:
                text = writing_of(graded).excerpt(graded, inputs, model.ask_all)
            except (ValueError, ModelFailure) as error:
                call.fail(str(error))
            if text:
                name = name_of_excerpt(inputs.get("state", inputs)["board"])
                excerpts[name] = max(excerpts.get(name, ""), text, key=len)
    return excerpts


def _check_order(block: Block, case: Case, model: Model) -> None:
    """Raise BadFile if the model's scores are not in the order that a case expects."""
    if case.order or case.opposite:
        verdict = judge(case, model.answer(case))
        if not verdict.passed:
            key = "order" if case.order else "opposite"
            block.fail(
                f"{block['id']}: the model contradicts `{key}`: {verdict.message}", key
            )


def _check_by_hand(read: Call, call: Block, model: Model) -> None:
    """Raise BadFile if the model does not pass an expectation that was computed by
    hand.
    """
    case = Case("by/hand", 0, read.function, "", (read,))
    answer = model.answer(case)
    try:
        verdict = judge(case, answer)
    except LookupError as missing:
        call.fail(
            f"computed by hand, and {read.function.name} is not judged by that: {missing} is missing",
            "expect",
        )
    if not verdict.passed:
        call.fail(
            f"computed by hand, but the model contradicts it: {verdict.message}",
            "expect",
        )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 160 else f"{text[:159]}…"


def _styled(value: Any, key: str = "") -> Any:
    """The value for the YAML file: short mappings on one line, texts so that YAML 1.1
    reads them back.
    """
    if isinstance(value, dict):
        mapping = CommentedMap(
            (_styled(name), _styled(inner, name)) for name, inner in value.items()
        )
        if (
            key != "excerpts"
            and not {"stdout", "history", "leads_to", "explanation"} & value.keys()
        ):
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, list):
        sequence = CommentedSeq(_styled(inner) for inner in value)
        if key != "history":
            sequence.fa.set_flow_style()
        return sequence
    if isinstance(value, str) and "\n" in value:
        return LiteralScalarString(value)
    if isinstance(value, str) and yaml.safe_load(value) != value:
        return DoubleQuotedScalarString(value)
    return value


def check_filled(filled: dict[Path, Filled], model: Model) -> None:
    """Raise BadFile if the files as they would be written have a mistake, or do not
    read back the same.
    """
    roots = {file: parse_yaml(one.text, file) for file, one in filled.items()}
    check_files(roots.values())
    check_shapes(roots.values())
    for file, one in filled.items():
        if one.differences and (again := fill_in(file, one.text, model).differences):
            raise BadFile(
                file,
                1,
                f"what would be written here does not read back the same: {again[0]}",
            )


def bring_up_to_date(check: bool) -> int:
    """Bring all that is stored up to date, or only say what is not; the exit status.

    Nothing is written before every case has been found good.  Raises ValueError and
    ModelFailure.
    """
    progress("checking the case files", 1, 3)
    check_points()
    check_files(map(read_yaml, all_files()), unfilled=True)
    misconceptions.check_texts()
    with Model() as model:
        progress("asking the model solution what the cases expect", 2, 3)
        filled = {
            file: fill_in(file, file.read_text("utf-8"), model) for file in all_files()
        }
        check_filled(filled, model)
        differences = [line for one in filled.values() for line in one.differences]
        for file, one in filled.items():
            if one.differences and not check:
                file.write_text(one.text, "utf-8", newline="\n")
        print(*differences, sep="\n", end="\n" if differences else "", flush=True)
        stale = list[str]()
        if not (check and differences):
            progress(
                "following its searches, and finding the wrong labs that answer anew",
                3,
                3,
            )
            stale += reference_traces.bring_up_to_date(model, check)
            stale += misconceptions.bring_up_to_date(check) + write_digests(check)
            print(*stale, sep="\n", end="\n" if stale else "")
    of_cases = [line for line in differences if not line.endswith(EXCERPTS)]
    new = sum(": new: " in line for line in of_cases)
    changed = len(of_cases) - new
    cases = sum(len(read_yaml(file)["cases"]) for file in filled)
    print(
        f"{cases} cases; expectations: {new} new, {changed} changed{', nothing written' if check else ''}"
    )
    for twin in twins_left_behind():
        print(
            f"{twin} is made of a public case that asks something else now: make hidden writes it anew."
        )
    if changed and not check:
        print(
            "An expectation that was there before has changed: is lab.py right? `git diff` shows what it was."
        )
    return 1 if check and (differences or stale) else 0


def main(words: list[str]) -> int:
    """Bring every case file up to date, or, with `--check`, say where one is not; the
    exit status.
    """
    if words not in ([], ["--check"]):
        tell(f"unknown: {' '.join(words)}; usage: expectations [--check]")
        return 2
    try:
        return bring_up_to_date(check=bool(words))
    except (ValueError, ModelFailure) as error:
        tell(error)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
