"""What the grader and the child process both use: how they speak, and what plain data is in words."""
