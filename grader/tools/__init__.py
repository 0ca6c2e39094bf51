"""The tools for students.  With them a student plays games against lab.py, steps
through lab.py, and sees its searches replayed.

student.py   lab.py as the tools use it; a failure of lab.py becomes one sentence
games.py     the games, and the words that people type for them
seats.py     the players, and the words that people type for them
screen.py    the terminal: what a person reads and types there
play.py      make play: a game at the terminal
board/       make board: the same games on a page in the browser
ladder/      make ladder and make match: games with a limit on static evaluations
pages/       the pages for a browser: their writer, their scripts and their styles
named.py     finds the case and the call that somebody names
debug.py     make debug: a case in the debugger, and its call as Python
trace.py     make trace: the replay of a search, as a page or in words
report.py    make report: the score sheet as a page, with the failing cases
"""
