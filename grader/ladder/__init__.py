"""The ladder: Connect Four between submissions and the kit's own players.

For each move, a submission may make a certain number of static evaluations, and the kit
counts them.  This number does not limit the kit's own players, which use no clock.  So
a game is the same on every machine, unless a submission reaches a limit on time.

    referee       plays a game between two contestants on a board of its own
    submission    a contestant that is a lab.py, in a process of its own in the sandbox
    rungs         the contestants that ship: random, careful, and tree search
    tree_search   Monte Carlo tree search
    bits          Connect Four on integers, for the rungs
    contestant    what a contestant is, and how it loses
    game          a game as data: its moves and how it ended
    openings      the numbered openings of openings.yaml

A module imports only modules below it in this list.  submission.py works together with
grader/child/turns.py, which makes the moves in the process of lab.py and counts the
evaluations.  grader/tools/ladder/ has the commands `make ladder` and `make match`.
"""
