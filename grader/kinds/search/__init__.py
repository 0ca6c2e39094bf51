"""Searches of a tree: dfs, minimax, alpha-beta, and those that deepen step by step.

`arguments` of the function are those that it takes besides the state; one that
`returns: history` gives an AnytimeValue with a result for each depth.

answer.py reads what came back, judge.py judges it, and drawing.py draws it.  A search
that is wrong runs once more and is traced: divergence.py finds where it leaves the
reference (nodes.py), and playback.py plays both back.
"""
