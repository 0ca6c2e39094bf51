"""The limits on student code.  Times are in seconds, and sizes in bytes."""

import sys

# The CPU time and the clock time that the import of lab.py may take.
IMPORT_SECONDS = 5
IMPORT_WALL = 15.0
# How many seconds may pass on the clock for each second of CPU.  On Windows the grader
# can only read the clock.
WALL_PER_CPU_SECOND = 2 if sys.platform == "win32" else 5
IMPATIENT_WALL = 2  # replaces WALL_PER_CPU_SECOND after many cases have stalled
KEPT_OUTPUT = 64 * 1024
MOST_OUTPUT = 16 * 1024 * 1024
MOST_ANSWER = 8 * 1024 * 1024
# The child prints this before each call, with the index of the call.
CALL_BEGINS = "\x1e{}\x1e"

# Exit statuses of a child in which the grader's own code failed.  Either lab.py has
# broken something that this code needs, or the memory is used up.
BROKEN = 113
OUT_OF_MEMORY = 114

# Environment variables of a graded `make run`: the folder it may write to, and the
# seconds of CPU that it may use.
SCRATCH = "GRADER_SCRATCH"
SECONDS = "GRADER_SECONDS"
