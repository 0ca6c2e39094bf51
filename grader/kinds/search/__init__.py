"""Searches of a tree: dfs, minimax, alpha-beta, and those that deepen step by step."""
