"""The bundle for Gradescope: make gradescope.

__main__.py     builds build/gradescope.zip, and proves that it grades
setup.sh, run_autograder
                what Gradescope starts

staff/reports/gradescope.py goes into the bundle beside the kit: it grades, and writes
the result.

Another service takes `build/results.json`: docs/grading.md has its fields.
"""
