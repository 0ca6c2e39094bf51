"""The way of one grade: which case runs when, what its answer is worth, and the sheet
that adds it up.
"""
