"""The cases, the functions that they grade, and the points."""
