"""Where the kit is: the folder that holds lab.py, api/, boards/ and this package."""

from pathlib import Path

from grader.finder import FOLDER

KIT = Path(FOLDER)
# This command brings back the files of the kit.  It never touches lab.py.
BRINGS_BACK = "git checkout -- api boards grader tests Makefile"
