"""What a student's code may use: of time in seconds, of text in bytes."""

import sys

IMPORT_SECONDS = 5  # of CPU, for lab.py itself
IMPORT_WALL = 15.0
WALL_PER_CPU_SECOND = (
    2 if sys.platform == "win32" else 5
)  # on Windows the wall clock decides
IMPATIENT_WALL = 2  # the same, after many cases have stalled
KEPT_OUTPUT = 64 * 1024
CALL_BEGINS = "\x1e{}\x1e"  # with its number, among what is printed
MOST_OUTPUT = 16 * 1024 * 1024
MOST_ANSWER = 8 * 1024 * 1024

# Exit statuses of a process in which the grader's own code failed: lab.py has broken
# what it needs, or used up memory.
BROKEN, OUT_OF_MEMORY = 113, 114

SCRATCH, SECONDS = (
    "GRADER_SCRATCH",
    "GRADER_SECONDS",
)  # by which a command that is graded knows its own
