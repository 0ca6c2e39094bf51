"""What a command says while it takes its time: on a terminal alone, and beside what it prints."""

import sys


def meanwhile(sentence: str) -> None:
    """Say what is being done, where somebody is waiting."""
    if sys.stderr.isatty():
        print(f"... {sentence}", file=sys.stderr, flush=True)
