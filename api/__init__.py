"""Everything the lab gives you: boards, states, games, drawn trees.  Read it, do not edit it.

ConnectFourBoard        a Connect Four position                                  board.py
AbstractGameState       any game as a tree that a search walks                   state.py
move_sequence           the states on a way down that tree
AnytimeValue            a result that gets better while a search goes on         results.py
pretty_print_dfs_type   print a search result for a person
always_zero             the heuristic that knows nothing
INF                     infinity
is_class_instance       does an object's class bear this name?
Game, Value             a game as four functions; WIN, TIE or LOSE               game.py
as_game_state           any Game as an AbstractGameState
TicTacToe               a Game, ready to be solved and searched                  tic_tac_toe.py
TreeNode                a node of a drawn tree                                   trees.py
parse_tree, draw_tree   a drawn tree from text, and back
tree_state              a drawn tree as an AbstractGameState
tree_estimate           the heuristic that is written into a drawn tree
"""

from api.board import ConnectFourBoard
from api.game import Game, Value, as_game_state
from api.results import INF, AnytimeValue, always_zero, is_class_instance, pretty_print_dfs_type
from api.state import AbstractGameState, move_sequence
from api.tic_tac_toe import TicTacToe
from api.trees import TreeNode, draw_tree, parse_tree, tree_estimate, tree_state

__all__ = [
    "INF",
    "AbstractGameState",
    "AnytimeValue",
    "ConnectFourBoard",
    "Game",
    "TicTacToe",
    "TreeNode",
    "Value",
    "always_zero",
    "as_game_state",
    "draw_tree",
    "is_class_instance",
    "move_sequence",
    "parse_tree",
    "pretty_print_dfs_type",
    "tree_estimate",
    "tree_state",
]
