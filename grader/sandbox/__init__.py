"""Runs lab.py in a child process, and never in the grader's own process."""
