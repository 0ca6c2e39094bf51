"""make ladder and make match: a lab.py plays against the kit's players, or against
another lab.py.

climb.py    make ladder: plays against the kit's players, the rungs, from the weakest on
match.py    make match: plays against an old lab.py, to see whether a change helped
playing.py  plays games one after the other, and shows the progress of a game
replays.py  the page that replays games; ladder.js and ladder.css draw it
"""
