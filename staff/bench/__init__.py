"""The bench: how fast the kit is, as ratios that are measured side by side in one run,
on a quiet machine.

    python -m staff.bench           every figure, with its limit; exit status 1 if one is broken, 2 if one has no
                                    verdict, as the machine was not quiet
    python -m staff.bench solve     only the rows that mention a word

`make bench RIVALS=1` installs other libraries and adds their rows.

    figures.py    Side, Figure, Reading: what is compared, and how a comparison is made
    timing.py     CPU seconds of a function, and of a program with all that it starts
    quiet.py      waits for a quiet machine, and sees whether it stays quiet while a figure is measured
    table.py      readings as text
    bare.py       the floor of every search, and the yardstick for limits in microseconds
    rivals.py     the same search in other libraries that are installed

One file a topic, each with a function `figures()` that returns a list:

    searches.py   alpha-beta on Connect Four
    solving.py    solve, and `zero_by` with a million lines
    grading.py    `make test`
    recording.py  a search that is recorded
    classes.py    `make grade`

To add a figure, append one to such a list; a new file is named in `TOPICS` of
__main__.py.
"""

import sys

from grader.finder import FOLDER

sys.path.append(
    FOLDER
)  # the bench measures lab.py in its own process, and the kit's finder has hidden it
