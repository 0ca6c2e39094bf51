"""make board: the games on a page in the browser.

server.py     serves the page to this machine only; starts a process for each request
thinking.py   runs in that process: finds a position, and the move of a player
view.py       a position as plain data, for the page to show

The page itself is board.html, board.css and board.js in grader/tools/pages/.
"""
