"""Where the submissions of a class are graded: on this machine, or on several.

digests      what a verdict depends on
kit_process  the process that grades one submission after another
pool         a kit process on each core, for `make league` too
cluster      kit processes on the machines of a Dask scheduler
isolation    how a machine is protected from student code, and `make doctor`
"""
