"""The bench: measures how fast the kit is, as ratios, on a quiet machine.

    python -m staff.bench           measures all figures
    python -m staff.bench solve     measures only the figures that mention `solve`

A figure is a ratio of two measurements, and is a row of the table that the bench
prints.  The two sides of a ratio are measured in turns, in one run.  Most figures have
a limit.  The exit status is 1 if a limit is broken or a result is wrong.  Otherwise it
is 2 if a row has no verdict because the machine was not quiet.  `make bench RIVALS=1`
installs other libraries and adds rows that compare the kit with them.

    figures.py    Side, Figure, Reading: what is compared, and how a comparison is made
    timing.py     CPU seconds of a function, and of a program with all that it starts
    quiet.py      waits for a quiet machine, and sees whether it stays quiet
    table.py      readings as text
    bare.py       a search that does as little as possible, to compare others with it
    rivals.py     the search of Connect Four in other libraries that are installed
    programs/     programs that are measured

Each topic has a file with a function `figures()`, which returns a list of figures:

    searches.py   alpha-beta on Connect Four
    solving.py    solve, and `zero_by` with a million lines
    grading.py    `make test`
    recording.py  a search that is recorded
    contest.py    the ladder: a move, a game, and the points of the upper rungs
    classes.py    `make grade`

To add a figure, append it to the list of its topic.  To add a topic, name its file in
`TOPICS` of __main__.py.
"""

import sys

from grader.finder import FOLDER

# The bench imports lab.py in its own process.  The finder of the kit has removed the
# folder of lab.py from sys.path, so the bench puts it back.
sys.path.append(FOLDER)
