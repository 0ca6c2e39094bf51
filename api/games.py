"""GAMES: the two-player games that are ready to be played, by name.

Connect Four is not among them: it is played by your own part 1 (TwoPlayerConnectFour).
"""

from api.nim import Nim, VeryDumbNim
from api.tic_tac_toe import TwoPlayerTicTacToe
from api.two_player import TwoPlayerGame

GAMES: dict[str, type[TwoPlayerGame]] = {"nim": Nim, "very_dumb_nim": VeryDumbNim, "tic_tac_toe": TwoPlayerTicTacToe}
