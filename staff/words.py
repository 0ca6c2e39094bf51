"""The limits on words of what people read: `python -m staff.words`, a step of `make
check`.
"""

import sys

from grader.kit import KIT

HANDOUT = "docs/student/README.md"
LIMITS = {
    "README.md": 1400,
    "CONTRIBUTING.md": 1400,
    "CHANGELOG.md": 1000,
    HANDOUT: 7500,
}
LIMIT_BEFORE_PART_0 = 900  # of the handout: whoever begins has to read that first


def main() -> int:
    """Print each text with its words and its limit; the exit status is 1 if a text is
    too long.
    """
    texts = {name: (KIT / name).read_text("utf-8") for name in LIMITS}
    is_too_long = False
    for name, text in texts.items():
        is_too_long |= _tell(name, text, LIMITS[name])
    beginning = texts[HANDOUT].partition("## Part 0")[0]
    is_too_long |= _tell("the handout before part 0", beginning, LIMIT_BEFORE_PART_0)
    return int(is_too_long)


def _tell(name: str, text: str, limit: int) -> bool:
    """Print how many words a text has; whether these are more than its limit."""
    count = len(text.split())
    is_too_long = count > limit
    print(
        f"{name:30} {count:6} of {limit:6} words{'   TOO LONG' if is_too_long else ''}"
    )
    return is_too_long


if __name__ == "__main__":
    sys.exit(main())
