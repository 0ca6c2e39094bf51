"""The pages that the tools show in a browser.  Each page is one file, which can run
only the kit's own script.

writing.py puts a page together.  Every page contains look.html, look.css and look.js.
board.* is for make board, ladder.* for make ladder and make match, and trace.* for make
trace and make report.
"""
