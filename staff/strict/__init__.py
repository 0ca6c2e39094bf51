"""Strict reading of all that staff write in YAML: each mistake is one line with file,
line and what to do.
"""
