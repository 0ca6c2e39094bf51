"""Reads reasons.yaml, in which a person wrote why a mutant may keep a full score."""

from pathlib import Path

from staff.figures.mutants import Change
from staff.strict.reading import read_block
from staff.strict.schema import check

REASONS = Path(__file__).with_name("reasons.yaml")
SCHEMA = Path(__file__).with_name("reasons.schema.json")


def read_reasons(file: Path = REASONS) -> dict[Change, str]:
    """Read the reason of each mutant that has one.  Raises BadFile."""
    root = read_block(file)
    check(root, SCHEMA)
    reasons: dict[Change, str] = {}
    for block in root["reasons"]:
        for mutant in block["mutants"]:
            change = Change(
                block["function"], mutant["operator"], mutant["before"], mutant["after"]
            )
            if change in reasons:
                mutant.fail("this mutant has a reason above already; delete one")
            reasons[change] = block["reason"]
    return reasons
