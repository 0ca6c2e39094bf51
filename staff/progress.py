"""The lines that a long command prints while it works."""


def progress(sentence: str, step: int, of: int) -> None:
    """Say what a command does now, and which of its steps this is."""
    print(f"... {step} of {of}: {sentence}", flush=True)
