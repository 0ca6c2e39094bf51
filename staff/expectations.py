"""`make expectations`: fills in what each case expects, from the model solution.

The command prints what has changed.  It also stores how the model solution searches
(reference_traces.py), and what known mistakes answer (misconceptions.py).

The comments and the layout of case files stay.  An expectation marked `by_hand: true`
never changes.  It is an error if the model solution contradicts such an expectation.
With `--check` the command writes nothing, and any difference is an error.
"""

import io
import sys
from collections.abc import Sequence
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
from grader.cli import enter
from grader.grading.judge import judge
from grader.parser import Parser
from grader.refusal import Refusal, as_typed
from staff import misconceptions, reference_traces
from staff.model import Model, ModelFailure
from staff.progress import progress
from staff.stored import write_digests
from staff.strict.bank import all_files
from staff.strict.cases import case_blocks, check_files
from staff.strict.kind import staff_file, writing_of
from staff.strict.points import check_points
from staff.strict.reading import Block, mistakes_in, parse_block, read_block
from staff.strict.shapes import check_shapes
from staff.strict.twins import twins_left_behind

EXCERPTS = "excerpts of Connect Four"
LONGEST = 160  # characters of an expectation that is printed
LONG_FIELDS = {"stdout", "history", "leads_to", "explanation"}
"""A mapping with one of these fields takes several lines of a case file."""


@dataclass(frozen=True)
class Difference:
    """A place where a case file differs from what the model solution gives now."""

    place: str  # the file, the line, and the id of the case
    before: Any  # what the file has now; empty if it has nothing yet
    after: Any  # what the model solution gives; empty for excerpts, which nobody reads

    @property
    def is_new(self) -> bool:
        return not self.before

    @property
    def is_of_a_case(self) -> bool:
        """Whether the difference is in an expectation, and not in the excerpts of a
        file.
        """
        return bool(self.after)

    def __str__(self) -> str:
        if not self.is_of_a_case:
            kind = "new" if self.is_new else "changed"
            return f"{self.place}: {kind}: {EXCERPTS}"
        if self.is_new:
            return f"{self.place}: new: {_short(self.after)}"
        return f"{self.place}: {_short(self.before)} -> {_short(self.after)}"


@dataclass(frozen=True)
class Filled:
    """The new text of a case file, with expectations that are up to date."""

    text: str
    differences: list[Difference]


def fill_in(file: Path, text: str, model: Model) -> Filled:
    """Return the text of a case file with all its expectations filled in.

    `text` is the text so far, which must have been checked.  This function writes no
    file.  Raises BadFile if the model solution gives no answer, or contradicts a case.
    """
    round_trip = _round_trip()
    root = parse_block(text, file)
    document = round_trip.load(text)
    reader = CallReader()
    excerpts = _excerpts(root, reader, model)
    differences = []
    if excerpts != root.get("excerpts", {}):
        before = root.get("excerpts", {})
        differences.append(Difference(shown(file), before, after=None))
        _write_excerpts(document, excerpts)
    _look_ahead(root, reader, excerpts, model)
    entries = zip(case_blocks(root), document["cases"], strict=True)
    for (name, block, calls), entry in entries:
        function = model.functions[name]
        for call, node in zip(calls, entry.get("calls", [entry]), strict=True):
            before = call.get("expect", {})
            after = _expected(block, call, reader.call(function, call, excerpts), model)
            if before != after:
                node["expect"] = _styled(after)
                place = f"{shown(file)}:{block.line}: {block['id']}"
                # A person has explained the answer to a question as plain text.  The
                # file will hold the explanation encoded, so the list of changes must
                # not show the plain text.
                if "explain" in before:
                    before = {}
                differences.append(Difference(place, before, after))
                call["expect"] = after
        facts = {**root, **block, "excerpts": excerpts}
        case = read_case("", function, facts, reader)
        _check_order(block, case, model)
    stream = io.StringIO()
    round_trip.dump(document, stream)
    return Filled(stream.getvalue(), differences)


def _write_excerpts(document: CommentedMap, excerpts: dict[str, str]) -> None:
    """Put the excerpts of Connect Four into a case file, before its cases.

    So the end of the file stays free for new cases.
    """
    document.pop("excerpts", None)
    if excerpts:
        position = list(document).index("cases")
        document.insert(position, "excerpts", _styled(excerpts, "excerpts"))


def _round_trip() -> YAML:
    """Return a reader and writer of YAML that keeps comments and layout."""
    round_trip = YAML()
    round_trip.width = 10_000
    round_trip.preserve_quotes = True
    round_trip.indent(mapping=2, sequence=4, offset=2)
    return round_trip


def _look_ahead(
    root: Block, reader: CallReader, excerpts: dict[str, str], model: Model
) -> None:
    """Have the model solution make all calls of a function at once, which saves time.

    The model keeps the answers for later.
    """
    inputs: dict[str, list[dict[str, Any]]] = {}
    for name, _, calls in case_blocks(root):
        function = model.functions[name]
        inputs.setdefault(name, []).extend(
            reader.call(function, call, excerpts).inputs for call in calls
        )
    for name, all_inputs in inputs.items():
        model.look_ahead(name, all_inputs)


def _expected(block: Block, call: Block, read: Call, model: Model) -> dict[str, Any]:
    """Return the expectation of a call.

    An expectation that was computed by hand stays as it is.  Any other expectation is
    made from the answer of the model solution.  Raises BadFile if the model solution
    gives no answer, or contradicts an expectation that was computed by hand.
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
            expected = writing_of(function).fill(function, call, read.inputs, model.ask)
        except ModelFailure as failure:
            call.fail(f"{block['id']}: {failure}")
        yaml.safe_dump(expected)  # this raises an error if it is not plain data
    return expected


def _excerpts(root: Block, reader: CallReader, model: Model) -> dict[str, str]:
    """Return the excerpts of Connect Four that the calls of a file need.

    The key is the name of the excerpt.  Raises BadFile if an excerpt would be too
    large.
    """
    excerpts: dict[str, str] = {}
    for function, _, calls in case_blocks(root):
        graded = model.functions[function]
        for call in calls:
            inputs = reader.call(graded, call, {}).inputs
            try:
                text = writing_of(graded).excerpt(graded, inputs, model.ask_all)
            except Refusal as error:
                call.fail(str(error))
            if text:
                name = name_of_excerpt(inputs.get("state", inputs)["board"])
                excerpts[name] = max(excerpts.get(name, ""), text, key=len)
    return excerpts


def _check_order(block: Block, case: Case, model: Model) -> None:
    """If a case compares the scores of its calls, check that the model passes it.

    Such a case has `order` or `opposite`.  Raises BadFile if the model does not pass.
    """
    if not (case.order or case.opposite):
        return
    verdict = judge(case, model.answer(case))
    if not verdict.passed:
        key = "opposite"
        if case.order:
            key = "order"
        problem = f"the model contradicts `{key}`: {verdict.message}"
        block.fail(f"{block['id']}: {problem}", key)


def _check_by_hand(read: Call, call: Block, model: Model) -> None:
    """Check that the model solution passes an expectation that was computed by hand.

    Raises BadFile if it does not, or if the expectation lacks a field by which the kind
    judges the function.
    """
    case = Case("by/hand", 0, read.function, "", (read,))
    answer = model.answer(case)
    try:
        verdict = judge(case, answer)
    except LookupError as missing:
        call.fail(
            f"computed by hand, and {read.function.name} is not judged by that: "
            f"{missing} is missing",
            "expect",
        )
    if not verdict.passed:
        call.fail(
            f"computed by hand, but the model contradicts it: {verdict.message}",
            "expect",
        )


def _short(value: Any) -> str:
    """Return a value as text, which is cut after LONGEST characters."""
    text = str(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 1]}…"


def _styled(value: Any, key: str = "") -> Any:
    """Return a value that ruamel.yaml will write in the style of case files.

    A short mapping goes on one line.  A text gets quotes if YAML 1.1 would misread it.
    """
    if isinstance(value, dict):
        return _styled_mapping(value, key)
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


def _styled_mapping(value: dict[str, Any], key: str) -> CommentedMap:
    """Return a mapping that ruamel.yaml will write in the style of case files."""
    mapping = CommentedMap(
        (_styled(name), _styled(inner, name)) for name, inner in value.items()
    )
    is_long = not LONG_FIELDS.isdisjoint(value)
    if key != "excerpts" and not is_long:
        mapping.fa.set_flow_style()
    return mapping


def check_filled(filled: dict[Path, Filled], model: Model) -> None:
    """Check the new texts of the case files before they are written.

    The texts must have no mistake.  If they were filled in once more, nothing must
    change.  Raises BadFile.
    """
    roots = [parse_block(new.text, file) for file, new in filled.items()]
    check_files(roots)
    check_shapes(roots)
    for file, new in filled.items():
        if not new.differences:
            continue
        again = fill_in(file, new.text, model).differences
        if again:
            raise BadFile(
                file,
                1,
                f"what would be written here does not read back the same: {again[0]}",
            )


def bring_up_to_date(check: bool) -> int:
    """Bring all files of `make expectations` up to date; return the exit status.

    Every case is checked before anything is written.  With `check`, write nothing, and
    only print what is not up to date.  If that is a case file, do not look at the other
    files.  The status is 1 if `check` is set and something is not up to date.
    Otherwise it is 0.  Raises Refusal.
    """
    progress("checking the case files", 1, 3)
    check_points()
    check_files(map(read_block, all_files()), unfilled=True)
    misconceptions.check_texts()
    stale: list[str] = []
    with Model() as model:
        progress("asking the model solution what the cases expect", 2, 3)
        differences = _fill_in_all(model, check)
        if not (check and differences):
            progress(
                "following its searches, and finding the submissions to run again",
                3,
                3,
            )
            stale += reference_traces.bring_up_to_date(model, check)
            stale += misconceptions.bring_up_to_date(check)
            stale += write_digests(check)
            _print_lines(stale)
    _print_summary(differences, check)
    if check and (differences or stale):
        return 1
    return 0


def _fill_in_all(model: Model, check: bool) -> list[Difference]:
    """Fill in all case files, and print what has changed.  With `check`, write
    nothing.
    """
    filled = {
        file: fill_in(file, file.read_text("utf-8"), model) for file in all_files()
    }
    check_filled(filled, model)
    differences: list[Difference] = []
    for file, new in filled.items():
        differences += new.differences
        if new.differences and not check:
            file.write_text(new.text, "utf-8", newline="\n")
    _print_lines(differences)
    return differences


def _print_lines(lines: Sequence[object]) -> None:
    """Print these lines, if there are any."""
    for line in lines:
        print(line, flush=True)


def _print_summary(differences: list[Difference], check: bool) -> None:
    """Print how many expectations have changed, and what a person should do."""
    of_cases = [difference for difference in differences if difference.is_of_a_case]
    new = sum(difference.is_new for difference in of_cases)
    changed = len(of_cases) - new
    cases = sum(len(read_block(file)["cases"]) for file in all_files())
    nothing = ", nothing written" if check else ""
    print(f"{cases} cases; expectations: {new} new, {changed} changed{nothing}")
    for twin in twins_left_behind():
        changed_twin = f"{twin} is made of a public case that asks something else now"
        print(as_typed(f"{changed_twin}: make hidden writes it again."))
    if changed and not check:
        print(
            "An expectation that was there before has changed: is lab.py right? "
            "`git diff` shows what it was."
        )


def main(words: list[str]) -> int:
    """Bring the files of `make expectations` up to date; return the exit status.

    With `--check`, only check whether the files are up to date.
    """
    parser = Parser("expectations", "usage: make expectations [CHECK=1]")
    parser.add_switch("CHECK", "write nothing, and say which files are out of date")
    return bring_up_to_date(check=parser.read(words).check)


if __name__ == "__main__":
    sys.exit(enter(["expectations", *sys.argv[1:]]))
