"""make trace: a search played back, in the terminal and as a page.

verb.py       what is asked for, and what becomes of it
terminal.py   step by step in the terminal

The page is written and served by grader/tools/pages/.
"""
