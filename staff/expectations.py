"""`make expectations`: fills in what each case expects, from the model solution, and says what changed; and
stores how the model's searches go about them (walks.py), and what known mistakes answer (misconceptions.py).

Comments and layout of the case files stay.  An expectation marked `by_hand: true` is never
touched; where the model contradicts it, that is an error.  With `--check` nothing is written, and
any difference is an error.
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

from boards.cases import Call, CallReader, Case, Function, read_case
from boards.excerpts import name_of_excerpt
from boards.reading import BadFile, Drawing, shown
from grader.grading.judge import judge
from grader.kinds.board.staff_excerpts import TooLarge, write_excerpt
from grader.refusal import tell
from grader.sandbox.opening import open_sandbox
from staff import misconceptions, reference_traces
from staff.meanwhile import meanwhile
from staff.model import MODEL, Model, ModelFailure
from staff.shapes import check_shapes, shapes_of
from staff.strict.bank import case_files, hidden_files
from staff.strict.cases import case_blocks, check_expectation, check_files, wanted_excerpt
from staff.strict.kind import writing_of
from staff.strict.points import check_points
from staff.strict.reading import Block, mistakes_in, parse_yaml, read_yaml
from staff.strict.schema import KINDS

EXCERPTS = "excerpts of Connect Four"


@dataclass(frozen=True)
class Filled:
    """A case file with every expectation brought up to date: its text, its document, and a line for
    each difference to what it was."""

    text: str
    document: Any
    differences: list[str]


def compare(file: Path, text: str, model: Model) -> Filled:
    """What the model makes of the text of a case file, which has been checked.  BadFile names the case."""
    round_trip = YAML()
    round_trip.width = 10_000
    round_trip.preserve_quotes = True
    round_trip.indent(mapping=2, sequence=4, offset=2)
    root, reader = parse_yaml(text, file), CallReader()
    document = round_trip.load(text)
    excerpts = _excerpts(root, reader, model)
    stored = root.get("excerpts", {})
    differences = []
    if excerpts != stored:
        differences.append(f"{shown(file)}: {'changed' if stored else 'new'}: {EXCERPTS}")
        document.pop("excerpts", None)
        if excerpts:  # above the cases, so that a case can be written at the end of the file
            data = CommentedMap((name, _styled(text)) for name, text in excerpts.items())
            document.insert(list(document).index("cases"), "excerpts", data)
    for (name, block, calls), entry in zip(case_blocks(root), document["cases"], strict=True):
        for call, node in zip(calls, entry.get("calls", [entry]), strict=True):
            read = reader.call(call, excerpts)
            difference, found = _compare_call(model.functions[name], read, call, block, model)
            if found:
                node["expect"], call["expect"] = _styled(found), found
                differences.append(f"{shown(file)}:{block.line}: {block['id']}: {difference}")
        case = read_case("", {**root, "excerpts": excerpts}, model.functions[name], block, reader)
        _check_order(block, case, model)
    stream = io.StringIO()
    round_trip.dump(document, stream)
    return Filled(stream.getvalue(), document, differences)


def _compare_call(
    function: Function, read: Call, call: Block, block: Block, model: Model
) -> tuple[str, dict[str, Any]]:
    """What is to be written to a call, and how that differs from what stands there; nothing where it does not."""
    stored = call.get("expect", {})
    if stored.get("by_hand"):
        _compare_by_hand(function, read, call, model)
        return "", {}
    if "advice" in block:
        call["advice"] = block["advice"]
    with mistakes_in(KINDS / function.kind / "staff.py"):
        try:
            found = writing_of(function).fill(function, call, read.inputs, model.ask)
        except ModelFailure as failure:
            call.fail(f"{block['id']}: {failure}")
        yaml.safe_dump(found)  # which says what is no plain data
    if found == stored:
        return "", {}
    was = f"{_short(stored)} -> " if stored and "explain" not in stored else "new: "
    return f"{was}{_short(found)}", found


def _excerpts(root: Block, reader: CallReader, model: Model) -> dict[str, str]:
    """The excerpts that the calls of a file need, by name."""
    wanted: dict[str, tuple[Drawing, int, Block]] = {}
    for function, _, calls in case_blocks(root):
        for call in calls:
            if found := wanted_excerpt(model.functions[function], reader.call(call, {})):
                drawing, plies = found
                name = name_of_excerpt(drawing["board"])
                wanted[name] = (drawing, max(plies, wanted[name][1] if name in wanted else 0), call)
    excerpts = {}
    for name, (drawing, plies, call) in wanted.items():
        try:
            excerpts[name] = write_excerpt(drawing, plies, model.ask_all)
        except (TooLarge, ModelFailure) as error:
            call.fail(str(error))
    return excerpts


def save(file: Path, text: str) -> None:
    """Write a case file back."""
    file.write_text(text, encoding="utf-8", newline="\n")


def check_filled(filled: dict[Path, Filled], model: Model) -> None:
    """Raise BadFile where the files as they would be written have a mistake, or do not read back the same."""
    roots = {file: parse_yaml(one.text, file) for file, one in filled.items()}
    check_files(roots.values())
    check_shapes(shape for file, one in filled.items() for shape in shapes_of(file, one.document))
    for file, one in filled.items():
        if one.differences and (again := compare(file, one.text, model).differences):
            raise BadFile(file, 1, f"what would be written here does not read back the same: {again[0]}")


def _check_order(block: Block, case: Case, model: Model) -> None:
    """Raise BadFile where the model's scores are not in the order that a case asks for."""
    if case.order or case.opposite:
        verdict = judge(case, model.answer(case))
        if not verdict.passed:
            key = "order" if case.order else "opposite"
            block.fail(f"{block['id']}: the model contradicts `{key}`: {verdict.message}", key)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 160 else f"{text[:159]}…"


def _compare_by_hand(function: Function, read: Call, call: Block, model: Model) -> None:
    """Raise BadFile where the model would not pass an expectation that was computed by hand."""
    check_expectation(writing_of(function), function, call, read)
    case = Case("by/hand", 0, function, "", (read,))
    verdict = judge(case, model.answer(case))
    if not verdict.passed:
        rows = "; ".join(
            f"{what} wanted {wanted}, the model says {found}" for what, wanted, found in verdict.rows if wanted != found
        )
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


def _print(lines: list[str]) -> list[str]:
    """The lines, which are printed at once."""
    print(*lines, sep="\n", end="\n" if lines else "", flush=True)
    return lines


def main(words: list[str]) -> int:
    """Bring every case file up to date, or, with `--check`, say where one is not.

    Nothing is written before every case has been found good.
    """
    check = words == ["--check"]
    if words and not check:
        tell(f"unknown: {' '.join(words)}; usage: expectations [--check]")
        return 2
    sandbox = open_sandbox(MODEL)
    try:
        check_points()
        files = [*case_files(), *hidden_files()]
        check_files(map(read_yaml, files), unfilled=True)
        model = Model(sandbox)
        misconceptions.check_texts()
        meanwhile("asking the model solution, which takes half a minute or so")
        filled = {file: compare(file, file.read_text("utf-8"), model) for file in files}
        check_filled(filled, model)
        differences = [line for one in filled.values() for line in one.differences]
        for file, one in filled.items():
            if one.differences and not check:
                save(file, one.text)
        _print(differences)  # what is written has been said, whatever is found below
        stored = list[str]()
        if not (check and differences):
            meanwhile("following its searches")
            stored += _print(reference_traces.bring_up_to_date(model, check))
            stored += _print(misconceptions.bring_up_to_date(check))
    except (ValueError, ModelFailure) as error:
        tell(error)
        return 2
    finally:
        sandbox.close()
    of_cases = [line for line in differences if not line.endswith(EXCERPTS)]
    new = sum(": new: " in line for line in of_cases)
    changed = len(of_cases) - new
    cases = sum(len(one.document["cases"]) for one in filled.values())
    print(f"{cases} cases; expectations: {new} new, {changed} changed{', nothing written' if check else ''}")
    if changed and not check:
        print("An expectation that was there before has changed: is lab.py right? `git diff` shows what it was.")
    return 1 if check and (differences or stored) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
