"""Grades the submissions of a class, on this machine or on several.

digests      what a verdict depends on
kit_process  the process that grades one submission after another
pool         runs such a process on each core; `make league` uses the pool too
cluster      runs such processes on the machines of a Dask scheduler
isolation    how a machine is protected from student code, and `make doctor`
"""
