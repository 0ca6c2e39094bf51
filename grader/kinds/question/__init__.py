"""The kind of the questions.  A name at the top level of lab.py holds the answer."""
