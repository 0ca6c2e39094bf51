"""Pages for a browser: each is one file, and nothing in it runs but the kit's own
script.

writing.py writes them: look.html, look.css and look.js are in every page, the rest in
one.
"""
