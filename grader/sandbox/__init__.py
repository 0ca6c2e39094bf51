"""Starts the worker, reads its pipes, watches what it uses, and ends it."""
