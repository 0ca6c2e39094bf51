"""The bundle for Gradescope: make gradescope.

__main__.py     makes build/gradescope.zip, and lets it grade the model solution
setup.sh, run_autograder
                the programs that Gradescope starts

In the bundle, staff/reports/gradescope.py is inside the kit.  This program grades, and
writes the result.

Another service can read `build/results.json`.  docs/grading.md explains its fields.
"""
