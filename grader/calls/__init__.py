"""In the worker: makes the calls of a case, watches them, and turns what comes back
into plain data.
"""
