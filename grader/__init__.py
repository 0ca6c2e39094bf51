"""The grader: runs lab.py in a process of its own, judges the answers, explains them.

The way of one grade:

    1. commands/ (pytest, the workflow) or a bundle asks a Session for the verdict on a case.
    2. grading/session.py takes up the function of that case, with all its cases.
    3. grading/runs.py has them run; sandbox/ sends them to the worker, which forks a process for the function.
    4. worker/ has imported lab.py, shut in; calls/ makes the calls, watches them, and gives plain data.
    5. protocol/ lets that data up the pipe, a line a call, and nothing else.
    6. grading/judge.py asks the kind of the function (kinds/) what each answer is worth, and makes a Verdict of it.
    7. What fails runs once more, alone; if it may call a wrong function, then with reference answers in that one's
       place: grading/carried_forward.py.
    8. grading/sheet.py adds the verdicts up, in whole hundredths.
    9. grading/diagnosis.py names the mistakes that fit, and finds the first place where a search leaves the
       reference trace.
    10. grading/feedback.py hides what the course hides; showing/ is the screen and the summary, tools/ the pages.

The rooms, from the top down; an import never points up (pyproject.toml has the
contract):

    cli        the verbs that can be typed
    commands   make test, watch, run, update, the workflow          tools   trace, report, debug, play, board
    showing    a score sheet on a screen and in Markdown
    grading    session, runs, judge, carried forward, sheet, feedback, diagnosis
    kinds      a folder for each kind of function: how a call is made, read, judged, drawn and played back
    judging    status, verdict, and sentences about failures
    sandbox    lab.py at arm's length: the worker as the grader sees it
    worker     the process that runs lab.py: its isolation, its import, its loop
    calls      in the worker: makes a call, records a search, turns what comes back into plain data
    parser     reads the words behind a verb
    protocol   what both sides speak: requests, answers, plain data in words
    bank       the functions and their points, the cases and what they expect

The grader's own process never imports lab.py; only the worker does, and `make run` and
the tools, each a process of its own.  results.schema.json says what stands in
build/results.json.
"""
