"""The grader: runs lab.py in a process of its own, judges the answers, explains them.

The way of one grade, room by room:

    grading/   session.py: which case runs when, and what waits for what (patience.py: how long it may
               take; consequences.py: whose mistake it is where one function calls another)
               asking.py has lab.py imported and its cases run (ahead.py: before they are asked for)
               source.py reads lab.py, and says what keeps Python from reading it; mentions.py, what it names
               judge.py has what came back compared with the expectation, in the way of its kind
               sheet.py adds the verdicts up (rounding.py: in hundredths that add up, where they are shown);
               feedback.py leaves out what the course does not show
    kinds/     a folder for each kind of function: how a call is made, read, judged and drawn, and what a case
               of it may say (kind.py says what stands in one, and finds it; playback.py: what one gives of a
               call to be played back)
               of search/: nodes.py has the tree, following.py the first thing that went wrong in it, faults.py
               puts that into a sentence, and kind.py marks the place
    diagnosing/  diagnosis.py: where the failing cases of a function went wrong, once all verdicts are there, and
               which known mistake gives just these answers
    sandbox/   sandbox.py sends a case and gets its answer, by forking.py or by spawning.py: opening.py opens
               the one for this machine
               start.py starts the child process and ends it (second.py: and others with it; user.py: as
               another user, where GRADER_USER names one); scratch.py is its folder, and watch.py counts what
               it uses
    protocol/  what both sides use: answer.py is what goes down and what comes back, which reading.py alone lets
               in, with plain.py, digests.py, raised.py (exceptions) and survey.py (of lab.py); locks.py says how far
               the child is shut in; limits.py what it may use; words.py puts plain data into words; processes.py
               reads what the kernel says of processes
    calls/     in the child: calling.py makes a call in the way of its kind (written.py finds the function, and watches
               which others it calls); recorder.py watches a search (attribution.py: at which place of its tree),
               and requests.py what a player's methods ask of each other; encode.py and raised.py turn what comes
               back into plain data
    worker/    worker.py serves the cases of one lab.py, which importing.py imports; keeper.py stands between it and the
               grader, and ends all that comes of lab.py; confine.py shuts it in, with seccomp.py
    judging/   verdict.py holds the outcome; sentences.py says what went wrong before there
               was anything to judge
    showing/   console.py shows a sheet, and failing.py a case of it, in the width of a screen and with what that
               can show (style.py); markdown.py is the summary of a workflow run
    commands/  testing.py, watching.py, run.py, workflow.py, update.py: make test, make watch, make run, the workflow on
               GitHub, make update (plugin.py: pytest below make test, and by itself)
    tools/     make play, make board, make debug, make trace, make report (__init__.py: file by file);
               pages/ has what a browser shows, written and served in one way

    finder.py, kit.py, cli.py
               what comes before all else: the kit's own packages, and the verbs that can be typed
    release.py, environment.py, refusal.py
               which kit this is; sets the environment up; closes what is open when a signal ends the grader;
               what a verb raises where it cannot do what was typed

    results.schema.json
               what stands in build/results.json, as a JSON Schema

`python grader` lists what can be typed.  The grader's own process never imports lab.py; only
the child does, and `make run` and the tools, each a process of its own.
"""
