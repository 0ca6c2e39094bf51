"""What the lab gives you: boards, states, games and drawn trees.  Do not edit it.

ConnectFourBoard        a Connect Four position                                 board.py
AbstractGameState       any game as a tree for a search                         state.py
move_sequence           the states on a path down such a tree
AnytimeValue            a result that gets better while a search goes on      results.py
pretty_print_dfs_type   prints a search result for a person
always_zero             the heuristic that scores every position 0
INF                     infinity
is_class_instance       whether the class of an object has a given name
Game, Value             a game as four functions; WIN, TIE or LOSE               game.py
as_game_state           any Game as an AbstractGameState
TicTacToe               a Game, ready to be solved and searched           tic_tac_toe.py
Player                  the base class of players, with MINNIE and MAXIE   two_player.py
TwoPlayerGame           a game for Minnie and Maxie
Winner, DRAW            the outcome of a game                                outcomes.py
Over, IN_PLAY           the status of a game: whether it has ended
Definitely, Guess       an estimate of what a position is worth
Nim, VeryDumbNim        two-player games; the second has a poor estimate          nim.py
TwoPlayerTicTacToe      tic-tac-toe as a two-player game                  tic_tac_toe.py
TwoPlayerConnectFour    Connect Four as one, using your part 1           connect_four.py
as_two_player_game      any Game as a two-player game                        adapters.py
two_player_state        any two-player game as an AbstractGameState
game_estimate           the heuristic that returns the game's own estimate
HumanPlayer             asks a person at the terminal                         players.py
RandomPlayer            plays at random
SearchPlayer            plays the moves that your search of part 2 finds
PerfectPlayer           plays perfectly, using your `solve`
Referee                 lets two players play a game                          referee.py
TreeNode                a node of a drawn tree                                  trees.py
parse_tree, draw_tree   a drawn tree from text, and back
tree_state              a drawn tree as an AbstractGameState
tree_estimate           the heuristic that is drawn into a tree
"""

from api.adapters import as_two_player_game, game_estimate, two_player_state
from api.board import ConnectFourBoard
from api.connect_four import TwoPlayerConnectFour
from api.game import Game, Value, as_game_state
from api.nim import Nim, VeryDumbNim
from api.outcomes import DRAW, IN_PLAY, Definitely, Guess, Over, Winner
from api.players import HumanPlayer, PerfectPlayer, RandomPlayer, SearchPlayer
from api.referee import Referee
from api.results import (
    INF,
    AnytimeValue,
    always_zero,
    is_class_instance,
    pretty_print_dfs_type,
)
from api.state import AbstractGameState, move_sequence
from api.tic_tac_toe import TicTacToe, TwoPlayerTicTacToe
from api.trees import TreeNode, draw_tree, parse_tree, tree_estimate, tree_state
from api.two_player import Player, TwoPlayerGame

# The two-player games that are ready to play.  Connect Four needs your part 1.
GAMES: dict[str, type[TwoPlayerGame]] = {
    "nim": Nim,
    "very_dumb_nim": VeryDumbNim,
    "tic_tac_toe": TwoPlayerTicTacToe,
}

__all__ = [
    "DRAW", "INF", "IN_PLAY", "AbstractGameState", "AnytimeValue", "ConnectFourBoard",
    "Definitely", "Game", "Guess", "HumanPlayer", "Nim", "Over", "PerfectPlayer",
    "Player", "RandomPlayer", "Referee", "SearchPlayer", "TicTacToe", "TreeNode",
    "TwoPlayerConnectFour", "TwoPlayerGame", "TwoPlayerTicTacToe", "Value",
    "VeryDumbNim", "Winner", "always_zero", "as_game_state", "as_two_player_game",
    "draw_tree", "game_estimate", "is_class_instance", "move_sequence", "parse_tree",
    "pretty_print_dfs_type", "tree_estimate", "tree_state", "two_player_state",
]  # fmt: skip
