"""The grader: runs lab.py in a process of its own, and judges and explains the answers.

The path of a case, from `make test` to the total at the end of the report:

 1. cli.py finds the verb.  commands/testing.py reads the words behind it, and begins a
    Session with the cases that were chosen.  The function of the longest case runs
    while pytest is imported.  pytest runs the tests in tests/, and commands/plugin.py
    asks the Session for the verdict on each case.
 2. grading/session.py takes the function of the case, and has all its cases run.
 3. grading/runs.py sends these cases to sandbox/, which keeps the child process.  The
    child imports lab.py once, and forks a process for each function.  Reruns that watch
    calls have a child of their own.
 4. In the process of the function, child/ limits what student code can do, and has the
    worker of the kind (kinds/) make the calls.  child/ also records searches, and turns
    the answers into plain data.
 5. protocol/ says what goes up the pipe: a line for each call.  The lines become an
    Answer.
 6. grading/judge.py asks the kind of the function (kinds/) whether the Answer is right.
    The kind gives a Finding for each call, and the worst Finding makes the Verdict.
 7. A case that fails usually runs once more, alone, while the child watches which
    functions are called.  If the case calls another function that is wrong, the case
    waits for that function, or runs with reference answers in place of that function
    (grading/carried_forward.py).
 8. grading/diagnosis.py names the mistake that fits all cases.  It also has up to three
    failing cases of a search or a player traced, to find the first place where the code
    leaves the reference trace.
 9. grading/sheet.py adds up the verdicts in whole hundredths of a point, and
    grading/feedback.py hides what the course hides.
10. showing/ writes the report; its last line is the total.

The workflow and the services of staff ask the same Session, without pytest.

These are the rooms, from the top down.  A room imports only rooms below it
(pyproject.toml has the contract).  There are two exceptions: the module of a verb, and
worker.py of a kind.  The program imports these by name while it runs.

    cli        carries out a verb, and says in one line why it could not
    commands   make test, watch, run, update, the workflow
    tools      make trace, report, debug, play, board, ladder, match
    ladder     games of Connect Four between submissions and the kit's own players
    showing    a score sheet on a screen and in Markdown
    grading    from a lab.py and its cases to a score sheet
    kinds      a folder for each kind of function: all that the kit knows about it
    verdicts   what a case earns, and the sentences about failures
    sandbox    the child process, as the grader sees it
    child      the child process from inside: its limits, its import, its loop, a call
               with its record, and its answer as plain data
    parser     the words behind a verb
    release    which release this kit is
    protocol   what grader and child say to each other
    bank       functions and their points, cases and what they expect
    refusal    the one line that says why something cannot be done
    verbs      the list of verbs
    kit        where the kit is
    finder     finds the packages of the kit, and no file that a student put beside them

The grader's own process never imports lab.py.  Only the child does, and so do `make
run` and the tools, each in a process of its own.  results.schema.json describes
build/results.json.
"""
