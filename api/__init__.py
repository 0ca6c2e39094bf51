"""The library that lab.py uses: boards, states, games, players and drawn trees.

Do not edit it.  You hand in only lab.py, and it is graded with the original library.

ConnectFourBoard        a Connect Four position                                 board.py
AbstractGameState       any game as a tree that a search can walk               state.py
move_sequence           the states along a path down such a tree
AnytimeValue            holds the results of a search as they improve         results.py
pretty_print_dfs_type   prints the result of a search
always_zero             the heuristic that scores every position 0
INF                     infinity
is_class_instance       whether an object's class has a given name
Game                    the base class of games, with four methods               game.py
Value                   the value of a position: WIN, TIE or LOSE
as_game_state           turns any Game into an AbstractGameState
TicTacToe               a Game, ready to be solved and searched           tic_tac_toe.py
Player                  the base class of players, with MINNIE and MAXIE   two_player.py
TwoPlayerGame           the base class of games for Minnie and Maxie
Winner, DRAW            the outcomes of a game                               outcomes.py
Over, IN_PLAY           the statuses of a game: it has ended, or it has not
Definitely, Guess       the estimates of a position: certain, or a guess
Nim                     a two-player game with a perfect estimate                 nim.py
VeryDumbNim             the same game with an estimate that does not help
TwoPlayerTicTacToe      tic-tac-toe as a two-player game                  tic_tac_toe.py
TwoPlayerConnectFour    two-player Connect Four, using your part 1       connect_four.py
as_two_player_game      turns any Game into a two-player game                adapters.py
two_player_state        turns any two-player game into an AbstractGameState
game_estimate           the heuristic that returns the game's own estimate
HumanPlayer             asks a person at the terminal                         players.py
RandomPlayer            plays at random
SearchPlayer            plays the moves that your search of part 2 finds
PerfectPlayer           plays perfectly, using your `solve`
Referee                 lets two players play a game                          referee.py
TreeNode                a node of a drawn tree                                  trees.py
parse_tree              reads a drawn tree from text
draw_tree               shows a drawn tree as text
tree_state              turns a drawn tree into an AbstractGameState
tree_estimate           the heuristic that returns the estimates written in a tree

A game that ends without a winner is a *tie*.  Part 0 calls the value of such a position
Value.TIE, which is also the value of every position from which both players can avoid a
loss.  Part 4 calls the outcome of such a game DRAW.  Moves with equal scores are never
called a tie: if several moves are equally good, take the earliest.
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

# The two-player games that need nothing of yours.  Connect Four needs your part 1.
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
