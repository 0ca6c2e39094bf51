"""The kind of the questions, which a name at the top level of lab.py answers."""
