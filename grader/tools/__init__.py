"""What a student does with a lab besides having it graded: play games against it, step through it, and play its
searches back.

student.py        lab.py as the tools use it: imported once, and what fails is one sentence
table.py          a game and two players by name
position.py       where a game stands, and what that looks like: on the page, and drawn for a terminal
screen.py         what a person reads and types there
seats.py          the players, by a word each
play.py           make play: a game, or many
board/            make board: the same games on a page in the browser
pages/            what a browser shows
named.py          the case that somebody names, or those like it
debug.py          make debug: a case in the debugger, and its call as Python
trace.py          make trace: a search played back, as a page or in words
report.py         make report: the score sheet as a page, with what failed played back
"""
