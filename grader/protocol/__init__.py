"""What the grader and the worker both use: the messages between them, and plain data in
words.
"""
