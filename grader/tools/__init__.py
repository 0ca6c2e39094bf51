"""The tools for students: they play games against a lab, step through it, and play its
searches back.

student.py   lab.py as the tools use it: imported once; if it fails, that is one sentence
games.py     games by a word each
seats.py     players by a word each
screen.py    what a person reads and types at the terminal
play.py      make play: a game at the terminal
board/       make board: the same games on a page in the browser
pages/       what a browser shows: how a page is written, its script and its style
named.py     the case that somebody names, or similar ones
debug.py     make debug: a case in the debugger, and its call as Python
trace.py     make trace: a search played back, as a page or in words
report.py    make report: the score sheet as a page, with what failed
"""
