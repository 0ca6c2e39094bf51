"""Digests, by which texts are compared that are large or shall not be read."""

import hashlib

MOST_LINES = 1_000


def fingerprint(text: str) -> str:
    """A short digest of a text, by which texts are compared where they shall not be read.

    >>> fingerprint("one"), fingerprint("")
    ('2b86d8eeb0b3', '')
    """
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest() if text else ""


def digest(lines: list[str]) -> str:
    """The SHA-256 of lines in their order, by which what is large is compared.

    >>> digest(["1: WIN", "0: LOSE"]) == digest(["1: WIN", "0: LOSE"])
    True
    """
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def as_output(text: str) -> dict[str, str | int]:
    """A text as it goes up the pipe: its first lines, the number of all, and their digest.

    >>> as_output("1: WIN\\n0: LOSE\\n")["lines"]
    2
    """
    lines = text.split("\n")[:-1]
    whole = text if len(lines) <= MOST_LINES else "".join(f"{line}\n" for line in lines[:MOST_LINES])
    return {"text": whole, "lines": len(lines), "digest": digest(lines)}
