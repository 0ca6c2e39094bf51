"""The bundle for Classroom 50: make classroom50.

__main__.py       builds build/classroom50/, and proves that it grades
autograder.py     what Classroom 50 starts
requirements.txt  what autograder.py installs there

staff/reports/classroom50.py goes into the bundle beside the kit: it grades, and writes
the result.
"""
