"""The limits on student code.  Times are in seconds, and sizes in bytes."""

import sys

# How many seconds of CPU, and how many seconds on the clock, the import of lab.py may
# take.
IMPORT_SECONDS = 5
IMPORT_WALL = 15.0
# For each second of CPU that a case may use, so many seconds may pass on the clock.  On
# Windows, where the grader cannot measure CPU time, no other limit on time is in force,
# so this limit is tighter.
WALL_PER_CPU_SECOND = 2 if sys.platform == "win32" else 5
IMPATIENT_WALL = 2  # replaces WALL_PER_CPU_SECOND after many cases have stalled
KEPT_OUTPUT = 64 * 1024
MOST_OUTPUT = 16 * 1024 * 1024
MOST_ANSWER = 8 * 1024 * 1024
# The child prints this text before each call of a case, with the index of the call in
# it.
CALL_BEGINS = "\x1e{}\x1e"

# A child ends with one of these statuses if the grader's own code has failed in it.
# Either lab.py has broken something that this code needs, or the memory is used up.
BROKEN = 113
OUT_OF_MEMORY = 114

# The grader sets these environment variables when it runs `make run` for a case.  They
# name the folder that `make run` may write to, and the seconds of CPU that it may use.
SCRATCH = "GRADER_SCRATCH"
SECONDS = "GRADER_SECONDS"
