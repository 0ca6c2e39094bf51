"""Pages for a browser, each in one file.  Only the kit's own script runs in a page.

writing.py puts a page together.  Every page contains look.html, look.css and look.js;
each of the other files belongs to one page.
"""
