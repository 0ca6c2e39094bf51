"""The kind of the searches of a tree: dfs, minimax, alpha-beta, and searches that
deepen step by step.
"""
