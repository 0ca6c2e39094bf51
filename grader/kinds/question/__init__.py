"""The kind of the questions.  Each has a name at the top level of lab.py, which holds
the student's answer.
"""
