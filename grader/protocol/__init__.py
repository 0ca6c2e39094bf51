"""Code that the grader and its child process both use, such as their messages."""
