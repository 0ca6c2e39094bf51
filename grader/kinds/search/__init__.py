"""Searches of a tree: dfs, minimax, alpha-beta, and those that deepen step by step.

`arguments` of the function are those that it takes besides the state; one that `returns: history`
gives an AnytimeValue with a result for each depth.

answer.py reads what came back, judge.py judges it, and drawing.py draws it.  Where it is wrong, it is run once
more, and all that it did is read too: kind.py finds the first thing that is wrong in it, beside the asked search
(Walk, in nodes.py): following.py goes by its calls and its static evaluations, outcome.py by its result, and
deepening.py by the searches that are made one after the other.
"""
