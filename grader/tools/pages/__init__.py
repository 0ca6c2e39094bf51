"""The pages that the tools show in a browser.  Each page is one file.  It can run only
the kit's own script.

writing.py puts a page together.  Every page contains look.html, look.css and look.js.
Each of the other files belongs to one page.
"""
