"""One small writer for each service that reads a grade, copied into that service's bundle.

    gradescope.py, classroom50.py
                  a score sheet goes in, the service's result comes out as plain data; and the program that a bundle
                  runs there
    submission.py finds lab.py in what was handed in, and grades it
    inert.py      a student's text, cut and made harmless
    schemas/      the services' rules, for the tests

A bundle holds this package as `reports`, beside the kit, so imports in here are relative or the kit's.

What must never happen is that a fault of ours looks like a student's 0.  So if the grader fails, or says of a single
case that a person must look, no score is written at all, in the way that each service has for it.  If there is no
lab.py, or one that does not import, the score is 0 with the reason.
"""
