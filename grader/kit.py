"""Where the kit stands, the folder that holds lab.py, api/, boards/ and this package; and what may stand there."""

from pathlib import Path

from grader.finder import FOLDER

KIT = Path(FOLDER)
MY_CASES = "my_cases.yaml"  # beside lab.py, what a student wants to see
