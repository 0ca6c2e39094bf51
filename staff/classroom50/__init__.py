"""The bundle for Classroom 50: make classroom50.

__main__.py       makes build/classroom50/, and lets it grade the model solution
autograder.py     the program that Classroom 50 starts
requirements.txt  the packages that autograder.py installs

In the bundle, staff/reports/classroom50.py is inside the kit.  This program grades, and
writes the result.
"""
