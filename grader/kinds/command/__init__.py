"""Commands, as the handout states them, and what they print: `make run ARGS="zero_by 10
1 2"`.

Most run in a process that has imported lab.py already (worker.py); a case that says
`through: make` is typed as it stands, and takes its time in a process of its own.
"""
