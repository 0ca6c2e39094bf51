"""`make hidden SEED=word`: writes hidden cases into staff/hidden/.

Each hidden case is a public case in disguise.  The same seed gives the same files.  If
somebody wrote a file in staff/hidden/ by hand, it stays.  The model solution gives the
expectations.  The command fails if a correct submission fails a hidden case.  It lists
each incorrect submission that the public cases catch and the hidden cases do not.
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
from grader.bank.points import Function, read_points
from grader.bank.reading import make_bank
from grader.cli import enter
from grader.grading.session import Session
from grader.parser import Parser
from grader.refusal import Refusal, tell
from grader.verdicts.verdict import Status
from staff import expectations
from staff.disguise.disguise import disguised
from staff.model import MODEL
from staff.progress import progress
from staff.strict.bank import HIDDEN, case_files, hidden_files
from staff.strict.cases import case_blocks
from staff.strict.kind import writing_of
from staff.strict.reading import Block, read_block
from staff.strict.twins import SUFFIX, write_made_from
from staff.wrong_labs import build, load_wrong_labs

MADE = "# Made by `make hidden`; run it again rather than edit this file."
MOST_SHUFFLES = 1000
WIDTH = 200  # letters of a line in a hidden file
# A hidden case keeps these fields of its public case.
KEPT = ("function", "weight", "seconds", "process", "order", "opposite")
RIGHT_LABS = Path(__file__).parent.parent / "submissions" / "right_labs"


def main(words: list[str]) -> int:
    """Write the cases, fill in their expectations, and try submissions on them.

    Return the exit status.
    """
    parser = Parser("hidden", "usage: make hidden [SEED=word]")
    parser.add_argument(
        "--seed", default="", metavar="WORD", help="the same word makes the same cases"
    )
    seed = parser.read(words).seed or secrets.token_hex(8)
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
    losing = list(right_labs_that_lose(bank))
    if losing:
        print(*losing, sep="\n")
        tell("a right lab loses points: delete these cases, or take another seed")
        return 1
    missed = list(wrong_labs_that_pass(bank))
    print(
        f"{len(bank.cases)} hidden cases in {len(files)} files; "
        "every right lab passes them."
    )
    heading = (
        f"{len(missed)} wrong labs pass them and are caught by public cases alone:"
    )
    print(heading, *missed, sep="\n  ")
    return 0


def write(seed: str) -> list[Path]:
    """Write the files of staff/hidden/ without expectations.

    Delete the files that an earlier `make hidden` wrote.  Return the new files, in the
    order of the public files.  Raises Refusal if somebody wrote a file of the same name
    by hand.
    """
    texts = {}
    for file in case_files():
        text = in_disguise(read_block(file), random.Random(f"{seed} {file.stem}"))
        if text:
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
    """Return the text of the hidden file that belongs to a public file.

    The text is empty if none of the public cases can be disguised.
    """
    functions = {
        function.name: function
        for part in read_points()
        for function in part.graded.values()
    }
    entries = []
    orders = {answers_yes_or_no(calls) for _, _, calls in case_blocks(root)}
    for name, block, calls in case_blocks(root):
        if not _can_be_disguised(block, functions[name]):
            continue
        ordered = in_a_new_order(calls, orders, rng)
        if not ordered:
            continue
        says = f"The public case {block['id']} with other names, numbers or boards."
        kept = {key: block[key] for key in KEPT if key in block}
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
    data = {**top, "hidden": True, "cases": entries}
    text = yaml.dump(data, Dumper=_Dumper, sort_keys=False, width=WIDTH)
    return f"{MADE}\n{text}"


def _can_be_disguised(block: Block, function: Function) -> bool:
    """Whether a case counts for points, and can be disguised according to its kind."""
    if block.get("advice") or block.get("void"):
        return False
    return writing_of(function).can_be_disguised(function)


def answers_yes_or_no(calls: Sequence[Block]) -> tuple[bool, ...]:
    """Return the answers to the calls of a case if all answers are yes or no.

    The tuple is empty for any other case.
    """
    answers = [
        call["expect"].get("value", call["expect"].get("refused")) for call in calls
    ]
    if not all(isinstance(answer, bool) for answer in answers):
        return ()
    return tuple(answers)


def in_a_new_order(
    calls: list[Block], orders: set[tuple[bool, ...]], rng: random.Random
) -> list[Block]:
    """Return the calls of a case, in another order if all answers are yes or no.

    The other order gives a sequence of answers that is not in `orders`.  This function
    adds the sequence to `orders`.  If it finds no such order, it returns no calls.
    staff/strict/shapes.py says why the sequence of answers has to be new.
    """
    if not answers_yes_or_no(calls):
        return calls
    for _ in range(MOST_SHUFFLES):
        shuffled = rng.sample(calls, len(calls))
        answers = answers_yes_or_no(shuffled)
        if answers not in orders:
            orders.add(answers)
            return shuffled
    return []


class _Dumper(yaml.SafeDumper):
    """Writes YAML with each text of several lines as a block, and without aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _in_lines(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Write a text in YAML: as a block if it has several lines."""
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _in_lines)


def right_labs_that_lose(bank: Bank) -> Iterator[str]:
    """Yield a line for each correct submission that fails some of these cases.

    The line names the submission and the cases.  A file in right_labs/ that is not a
    whole lab.py is left out.
    """
    labs = [
        lab
        for lab in [MODEL, *sorted(RIGHT_LABS.glob("*.py"))]
        if "try_it" in lab.read_text("utf-8")
    ]
    for number, lab in enumerate(labs, start=1):
        progress(f"trying {lab.name}", number, len(labs))
        failed = failed_by(lab, bank, bank.cases)
        if failed:
            yield f"{lab.name}: {', '.join(failed)}"


def wrong_labs_that_pass(bank: Bank) -> Iterator[str]:
    """Yield the id of each incorrect submission that passes the hidden cases.

    `bank` has the hidden cases.  An incorrect submission has a mistake in one function.
    Only the cases of that function count.  If there are none, the id is left out.
    """
    source = MODEL.read_text("utf-8")
    wrong_labs = load_wrong_labs()
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        for number, wrong_lab in enumerate(wrong_labs, start=1):
            progress(f"trying the wrong lab {wrong_lab.id}", number, len(wrong_labs))
            lab.write_text(build(wrong_lab, source), "utf-8")
            cases = bank.of(wrong_lab.function)
            if cases and not failed_by(lab, bank, cases):
                yield wrong_lab.id


def failed_by(lab: Path, bank: Bank, cases: Sequence[Case]) -> list[str]:
    """Return the ids of those of `cases` that a submission does not pass."""
    with Session(lab, bank) as session:
        session.begin(cases)
        return [
            case.id for case in cases if session.verdict(case).status is not Status.PASS
        ]


if __name__ == "__main__":
    sys.exit(enter(["hidden", *sys.argv[1:]]))
