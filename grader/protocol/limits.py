"""What a student's code may use: of time in seconds, of text in bytes."""

IMPORT_SECONDS = 5  # of CPU, for lab.py itself
IMPORT_WALL = 15.0
STARTING_CPU = 0.5  # for Python itself, amply
WALL_PER_CPU_SECOND = 5
KEPT_OUTPUT = 64 * 1024
CALL_BEGINS = "\x1e{}\x1e"  # with its number, among what is printed
PRINTS_END = "\x1e\x1e"  # after all that a case, or the import, has printed
MOST_OUTPUT = 16 * 1024 * 1024
MOST_ANSWER = 8 * 1024 * 1024
MOST_PROCESSES = 64

SCRATCH, SECONDS = "GRADER_SCRATCH", "GRADER_SECONDS"  # by which a command that is graded knows its own
