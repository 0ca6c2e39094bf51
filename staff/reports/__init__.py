"""Grades a submission on a service.  A bundle holds this package as `reports`.

    gradescope.py   turns a score sheet into the result of Gradescope; a bundle runs it
    classroom50.py  does the same for Classroom 50
    submission.py   finds lab.py in the files that were handed in, and grades it
    *.schema.json   the rules of each service

The package lies beside the kit, so its imports are relative or those of the kit.  A
fault of the kit must never look like a student's 0.  So no score is written if the
grader fails, or if a person must look at a single case.  If lab.py is missing or does
not import, the score is 0, and the result says why.
"""
