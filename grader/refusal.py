"""Refusal: what every verb raises where it cannot do what was typed."""


class Refusal(Exception):
    """The text says in one line why not; the exit status is then 2."""
