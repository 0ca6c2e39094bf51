"""Shows a score sheet: on a terminal, on a page, with as much of it as the course
allows.
"""
