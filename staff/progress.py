"""What a command says while it works, on a terminal and in a file."""


def progress(sentence: str, step: int, of: int) -> None:
    """Say what is being done, and which step of how many that is."""
    print(f"... {step} of {of}: {sentence}", flush=True)
