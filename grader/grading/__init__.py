"""Grades one lab.py: runs its cases, judges the answers, and adds up the points."""
