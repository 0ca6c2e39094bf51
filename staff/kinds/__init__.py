"""What staff need to know of each kind of function.

Each kind has a module with a WRITING.  staff/strict/kind.py says what a WRITING is.
"""
