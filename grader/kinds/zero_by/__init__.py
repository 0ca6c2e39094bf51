"""A zero-by game of the student's own, whose moves are followed from its start."""
