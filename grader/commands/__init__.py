"""The commands that grade or run lab.py, and `make update`."""
