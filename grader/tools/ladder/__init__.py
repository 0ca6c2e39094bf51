"""make ladder and make match: games in which a lab.py meets the kit's players, or
another lab.py.

climb.py    make ladder: up the rungs until one is not beaten
match.py    make match: did my change help?
playing.py  plays games one after the other, and shows how far a game is
replays.py  the page that replays games; ladder.js and ladder.css draw it
"""
