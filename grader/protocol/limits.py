"""What a student's code may use, with times in seconds and texts in bytes."""

import sys

# The CPU time and the clock time that the import of lab.py may take.
IMPORT_SECONDS = 5
IMPORT_WALL = 15.0
# The seconds of the clock for each second of CPU.  On Windows only the clock is read.
WALL_PER_CPU_SECOND = 2 if sys.platform == "win32" else 5
IMPATIENT_WALL = 2  # the same, after many cases have stalled
KEPT_OUTPUT = 64 * 1024
MOST_OUTPUT = 16 * 1024 * 1024
MOST_ANSWER = 8 * 1024 * 1024
# Stands before what each call printed, with the index of the call.
CALL_BEGINS = "\x1e{}\x1e"

# Exit statuses of a process in which the grader's own code failed, because lab.py has
# broken what that code needs, or has used up the memory.
BROKEN = 113
OUT_OF_MEMORY = 114

# Environment variables of a graded `make run`: its folder, and its seconds of CPU.
SCRATCH = "GRADER_SCRATCH"
SECONDS = "GRADER_SECONDS"
