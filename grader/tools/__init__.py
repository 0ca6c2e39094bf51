"""What a student does with a lab besides having it graded: play games against it.

student.py        lab.py as the tools use it: imported once, and what fails is one sentence
pairing.py        games and players by name
connect_four.py   Connect Four by the student's rules, or by the kit's
picture.py        a state of a game, drawn for a terminal
play.py           make play: a game, or a match
"""
