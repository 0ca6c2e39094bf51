"""On what the figures were measured, and whether that has changed since."""

import hashlib
from dataclasses import dataclass

from grader.bank.reading import load_bank
from grader.kit import KIT
from staff.model import MODEL

PAGE = KIT / "docs" / "figures.md"
MAKE_IT = "make figures measures again (about 15 minutes)"


@dataclass(frozen=True)
class Measured:
    """The model solution and the cases, as digests."""

    model: str
    cases: str


def here() -> Measured:
    """The model solution and the public cases as they are now."""
    return Measured(
        hashlib.sha256(MODEL.read_bytes()).hexdigest()[:12], load_bank().digest()[:12]
    )


def changed_since() -> str:
    """One line if the model solution or the cases have changed since the page was made;
    empty if they have not.
    """
    if not PAGE.is_file():
        return f"docs/figures.md has not been made yet: {MAKE_IT}"
    page, now = PAGE.read_text("utf-8"), here()
    changed = [
        what
        for what, digest in (("lab.py", now.model), ("the cases", now.cases))
        if digest not in page
    ]
    return (
        f"changed since docs/figures.md was made: {' and '.join(changed)}; {MAKE_IT}"
        if changed
        else ""
    )
