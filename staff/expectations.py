"""`make expectations`: fills in what each case expects, from the model solution, and says what changed.

Comments and layout of the case files stay.  An expectation marked `by_hand: true` is never
touched; where the model contradicts it, that is an error.  With `--check` nothing is written, and
any difference is an error.
"""

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

from boards.cases import CASES, Call, Case, case_blocks, case_files, check_shares, load_bank, make_bank
from boards.earlier import wanted_excerpt
from boards.excerpts import name_of_excerpt
from boards.inputs import EXPECTATIONS, InputReader, read_expectation
from boards.named import BoardDrawing
from boards.points import read_points
from boards.reading import BadFile, Block, parse_yaml
from grader.grading.judge import judge
from grader.sandbox.opening import open_sandbox
from staff.excerpts import TooLarge, write_excerpt
from staff.model import MODEL, Model, ModelFailure
from staff.release.shares import HIDDEN, hidden_files
from staff.shapes import check_shapes, shapes_of


@dataclass(frozen=True)
class Filled:
    """A case file with every expectation brought up to date: its text, its document, and a line for
    each difference to what it was."""

    text: str
    document: Any
    differences: list[str]


def fill_in(file: Path, reader: InputReader, model: Model, write: bool) -> list[str]:
    """Bring one case file up to date; a line for each difference.  Raises BadFile."""
    filled = compare(file, file.read_text("utf-8"), reader, model)
    if filled.differences and write:
        save(file, filled.text)
    return filled.differences


def compare(file: Path, text: str, reader: InputReader, model: Model) -> Filled:
    """What the model makes of the text of a case file.  Raises BadFile, which names the case."""
    round_trip = YAML()
    round_trip.width = 10_000
    round_trip.preserve_quotes = True
    round_trip.indent(mapping=2, sequence=4, offset=2)
    root = parse_yaml(text, file)
    blocks = list(case_blocks(root))
    document = round_trip.load(text)
    differences = []
    excerpts = _excerpts(blocks, reader, model)
    stored_excerpts = root.get("excerpts", {})
    if excerpts != stored_excerpts:
        differences.append(f"{file.name}: {'changed' if stored_excerpts else 'new'}: excerpts of Connect Four")
        document.pop("excerpts", None)
        if excerpts:  # above the cases, so that a case can be written at the end of the file
            data = CommentedMap((name, _styled(text)) for name, text in excerpts.items())
            document.insert(list(document).index("cases"), "excerpts", data)
    for (function, block, calls), entry in zip(blocks, document["cases"], strict=True):
        name = f"{file.name}:{block.line}: {block.take('id', str)}"
        for call, node in zip(calls, entry.get("calls", [entry]), strict=True):
            if function not in EXPECTATIONS:
                block.fail(f"there is no graded function `{function}`", "function")
            _, inputs = reader.inputs(function, call)
            _attach_excerpt(function, inputs, excerpts)
            stored = call.take("expect", Block, Block(call.file, call.line))
            stored.allow({*chain.from_iterable(EXPECTATIONS[function]), "by_hand", "explain"})
            if stored.get("by_hand"):
                _compare_by_hand(function, inputs, call, model)
                continue
            try:
                found = model.expectation(function, inputs, call, block.get("advice", False))
            except ModelFailure as failure:
                call.fail(f"{block['id']}: {failure}")
            if found != stored:
                was = f"{_short(stored)} -> " if stored and "explain" not in stored else "new: "
                differences.append(f"{name}: {was}{_short(found)}")
                node["expect"] = _styled(found)
    stream = io.StringIO()
    round_trip.dump(document, stream)
    return Filled(stream.getvalue(), document, differences)


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
        except (TooLarge, ModelFailure) as error:
            call.fail(str(error))
    return excerpts


def _attach_excerpt(function: str, inputs: dict[str, Any], excerpts: dict[str, str]) -> None:
    """Give a search on a Connect Four ending the game that it plays on."""
    if "state" in inputs and (wanted := wanted_excerpt(function, inputs)):
        inputs["state"]["excerpt"] = excerpts[name_of_excerpt(wanted[0].rows)]


def save(file: Path, text: str) -> None:
    """Write a case file back."""
    file.write_text(text, encoding="utf-8", newline="\n")


def check_filled(filled: dict[Path, Filled], reader: InputReader, model: Model) -> None:
    """Raise BadFile where the files as they would be written have a mistake, or do not read back the same."""
    roots = {file: parse_yaml(one.text, file) for file, one in filled.items()}
    check_shares(make_bank([root for file, root in roots.items() if file.parent == CASES], read_points()))
    make_bank(roots.values(), read_points())
    check_shapes(shape for file, one in filled.items() for shape in shapes_of(file, one.document))
    for file, one in filled.items():
        if one.differences and (again := compare(file, one.text, reader, model).differences):
            raise BadFile(file, 1, f"what would be written here does not read back the same: {again[0]}")


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 160 else f"{text[:159]}…"


def _compare_by_hand(function: str, inputs: dict[str, Any], call: Block, model: Model) -> None:
    """Raise BadFile where the model would not pass an expectation that was computed by hand."""
    case = Case("by/hand", 0, function, "", (Call("", inputs, read_expectation(function, call, inputs)),), MODEL, 1)
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
        filled = {file: compare(file, file.read_text("utf-8"), reader, model) for file in files}
        check_filled(filled, reader, model)
    except (BadFile, ModelFailure) as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        sandbox.close()
    differences = [line for one in filled.values() for line in one.differences]
    print(*differences, sep="\n", end="\n" if differences else "")
    for file, one in filled.items():
        if one.differences and not check:
            save(file, one.text)
    new = sum(": new: " in line for line in differences)
    changed = len(differences) - new
    cases = sum(len(one.document["cases"]) for one in filled.values())
    print(f"{cases} cases; expectations: {new} new, {changed} changed{', nothing written' if check else ''}")
    if changed and not check:
        print("An expectation that was there before has changed: is lab.py right? `git diff` shows what it was.")
    return 1 if check and differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
