"""What is one line and exit status 2, and what is a fault of the kit, which shows its
traceback.
"""

from typing import NoReturn

import pytest

from boards.reading import BadFile
from grader.cli import enter
from grader.refusal import Refusal
from staff.model import MODEL, ModelFailure

FIRST_STEPS = {  # what each verb does first
    "release": "staff.release.__main__.check_everything",
    "gradescope": "staff.gradescope.__main__.check_everything",
    "classroom50": "staff.classroom50.__main__.check_everything",
    "check": "staff.check.check_everything",
    "expectations": "staff.expectations.check_points",
    "test": "staff.bank.load_bank",
}


def fail_first(verb: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first step of a verb raise this."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr(FIRST_STEPS[verb], fail)


@pytest.mark.parametrize("verb", FIRST_STEPS)
@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Refusal("it cannot be"), "it cannot be"),
        (BadFile(MODEL, 3, "it is bad"), "lab.py:3: it is bad"),
        (ModelFailure("it fails"), "it fails"),
    ],
    ids=["refusal", "bad file", "model failure"],
)
def test_a_refusal_is_one_line(
    verb: str,
    error: Exception,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fail_first(verb, error, monkeypatch)
    assert enter([verb]) == 2
    assert capsys.readouterr().err == f"{says}\n"


@pytest.mark.parametrize("verb", FIRST_STEPS)
@pytest.mark.parametrize("bug", [ValueError, KeyError, RuntimeError])
def test_a_fault_of_the_kit_is_never_one_line(
    verb: str, bug: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_first(verb, bug("a bug"), monkeypatch)
    with pytest.raises(bug, match="a bug"):
        enter([verb])
