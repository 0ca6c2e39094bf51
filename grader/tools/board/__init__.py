"""make board: the games in a browser page.

server.py     serves the page on this machine alone, and has what it asks answered by a process of its own
view.py       what the page may ask for, and what it shows: a position as plain data
mind.py       that process, from inside

The page itself is grader/tools/pages/board.html, board.css and board.js.
"""
