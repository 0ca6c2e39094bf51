"""Refusal: the one exception that means "say this in one line, exit status 2".

Refusal                        something cannot be done; the text says why
    boards.reading.BadFile     a data file cannot be used; the text names the line
    staff.model.ModelFailure   the model solution does not answer
"""


class Refusal(Exception):
    """What was asked for cannot be done.  The text says why, in one line."""
