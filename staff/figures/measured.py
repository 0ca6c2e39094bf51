"""Says which model solution and which cases the figures belong to."""

import ast
import hashlib
from dataclasses import dataclass

from grader.bank.reading import load_bank
from grader.kit import KIT
from staff.misconceptions import without_docstrings
from staff.model import MODEL

PAGE = KIT / "docs" / "figures.md"
MAKE_IT = "make figures measures again (about 15 minutes)"


@dataclass(frozen=True)
class Measured:
    """The model solution and the cases that were measured, as digests."""

    model: str  # a digest of its code, without comments and docstrings
    cases: str  # a digest of the public cases


def here() -> Measured:
    """The digests of the model solution and the public cases as they are now."""
    code = ast.unparse(without_docstrings(ast.parse(MODEL.read_bytes())))
    model = hashlib.sha256(code.encode()).hexdigest()
    return Measured(model[:12], load_bank().digest()[:12])


def changed_since() -> str:
    """Say whether the model solution or the cases have changed since the page was made.

    The text is a line.  It is empty if nothing has changed.  If there is no page yet,
    the line says that.
    """
    if not PAGE.is_file():
        return f"docs/figures.md has not been made yet: {MAKE_IT}"
    page = PAGE.read_text("utf-8")
    now = here()
    digests = {"lab.py": now.model, "the cases": now.cases}
    changed = " and ".join(
        name for name, digest in digests.items() if digest not in page
    )
    if not changed:
        return ""
    return f"changed since docs/figures.md was made: {changed}; {MAKE_IT}"
