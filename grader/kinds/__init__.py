"""What the grader knows of each kind of graded function: one folder for each kind."""
