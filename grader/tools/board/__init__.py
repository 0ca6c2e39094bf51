"""make board: the games in a browser page.

server.py     serves the page on this machine alone, and starts a process for each request
thinking.py   that process, from inside
view.py       what the page shows: a position as plain data

The page itself is board.html, board.css and board.js in grader/tools/pages/.
"""
