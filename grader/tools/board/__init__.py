"""make board: the games in a browser page.

server.py     serves the page on this machine alone, and answers what it asks
view.py       what the page may ask for, and what it shows: a position as plain data
thinker.py    the process that a student's code thinks in, seen from the server
mind.py       the same process, from inside

The page itself is grader/tools/pages/board.html, board.css and board.js.
"""
