"""The bundle for Gradescope: make gradescope.

__main__.py     builds build/gradescope.zip, and proves that it grades
setup.sh, run_autograder
                what Gradescope starts
reports/        goes into the bundle beside the kit: finds lab.py in what was handed in, grades it, writes the result
schema.json     the service's rules, for the tests

Another service takes `build/results.json`: docs/grading.md has its fields.
"""
