"""The bank of graded cases: parts, functions, points, cases and calls."""
