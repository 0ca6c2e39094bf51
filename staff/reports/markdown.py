"""Markdown that is too long, cut so that no block of code stays open."""

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
CUT = "\n\n… (cut here; `make test` shows all of it)"


def cut(markdown: str, most: int) -> str:
    r"""The first whole lines of a text in Markdown, in at most `most` characters.

    >>> print(cut("one\n```\n" + "two\n" * 30 + "```\n", 64))
    one
    ```
    two
    two
    ```
    <BLANKLINE>
    … (cut here; `make test` shows all of it)
    """
    if len(markdown) <= most:
        return markdown
    kept, open_fence, left = "", "", most - len(CUT)
    for line in markdown.splitlines():
        fence = _fence_after(open_fence, line)
        if len(kept) + len(line) + 1 + len(max(open_fence, fence, key=len)) > left:
            break
        kept, open_fence = f"{kept}{line}\n", fence
    return (kept + open_fence).rstrip("\n") + CUT


def _fence_after(open_fence: str, line: str) -> str:
    """The fence of the block of code that is open after a line; empty where none is."""
    found = _FENCE.fullmatch(line)
    if not found:
        return open_fence
    fence, rest = found.groups()
    if not open_fence:
        return str(fence)
    closes = fence[0] == open_fence[0] and len(fence) >= len(open_fence) and not rest.strip()
    return "" if closes else open_fence
