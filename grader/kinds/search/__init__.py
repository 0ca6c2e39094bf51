"""Searches of a tree: dfs, minimax, alpha-beta, and those that deepen step by step.

`arguments` of the function are those that it takes besides the state; one that `returns: history`
gives an AnytimeValue with a result for each depth.
"""
