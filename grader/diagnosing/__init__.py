"""What is known of the mistake behind the failing cases of a function: where it is, and
what it is called.
"""
