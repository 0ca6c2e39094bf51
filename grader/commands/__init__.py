"""The places where a lab is graded or run: make test, make watch, make run, pytest, the
workflow; and make update.
"""
