"""Grades a submission on a service.  In a bundle, this package has the name `reports`.

    gradescope.py   run by a bundle; turns a score sheet into Gradescope's result
    classroom50.py  run by a bundle; turns a score sheet into Classroom 50's result
    submission.py   finds lab.py in the files that were handed in, and grades it
    *.schema.json   the rules of each service

In a bundle the package is beside the kit, so it imports only itself and the kit.  A
fault of the kit must never look like a student's 0.  So no score is written if the
grader fails, or if a person has to look at a case.  If lab.py is missing or cannot be
imported, the score is 0, and the result says why.
"""
