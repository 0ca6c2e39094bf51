"""Makes digests.  A digest takes the place of a text that is too large to send, or that
nobody may read.
"""

import hashlib

MOST_LINES = 1_000


def fingerprint(text: str) -> str:
    """Return a short digest of a text, from which nobody can read the text.

    The digest of an empty text is empty.

    >>> fingerprint("one"), fingerprint("")
    ('2b86d8eeb0b3', '')
    """
    if not text:
        return ""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()


def digest(lines: list[str]) -> str:
    """Return the SHA-256 of these lines.  Their order counts.

    >>> digest(["1: WIN", "0: LOSE"]) == digest(["1: WIN", "0: LOSE"])
    True
    """
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def as_output(text: str) -> dict[str, str | int]:
    """Return what is sent of the output of `make run`: a mapping of three facts.

    `text` has the first lines of the output, `lines` says how many lines there are, and
    `digest` is the digest of all lines.

    >>> as_output("1: WIN\\n0: LOSE\\n")["lines"]
    2
    """
    lines = text.split("\n")[:-1]
    kept = text
    if len(lines) > MOST_LINES:
        kept = "".join(f"{line}\n" for line in lines[:MOST_LINES])
    return {"text": kept, "lines": len(lines), "digest": digest(lines)}
