"""The child process: shuts itself in, imports lab.py, runs the cases and sends up what
came back.
"""
