"""`make log`: who changed what, when, and with which kit."""

import sys

from grader.protocol.words import harmless
from staff.gradebook.store import opened
from staff.parser import refuse_words

_LINES = """
SELECT at || ' ' || who || ', make ' || verb || ', kit ' || kit || ': ' || what
    || CASE old WHEN '' THEN '' ELSE ', was ' || old END || CASE new WHEN '' THEN '' ELSE ', now ' || new END
FROM log ORDER BY id
"""


def main(words: list[str]) -> int:
    """Print the log; 0.  Raises Refusal."""
    refuse_words("log", words)
    with opened("log") as store:
        print(*(harmless(line, 1000) for (line,) in store.db.execute(_LINES)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
