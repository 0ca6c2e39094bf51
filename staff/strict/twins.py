"""Hidden twins: a hidden case that `make hidden` has made of a public one, which shares
its name.

If the public case is void, so is the twin.  If what the public case asks has changed
since, the twin is named: `make hidden` makes it anew.
"""

import hashlib
import json
from dataclasses import replace

from grader.bank.cases import Bank
from staff.strict.bank import HIDDEN, case_files, hidden_files
from staff.strict.reading import Block, read_yaml

SUFFIX = (
    "-in-disguise"  # what the name of a hidden file has besides that of the public one
)
MADE_FROM = HIDDEN / "made_from.json"
ANSWERS = ("expect", "says", "void")  # what does not make another case


def public_twin(case: str) -> str:
    """The id of the public case that a hidden case is made of; empty if it is made of
    none.

    >>> public_twin("alphabeta-in-disguise/nim"), public_twin("bounds/nim")
    ('alphabeta/nim', '')
    """
    topic, _, name = case.partition("/")
    return f"{topic.removesuffix(SUFFIX)}/{name}" if topic.endswith(SUFFIX) else ""


def with_void_twins(bank: Bank) -> Bank:
    """The bank in which the twin of a void case is void too, for the same reason."""
    public = {case.id: case for case in bank.cases if case.void}
    cases = []
    for case in bank.cases:
        twin = public.get(public_twin(case.id))
        cases.append(
            replace(case, void=twin.void, why=twin.why)
            if twin and not case.void
            else case
        )
    return replace(bank, cases=tuple(cases))


def void_twins(bank: Bank) -> list[str]:
    """The void hidden cases whose public twins are void."""
    void = {case.id for case in bank.cases if case.void}
    return [
        case.id
        for case in bank.cases
        if case.id in void and public_twin(case.id) in void
    ]


def made_from() -> dict[str, str]:
    """For each public case a digest of what it asks."""
    digests = {}
    for file in case_files():
        for block in read_yaml(file)["cases"]:
            digests[f"{file.stem.partition('-')[2]}/{block['id']}"] = _digest(block)
    return digests


def write_made_from() -> None:
    """Remember what the public cases ask, of which the twins are made now."""
    MADE_FROM.write_text(
        f"{json.dumps(made_from(), indent=1)}\n", "utf-8", newline="\n"
    )


def twins_left_behind() -> list[str]:
    """The hidden cases whose public twins ask something else by now, or are gone."""
    if not MADE_FROM.exists():
        return []
    before, now = json.loads(MADE_FROM.read_text("utf-8")), made_from()
    behind = []
    for file in hidden_files():
        for block in read_yaml(file)["cases"]:
            case = f"{file.stem.partition('-')[2]}/{block['id']}"
            twin = public_twin(case)
            if twin in before and now.get(twin) != before[twin]:
                behind.append(case)
    return behind


def _digest(block: Block) -> str:
    """A digest of what a case asks, whatever it expects."""
    asked = {key: value for key, value in block.items() if key not in ANSWERS}
    if "calls" in asked:
        asked["calls"] = [
            {key: call[key] for key in call if key not in ANSWERS}
            for call in asked["calls"]
        ]
    return hashlib.sha256(
        json.dumps(asked, sort_keys=True, default=str).encode()
    ).hexdigest()[:16]
