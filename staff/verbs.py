"""What `python grader` can do in the master copy, beside the verbs that ship: module and meaning."""

from grader.door import VERBS as SHIPPED

VERBS = {
    "test": ("staff.testing", SHIPPED["test"][1]),  # which knows what the course decides
    "release": ("staff.release", "cut the student release    [--out FOLDER]"),
    "gradescope": ("staff.bundles.gradescope", "make build/gradescope.zip, an autograder for Gradescope"),
    "classroom50": ("staff.bundles.classroom50", "make build/classroom50.zip, an autograder for Classroom 50"),
    "expectations": ("staff.expectations", "fill in what the cases expect, from the model solution"),
    "check": ("staff.check", "test the kit itself: tests, lint, types"),
    "bench": ("staff.bench", "measure the kit against its limits"),
}
