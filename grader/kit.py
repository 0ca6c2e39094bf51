"""Says where the kit is: in the folder that holds lab.py, api/, boards/ and grader/."""

from pathlib import Path

from grader.finder import FOLDER

KIT = Path(FOLDER)
# A git command that brings back the files of the kit.  It never touches lab.py.
BRINGS_BACK = "git checkout -- api boards grader tests Makefile"
