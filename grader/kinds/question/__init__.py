"""Questions, answered by a name at the top level of lab.py; the right answer is stored
as a salted hash.
"""
