"""What a command says while it takes its time, beside what it prints."""

import sys


def progress(sentence: str) -> None:
    """Say what is being done, also if the output goes to a file."""
    print(f"... {sentence}", file=sys.stderr, flush=True)


def meanwhile(sentence: str) -> None:
    """Say what is being done, if somebody is waiting."""
    if sys.stderr.isatty():
        progress(sentence)
