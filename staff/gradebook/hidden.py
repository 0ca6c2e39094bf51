"""`make hidden SEED=word`: writes hidden cases into staff/hidden/, a public case in
disguise each.

The same seed gives the same bytes.  Files that somebody wrote there by hand stay.  What
the cases expect comes from the model solution.  Every right lab must keep full marks on
them; a wrong lab that the public cases catch and these do not is listed.
"""

import contextlib
import io
import random
import secrets
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from grader.bank.cases import Bank, Case
from grader.bank.points import read_points
from grader.bank.reading import make_bank
from grader.grading.session import Session
from grader.judging.verdict import Status
from grader.refusal import Refusal, tell
from staff import expectations
from staff.gradebook.disguise import disguised
from staff.meanwhile import progress
from staff.model import MODEL
from staff.parser import Parser
from staff.strict.bank import HIDDEN, case_files, hidden_files
from staff.strict.cases import case_blocks
from staff.strict.kind import writing_of
from staff.strict.reading import Block, read_yaml
from staff.strict.twins import SUFFIX, write_made_from
from staff.wrong_labs import build, load_wrong_labs

MADE = "# Made by `make hidden`; run it again rather than edit this file."
MOST_SHUFFLES = 1000
RIGHT_LABS = Path(__file__).parent.parent / "right_labs"


def main(words: list[str]) -> int:
    """Write the cases, fill them in, and try them on the kit's right and wrong labs;
    the exit status.
    """
    parser = Parser(prog="make hidden", usage="make hidden [SEED=word]")
    parser.add_argument("--seed", default="")
    seed = parser.parse_args(words).seed or secrets.token_hex(8)
    print(
        f"The seed is {seed}. Keep it, and staff/hidden/, out of every public place.",
        flush=True,
    )
    files = write(seed)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = expectations.main([])
    if status:
        print(printed.getvalue())
        return status
    bank = make_bank(files, read_points())
    if lost := list(right_labs_that_lose(bank)):
        print(*lost, sep="\n")
        tell("a right lab loses points: delete these cases, or take another seed")
        return 1
    missed = list(wrong_labs_that_pass(bank))
    print(
        f"{len(bank.cases)} hidden cases in {len(files)} files; every right lab passes them."
    )
    print(
        f"{len(missed)} wrong labs pass them and are caught by public cases alone:",
        *missed,
        sep="\n  ",
    )
    return 0


def write(seed: str) -> list[Path]:
    """Write staff/hidden/ without expectations; the files, in the order of the public
    ones.
    """
    texts = {}
    for file in case_files():
        if text := in_disguise(read_yaml(file), random.Random(f"{seed} {file.stem}")):
            texts[HIDDEN / f"{file.stem}{SUFFIX}.yaml"] = text
    HIDDEN.mkdir(exist_ok=True)
    by_hand = [
        file for file in hidden_files() if not file.read_text("utf-8").startswith(MADE)
    ]
    for file in by_hand:
        if file in texts:
            raise Refusal(
                f"{file.name} was written by hand; rename it, and run this again"
            )
    for old in set(hidden_files()).difference(by_hand):
        old.unlink()
    for file, text in texts.items():
        file.write_text(text, "utf-8", newline="\n")
    write_made_from()
    return list(texts)


def in_disguise(root: Block, rng: random.Random) -> str:
    """The text of a hidden file for a public one; empty if none of its cases can be
    disguised.
    """
    functions = {
        function.name: function
        for part in read_points()
        for function in part.graded.values()
    }
    entries, orders = [], {yes_and_no(calls) for _, _, calls in case_blocks(root)}
    for name, block, calls in case_blocks(root):
        function = functions[name]
        if (
            block.get("advice")
            or block.get("void")
            or not writing_of(function).can_be_disguised(function)
        ):
            continue
        kept = {
            key: block[key]
            for key in ("function", "weight", "seconds", "process", "order", "opposite")
            if key in block
        }
        says = f"The public case {block['id']} with other names, numbers or boards."
        ordered = in_a_new_order(calls, orders, rng)
        if ordered:
            entries.append(
                {
                    "id": block["id"],
                    "says": says,
                    **kept,
                    "calls": disguised(ordered, rng),
                }
            )
    if not entries:
        return ""
    top = {key: root[key] for key in ("part", "function") if key in root}
    return f"{MADE}\n{yaml.dump({**top, 'hidden': True, 'cases': entries}, Dumper=_Dumper, sort_keys=False, width=200)}"


def yes_and_no(calls: Sequence[Block]) -> tuple[bool, ...]:
    """The answers of a case whose calls all ask for yes and no; empty for another."""
    answers = [
        call["expect"].get("value", call["expect"].get("refused")) for call in calls
    ]
    return tuple(answers) if all(isinstance(answer, bool) for answer in answers) else ()


def in_a_new_order(
    calls: list[Block], orders: set[tuple[bool, ...]], rng: random.Random
) -> list[Block]:
    """The calls of a case; if they ask for yes and no, in an order that gives none of
    the known orders of answers.

    Empty if there is no such order (staff/strict/shapes.py says why it has to be new).
    """
    if not yes_and_no(calls):
        return calls
    for _ in range(MOST_SHUFFLES):
        shuffled = rng.sample(calls, len(calls))
        if yes_and_no(shuffled) not in orders:
            orders.add(yes_and_no(shuffled))
            return shuffled
    return []


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as it is drawn."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _in_lines(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    )


_Dumper.add_representer(str, _in_lines)


def right_labs_that_lose(bank: Bank) -> Iterator[str]:
    """The right labs that fail one of these cases, each with the cases."""
    labs = [
        lab
        for lab in [MODEL, *sorted(RIGHT_LABS.glob("*.py"))]
        if "try_it" in lab.read_text("utf-8")
    ]
    for number, lab in enumerate(labs, start=1):
        progress(f"trying {lab.name}", number, len(labs))
        if failed := failed_by(lab, bank, bank.cases):
            yield f"{lab.name}: {', '.join(failed)}"


def wrong_labs_that_pass(bank: Bank) -> Iterator[str]:
    """The wrong labs that pass all these cases of their function, though the public
    cases catch them.
    """
    source, wrong_labs = MODEL.read_text("utf-8"), load_wrong_labs()
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        for number, wrong_lab in enumerate(wrong_labs, start=1):
            progress(f"trying the wrong lab {wrong_lab.id}", number, len(wrong_labs))
            lab.write_text(build(wrong_lab, source), "utf-8")
            if (cases := bank.of(wrong_lab.function)) and not failed_by(
                lab, bank, cases
            ):
                yield wrong_lab.id


def failed_by(lab: Path, bank: Bank, cases: Sequence[Case]) -> list[str]:
    """The ids of those cases that a lab does not pass."""
    with Session(lab, bank) as session:
        session.begin(cases)
        return [
            case.id for case in cases if session.verdict(case).status is not Status.PASS
        ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
