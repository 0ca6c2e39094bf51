"""The grader: runs lab.py in a process of its own, judges the answers, explains them.

The way of one grade, and the file for each step:

    session.py    which case runs when, and what waits for what (patience.py: how long it may take)
                  (consequences.py: whose mistake it is where one function calls another; spies.py sees
                  that in the child)
    source.py     reads lab.py, and says what keeps Python from reading it
    sandbox.py    starts the child process; forking.py and spawning.py talk to it
                  (user.py: as another user, where GRADER_USER names one)
    keeper.py     stands between the two, and ends all that comes of lab.py, however the grader ends;
                  watch.py counts what it uses, and processes.py reads what the kernel says of it
    worker.py     the child: imports lab.py, calls a function, sends the result up
                  (confine.py shuts it in, with capabilities.py and seccomp.py, and locks.py says
                  how far; calls.py builds the arguments, recorder.py watches the search, encode.py
                  turns the result into plain data)
    answer.py     what goes down and what comes back
    judge.py      compares what came back with the expectation: judges/ gives a finding for each kind
                  of function, sentences.py says what went wrong before there was anything to judge,
                  drawing.py draws the call, verdict.py and status.py hold the outcome
    sheet.py      adds the verdicts up (rounding.py: in hundredths that add up, where they are shown;
                  survey.py: what the survey in lab.py says)
    feedback.py   leaves out what the course does not show; release.py says which kit graded
    console.py    shows them (show.py puts plain data into words, layout.py into the width of a screen);
                  markdown.py does so on a page

    finder.py, door.py
                  what comes before all else: the kit's own packages, and the verbs that can be typed
                  (damage.py names a file of the kit that is broken)
    signals.py    closes what is open when SIGTERM or SIGHUP ends the grader
    testing.py, run.py, plugin.py, environment.py, workflow.py, update.py
                  the doors: make test, make run (run_check.py grades it), pytest tests, set-up, the
                  workflow on GitHub, make update

    results.schema.json
                  what stands in build/results.json, as a JSON Schema

`python grader` lists what can be typed.  The grader's own process never imports lab.py; only
the child does, and `make run`, which is a process of its own.
"""
