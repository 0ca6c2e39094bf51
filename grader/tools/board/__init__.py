"""make board: the games in a browser page.

server.py     serves the page to this machine alone; starts a process for each request
thinking.py   what that process does
view.py       a position as plain data, for the page to show

The page itself is board.html, board.css and board.js in grader/tools/pages/.
"""
