"""The options CASE and CALL: adds them to a tool, and finds the case and the call that
they name.
"""

from grader.bank.cases import Bank, Case
from grader.bank.reading import load_bank
from grader.grading.feedback import bank_with_feedback
from grader.parser import Parser
from grader.protocol.text import harmless, plural
from grader.refusal import Refusal, like
from grader.release import read_release


def add_case_and_call(parser: Parser) -> None:
    """Add the options CASE and CALL to a parser."""
    parser.add_argument("--case", required=True, metavar="NAME", help="the case")
    parser.add_argument(
        "--call", metavar="NUMBER", help="which call of the case, counted from 1"
    )


def find_call(
    name: str, number: str | None, bank: Bank | None = None
) -> tuple[Case, int]:
    """Return the case that CASE names, and the index of the call that CALL names.

    In CALL, the first call has the number 1.  If CALL is not given, the first call is
    meant.  If `bank` is not given, the case is a case of this kit.  Raises Refusal if
    there is no such case or call.
    """
    bank = bank or bank_with_feedback(load_bank(), read_release().feedback)
    cases = {case.id: case for case in bank.cases}
    number = number or "1"
    if name not in cases:
        public = [case.id for case in bank.cases if not case.hidden]
        similar = like(name, public, "make test V=1 lists them")
        raise Refusal(f"there is no case {harmless(name, 60)!r}{similar}")
    calls = cases[name].calls
    if number not in map(str, range(1, len(calls) + 1)):
        raise Refusal(
            f"{name} has {plural(len(calls), 'call')}; "
            f"there is no CALL={harmless(number, 20)}"
        )
    return cases[name], int(number) - 1


def heading_of(case: Case, at: int) -> str:
    """Return the heading that a tool shows for a call of a case."""
    if len(case.calls) == 1:
        return case.id
    return f"{case.id}, call {at + 1} of {len(case.calls)}"
