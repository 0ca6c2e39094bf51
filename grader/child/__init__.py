"""The code of the child process: it shuts itself in, imports lab.py, and runs cases."""
