"""Pages for a browser, each in one file.  A page can run no script but the kit's own.

writing.py puts a page together.  Every page contains look.html, look.css and look.js.
Each of the other files belongs to one page.
"""
