"""Grades a submission on a service.  In a bundle, this package has the name `reports`.

    gradescope.py   a bundle runs it: it makes Gradescope's result from a score sheet
    classroom50.py  a bundle runs it: it makes Classroom 50's result from a score sheet
    submission.py   finds lab.py in the files that were handed in, and grades it
    *.schema.json   the form that each service wants a result to have

A bundle has this package in the folder of the kit, and has no staff/.  So the package
imports only itself and the kit.

A fault of the kit must never look like a student's 0.  So the result has no score if
the grader fails, or if a person has to look at a case.  If lab.py is missing or cannot
be imported, the score is 0, and the result says why.
"""
