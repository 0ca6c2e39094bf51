"""The ladder: Connect Four between submissions and the kit's own players.

Nobody's clock decides a game.  A player may make so many static evaluations for each
move, and the kit counts them.  So a game is the same on every machine.

    referee       plays a game between two contestants, and checks each move
    submission    a contestant that is a lab.py, in a process of its own in the sandbox
    rungs         the contestants that ship: random, careful, and tree search
    tree_search   Monte Carlo tree search
    bits          Connect Four on integers, for the rungs
    openings      the numbered openings of openings.yaml
    contestant    what a contestant is, and how it loses
    game          a game as data: its moves and how it ended

The imports point down this list.  grader/child/turns.py is the other end of submission:
it makes the moves in the process of lab.py, and counts the evaluations.
grader/tools/ladder/ has the commands: make ladder and make match.
"""
