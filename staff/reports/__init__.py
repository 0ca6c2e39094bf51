"""Grades a submission on a service.  In a bundle, this package has the name `reports`.

    gradescope.py   grades in a bundle for Gradescope, and writes its result
    classroom50.py  grades in a bundle for Classroom 50, and writes its result
    submission.py   finds lab.py in the files that were handed in, and grades it
    *.schema.json   the form that each service wants a result to have

A bundle has this package in the folder of the kit, and has no staff/.  So the package
imports only itself and the kit.

A fault of the kit must never look like a student's 0.  So the result has no score if
the grader fails, or if a person has to look at a case.  If lab.py is missing or cannot
be imported, the score is 0, and the result says why.
"""
