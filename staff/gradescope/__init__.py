"""The bundle for Gradescope: make gradescope.

__main__.py     makes build/gradescope.zip, and lets it grade the model solution
setup.sh, run_autograder
                the programs that Gradescope starts

The bundle has staff/reports/gradescope.py in the folder of the kit.  That program
grades a submission, and writes the result.

Another service can read `build/results.json`.  docs/grading.md explains its fields.
"""
