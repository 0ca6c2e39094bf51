"""A twin is a hidden case that `make hidden` has made from a public case.

If the public case is void, its twin is void too.  If the question of the public case
has changed since the twin was made, the twin is out of date.  Then somebody should type
`make hidden` again.
"""

import hashlib
import json
from dataclasses import replace

from grader.bank.cases import Bank
from staff.strict.bank import HIDDEN, case_files, hidden_files
from staff.strict.reading import Block, read_block

SUFFIX = "-in-disguise"  # added to the name of the public case file
MADE_FROM = HIDDEN / "made_from.json"  # digests of the public cases
ANSWERS = ("expect", "says", "void")  # the fields that do not change the question


def public_twin(case: str) -> str:
    """The id of the public case from which a hidden case was made; empty if the hidden
    case is no twin.

    >>> public_twin("alphabeta-in-disguise/nim"), public_twin("bounds/nim")
    ('alphabeta/nim', '')
    """
    topic, _, name = case.partition("/")
    if not topic.endswith(SUFFIX):
        return ""
    return f"{topic.removesuffix(SUFFIX)}/{name}"


def with_void_twins(bank: Bank) -> Bank:
    """Make the twin of each void case void for the same reason, and return the new
    bank.
    """
    void = {case.id: case for case in bank.cases if case.void}
    cases = []
    for case in bank.cases:
        twin = void.get(public_twin(case.id))
        if twin and not case.void:
            case = replace(case, void=twin.void, why=twin.why)
            if case.void == "drop":
                case = replace(case, weight=0)
        cases.append(case)
    return replace(bank, cases=tuple(cases))


def void_twins(bank: Bank) -> list[str]:
    """Return the hidden cases that are void and whose public cases are void too."""
    void = {case.id for case in bank.cases if case.void}
    return [
        case.id
        for case in bank.cases
        if case.id in void and public_twin(case.id) in void
    ]


def made_from() -> dict[str, str]:
    """A digest of the question of each public case.  The key is the id of the case."""
    digests = {}
    for file in case_files():
        for block in read_block(file)["cases"]:
            digests[f"{file.stem.partition('-')[2]}/{block['id']}"] = _digest(block)
    return digests


def write_made_from() -> None:
    """Store a digest of each public case, once twins have been made from the public
    cases.
    """
    text = json.dumps(made_from(), indent=1)
    MADE_FROM.write_text(f"{text}\n", "utf-8", newline="\n")


def twins_left_behind() -> list[str]:
    """Return the twins whose public case has another question now, or is gone."""
    if not MADE_FROM.exists():
        return []
    before = json.loads(MADE_FROM.read_text("utf-8"))
    now = made_from()
    behind = []
    for file in hidden_files():
        for block in read_block(file)["cases"]:
            case = f"{file.stem.partition('-')[2]}/{block['id']}"
            twin = public_twin(case)
            if twin in before and now.get(twin) != before[twin]:
                behind.append(case)
    return behind


def _digest(block: Block) -> str:
    """A digest of the question of a case: of all its fields except expect, says and
    void.
    """
    asked = {key: value for key, value in block.items() if key not in ANSWERS}
    if "calls" in asked:
        asked["calls"] = [
            {key: call[key] for key in call if key not in ANSWERS}
            for call in asked["calls"]
        ]
    text = json.dumps(asked, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
