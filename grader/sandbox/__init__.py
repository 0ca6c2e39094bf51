"""Keeps lab.py at arm's length: starts the child, reads its pipes, and ends it."""
