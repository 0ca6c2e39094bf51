"""Limits how many words the documents of the kit have: `python -m staff.words`, a step
of `make check`.
"""

import sys

from grader.kit import KIT

HANDOUT = "docs/student/README.md"
LIMITS = {
    "README.md": 1400,
    "CONTRIBUTING.md": 1400,
    "CHANGELOG.md": 1100,
    HANDOUT: 7800,
}
LIMIT_BEFORE_PART_0 = 900  # of the handout: every student has to read that first


def main() -> int:
    """Print the words and the limit of each text; return 1 if a text is too long."""
    texts = {name: (KIT / name).read_text("utf-8") for name in LIMITS}
    is_too_long = False
    for name, text in texts.items():
        is_too_long |= _tell(name, text, LIMITS[name])
    beginning = texts[HANDOUT].partition("## Part 0")[0]
    is_too_long |= _tell("the handout before part 0", beginning, LIMIT_BEFORE_PART_0)
    return int(is_too_long)


def _tell(name: str, text: str, limit: int) -> bool:
    """Print how many words a text has; return whether it has more than its limit."""
    count = len(text.split())
    row = f"{name:30} {count:6} of {limit:6} words"
    if count > limit:
        print(f"{row}   TOO LONG")
        return True
    print(row)
    return False


if __name__ == "__main__":
    sys.exit(main())
