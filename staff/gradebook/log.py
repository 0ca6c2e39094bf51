"""`make log`: who changed what, when, and with which kit."""

from grader.protocol.words import harmless
from staff.store import Store

LONGEST = 1000  # letters of a line


def main(store: Store, _options: dict[str, str]) -> None:
    """Print the log."""
    rows = store.db.execute("SELECT line FROM log_lines")
    print(*(harmless(line, LONGEST) for (line,) in rows), sep="\n")
