"""The kind of the functions that take a Connect Four board: rules and heuristics."""
