"""Starts the child process, reads its pipes, counts what it uses, and ends it."""
