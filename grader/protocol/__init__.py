"""What the grader and its child both use: their messages, and plain data in words."""
