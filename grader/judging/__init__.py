"""What the grader says of a case: its status, its verdict, its sentences."""
