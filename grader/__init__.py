"""The grader: runs lab.py in a process of its own, judges the answers, explains them.

The way of one grade, and the file for each step:

    session.py    which case runs when, and what waits for what
    sandbox.py    starts the child process and reads its answer  (forking.py, spawning.py: how)
    worker.py     the child: imports lab.py, calls a function, sends the result
                  (confine.py shuts it in, calls.py builds the arguments, recorder.py watches the
                  search, encode.py turns the result into plain data)
    judge.py      compares that plain data with the expectation and gives a verdict (judges/)
    sheet.py      adds the verdicts up
    console.py    shows them           (drawing.py draws the failing case)

`python -m grader` lists what can be typed.  The grader's own process never imports lab.py.
"""
