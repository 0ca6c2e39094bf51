"""What a student does with a lab besides having it graded: play games against it, step through it, play its
searches back, and find the smallest tree on which they contradict each other.

student.py        lab.py as the tools use it: imported once, and what fails is one sentence
table.py          a game and two players by name
position.py       where a game stands, and what that looks like: on the page, and drawn for a terminal
screen.py         what a person reads and types there
seats.py          the players, by a word each
play.py           make play: a game, or many
pages/            what a browser shows, written and served in one way
board/            make board: the same games on a page in the browser
debug.py          make debug: a case in the debugger
trace/            make trace: a search played back, in the terminal and as a page
report.py         make report: the score sheet as a page, with what failed played back
named.py          the case that somebody names, or those like it
shrink.py         make shrink: searches small trees (small_trees.py) until something does not hold (laws.py);
                  shrink.txt is what to paste then
"""
