"""What staff know of each kind of function: one module for each kind, with its WRITING.

staff/strict/kind.py says what a WRITING is.
"""
