"""What staff know of each kind of function: each module has the WRITING of a kind, as
strict/kind.py describes it.
"""
