"""`make figures`: how often the feedback is right, measured, and written into
docs/figures.md.

make figures                        everything; the page is written
make figures FRESH=folder           the same, with mistakes that were made without knowing the names (fresh.py)
make figures ARGS="dfs_maximizing"  only what changes these functions; the page stays as it is

outcome.py    grades a submission, and reads the end of its screen
mutants.py    mechanical mutants of the model solution
reasons.py    why a mutant may keep a full score (reasons.yaml)
own.py        the submissions in this repository: incorrect ones and correct ones
fresh.py      mistakes out of a folder, what a person read on their screens, and the last results (fresh.yaml)
counting.py   outcomes counted by function, and Wilson's interval
page.py       fills in page.md, the template of docs/figures.md
"""

import sys

from grader.finder import FOLDER

sys.path.append(
    FOLDER
)  # where a process that is started anew looks for the kit, which its own finder has hidden
