"""What grades a submission on a service.  A bundle holds this package as `reports`,
beside the kit, so imports in here are relative or the kit's.

    gradescope.py   a score sheet goes in, the service's result comes out; and the program that a bundle runs there
    classroom50.py  the same for Classroom 50
    submission.py   finds lab.py in what was handed in, and grades it
    *.schema.json   the rules of each service

What must never happen is that a fault of ours looks like a student's 0.  So if the
grader fails, or says of a single case that a person must look, no score is written at
all.  If there is no lab.py, or one that does not import, the score is 0 with the
reason.
"""
