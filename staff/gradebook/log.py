"""`make log`: who changed what, when, and with which kit."""

from grader.parser import Parser
from grader.protocol.words import harmless
from staff.gradebook.store import Store

USAGE = ""


def add_options(_parser: Parser) -> None:
    """make log takes no option."""


def main(store: Store, _options: dict[str, str]) -> None:
    """Print the log."""
    print(
        *(
            harmless(line, 1000)
            for (line,) in store.db.execute("SELECT line FROM log_lines")
        ),
        sep="\n",
    )
