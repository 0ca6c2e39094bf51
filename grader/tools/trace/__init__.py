"""make trace: a search played back, in the terminal and as a page.

verb.py       what is asked for, and what becomes of it
terminal.py   step by step in the terminal
page.py       the same as one HTML file; page.css, page.js
serving.py    shows that file, also where there is no desktop
"""
