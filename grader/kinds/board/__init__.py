"""The kind of the functions on Connect Four boards, the rules and the heuristics."""
