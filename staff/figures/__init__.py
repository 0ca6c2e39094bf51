"""`make figures`: measures how often the feedback is right, and writes docs/figures.md.

make figures                        measures everything and writes the page
make figures FRESH=folder           measures fresh mistakes as well (fresh.py)
make figures ARGS="dfs_maximizing"  measures mistakes in these functions; writes no page

outcome.py    grades a submission, and reads the end of its screen
mutants.py    mechanical mutants of the model solution
reasons.py    why a mutant may keep a full score (reasons.yaml)
own.py        the submissions in this repository: incorrect ones and correct ones
fresh.py      fresh mistakes, what a person read on their screens, and the last results
counting.py   outcomes counted by function, and Wilson's interval
page.py       fills in page.md, the template of docs/figures.md
"""

import sys

from grader.finder import FOLDER

# A process that is started anew looks for the kit here; the kit's finder has hidden it.
sys.path.append(FOLDER)
