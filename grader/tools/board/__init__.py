"""make board: the games in a browser page.

server.py     serves the page on this machine alone, and answers what it asks
position.py   a game with its moves as plain data, by the kit's own rules
thinker.py    the process that a student's code thinks in, seen from the server
mind.py       the same process, from inside
page.html, page.css, page.js
"""
