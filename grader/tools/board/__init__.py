"""make board: the games in a browser page.

server.py     serves the page on this machine alone, and has what it asks for answered by a process of its own
thinking.py   that process, from inside
view.py       what the page shows: a position as plain data

The page itself is grader/tools/pages/board.html, board.css and board.js.
"""
