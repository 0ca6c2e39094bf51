"""`make figures`: measures how often the feedback is right, and writes docs/figures.md.

make figures                        measures everything and writes the page
make figures FRESH=folder           measures fresh mistakes as well (fresh.py)
make figures ARGS="dfs_maximizing"  measures mistakes in these functions; writes no page

outcome.py    grades a submission, and reads the end of the report
mutants.py    makes mechanical mutants of the model solution
reasons.py    why a mutant may keep a full score (reasons.yaml)
own.py        the incorrect and the correct submissions in this repository
fresh.py      fresh mistakes, what a person read on their screens, and the last results
counting.py   counts outcomes by function, and computes Wilson's interval
page.py       fills in page.md, the template of docs/figures.md
"""

import sys

from grader.finder import FOLDER

# Processes that `make figures` starts look for the kit in sys.path.  The finder of the
# kit has removed the kit's folder from sys.path.
sys.path.append(FOLDER)
