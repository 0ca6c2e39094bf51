"""The case that somebody names; if there is no such case, similar ones."""

from grader.bank.cases import Bank, Case
from grader.bank.reading import load_bank
from grader.grading.feedback import bank_with_feedback
from grader.protocol.words import harmless, plural
from grader.refusal import Refusal, like
from grader.release import release_here


def find_call(
    options: dict[str, str], bank: Bank | None, usage: str
) -> tuple[Case, int]:
    """The case that --case names, and the index of the call that --call gives, counted
    from 1.

    Without a bank, this kit's cases are meant.  Raises Refusal.
    """
    bank = bank or bank_with_feedback(load_bank(), release_here().feedback)
    cases = {case.id: case for case in bank.cases}
    name, number = options.get("case"), options.get("call", "1")
    if name is None:
        raise Refusal(usage)
    if name not in cases:
        public = [case.id for case in bank.cases if not case.hidden]
        raise Refusal(
            f"there is no case {harmless(name, 60)!r}{like(name, public, 'make test V=1 lists them')}"
        )
    calls = cases[name].calls
    if number not in map(str, range(1, len(calls) + 1)):
        raise Refusal(
            f"{name} has {plural(len(calls), 'call')}, and CALL={harmless(number, 20)} is none of them"
        )
    return cases[name], int(number) - 1
