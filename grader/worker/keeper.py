"""Shuts `make run` in."""

from grader.worker.isolation import tie_to_parent


def enclose(seconds: float | None = None) -> None:
    """Have this process end with the one that started it."""
    tie_to_parent()
