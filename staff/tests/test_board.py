"""make board: who may ask the server, what it answers, and what becomes of labs that
hang or crash.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.ladder.rungs import RUNGS
from grader.tools.board.server import BoardServer
from staff.release.regions import without_solutions
from staff.tests.conftest import KIT, Submit
from staff.tests.support.waiting import LONG, processes_about, soon
from staff.wrong_labs import with_body

EMPTY = {"game": "connect_four", "board": "", "moves": []}
THINK = {**EMPTY, "player": "alphabeta:3"}
NIM = {"game": "nim", "board": "", "moves": []}
TIC_TAC_TOE = {"game": "tic_tac_toe", "board": "", "moves": []}
ZERO_BY = {"game": "zero_by:5:4:1:3", "board": "", "moves": []}
SEARCH = "minimax_search_alphabeta"
HANGS = "while True: pass"


def request(
    server: BoardServer, path: str, body: Any = None, **headers: str
) -> tuple[int, str]:
    """Status and text of the answer to a GET, or to a POST if there is a body."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.server_address[1], timeout=LONG
    )
    method = "GET"
    data = None
    if body is not None:
        method = "POST"
        data = json.dumps(body).encode()
    connection.request(method, path, data, headers)
    response = connection.getresponse()
    return response.status, response.read().decode()


def lines(server: BoardServer, body: Any) -> list[dict[str, Any]]:
    """All lines of an answer."""
    status, text = request(server, "/", body)
    assert status == 200
    return [json.loads(line) for line in text.splitlines()]


def shown(server: BoardServer, position: Any, *moves: str) -> dict[str, Any]:
    """What the page shows of a position, after these moves more."""
    (line,) = lines(server, {**position, "moves": [*position["moves"], *moves]})
    return dict(line["shown"])


def failure(server: BoardServer, body: Any) -> str:
    """The sentence that an answer ends with."""
    return str(lines(server, body)[-1]["failed"])


# --- who may ask ---------------------------------------------------------------------


def test_the_page_asks_for_nothing_from_outside(server: BoardServer) -> None:
    status, page = request(server, "/")
    assert status == 200
    assert "://" not in page
    assert "innerHTML" not in page
    assert "default-src 'none'; style-src 'sha256-" in page
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("body", [EMPTY, None], ids=["POST", "GET"])
@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {"Host": "evil.example"}, 403),
        ("/", {"Host": "127.0.0.1:1"}, 403),
        ("/", {"Origin": "https://evil.example"}, 403),
        ("/", {"Origin": "null"}, 403),
        ("/../lab.py", {}, 404),
        ("/server.py", {}, 404),
    ],
)
def test_nobody_else_is_answered(
    server: BoardServer, path: str, headers: dict[str, str], status: int, body: Any
) -> None:
    answered, text = request(server, path, body, **headers)
    assert answered == status
    assert list(json.loads(text)) == ["failed"]


def test_the_page_itself_is_answered_under_both_names(server: BoardServer) -> None:
    for host in server.hosts:
        status, _ = request(server, "/", EMPTY, Host=host, Origin=f"http://{host}")
        assert status == 200, host


# --- what it shows -------------------------------------------------------------------


@pytest.mark.parametrize("body", [EMPTY, THINK], ids=["show", "think"])
@pytest.mark.parametrize(
    ("moves", "failed"),
    [
        (["7"], "'7' is not a legal move here; the legal moves are: column 0, column 1, column 2, "),
        (["0", "1"] * 4, "'1' is not a legal move here; the legal moves are: none, the game is over"),
        (["<b>\x1b[31m"], "is not a legal move here"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_refused_in_one_line(
    server: BoardServer, moves: list[str], failed: str, body: dict[str, Any]
) -> None:
    (line,) = lines(server, {**body, "moves": moves})
    assert failed in line["failed"]
    assert line["failed"].isprintable()


def test_a_position_of_connect_four_is_shown(server: BoardServer) -> None:
    position = shown(server, EMPTY, "3", "3")
    assert position["cells"] == "." * 31 + "2" + "." * 6 + "1" + "." * 3
    assert position["pieces"] == ["piece 1", "piece 2"]
    assert position["turn"] == "Maxie"
    assert position["said"] == "Minnie: column 3."
    assert position["last"] == [31]
    assert position["over"] == ""


def test_a_position_of_nim_is_shown(server: BoardServer) -> None:
    position = shown(server, NIM, "3")
    assert position["cells"] == "o" * 12 + "..."
    assert position["pieces"] == ["", ""]
    assert position["winning"] == []
    assert position["last"] == [12, 13, 14]
    assert position["said"] == "Maxie: take 3."
    assert (
        position["rules"]
        == "Nim with 15 pieces: take 1, 2 or 3 on each turn. Whoever takes the last piece loses."
    )


def test_a_named_board_is_shown(server: BoardServer) -> None:
    position = shown(server, {**EMPTY, "board": "NEARLY_OVER"})
    assert position["cells"].count(".") == 6


# Maxie's last move wins: the moves, and the cells of the winning line.
WON: dict[str, tuple[str, list[int]]] = {
    "across": ("0 0 1 1 2 2 3", [35, 36, 37, 38]),
    "up": ("0 1 0 1 0 1 0", [14, 21, 28, 35]),
    "diagonally": ("0 1 1 2 2 3 2 3 3 5 3", [17, 23, 29, 35]),
    "down to the right": ("6 5 5 4 4 3 4 3 3 0 3", [17, 25, 33, 41]),
    "five": ("0 0 1 1 3 3 4 4 2", [35, 36, 37, 38, 39]),
}


@pytest.mark.parametrize(("moves", "cells"), WON.values(), ids=WON)
def test_the_winning_line_is_told_when_somebody_has_won(
    moves: str, cells: list[int], server: BoardServer
) -> None:
    *before, last = moves.split()
    assert shown(server, EMPTY, *before)["winning"] == []
    won = shown(server, EMPTY, *before, last)
    assert won["winning"] == cells
    assert won["over"] == "Maxie wins."
    assert won["moves"] == {}


def test_three_in_a_line_win_tic_tac_toe(server: BoardServer) -> None:
    assert shown(server, TIC_TAC_TOE, *"20416")["winning"] == [2, 4, 6]


def test_a_draw_has_no_winning_line(server: BoardServer) -> None:
    draw = shown(server, TIC_TAC_TOE, *"012435768")
    assert draw["over"] == "It is a draw."
    assert draw["winning"] == []


# --- zero_by, by the rules of lab.py -------------------------------------------------

MOVES_ARE_PAIRS = """
class ZeroBy(ZeroBy):
    def get_moves(self, position):
        return [("to", position - removal) for removal in self.removals if removal <= position]
    def do_move(self, position, move):
        return move[1]
"""


def test_a_position_of_zero_by_is_shown(server: BoardServer) -> None:
    position = shown(server, ZERO_BY, "3")
    assert position["layout"] == "row"
    assert position["cells"] == "oo..."
    assert position["said"] == "Maxie: take 3."
    assert "take 1, 3 or 4 on each turn" in position["rules"]
    assert "1" in position["moves"]


def test_the_perfect_player_plays_zero_by(server: BoardServer) -> None:
    *_, last = lines(server, {**ZERO_BY, "moves": ["3"], "player": "perfect"})
    assert "move" in last


def test_zero_by_is_played_with_moves_of_any_form(
    server: BoardServer, model: str, submit: Submit
) -> None:
    submit(model + MOVES_ARE_PAIRS)
    assert shown(server, ZERO_BY)["moves"]["('to', 2)"] == "('to', 2)"
    assert shown(server, ZERO_BY, "('to', 2)")["cells"] == "oo..."


def test_a_broken_zero_by_is_said_in_one_line(
    server: BoardServer, model: str, submit: Submit
) -> None:
    submit(with_body("ZeroBy", "return 'five'", model))
    (line,) = lines(server, ZERO_BY)
    assert line["failed"].isprintable()
    assert "Traceback" not in line["failed"]


# --- searches ------------------------------------------------------------------------


def test_a_search_is_told_depth_by_depth(server: BoardServer) -> None:
    *told, last = lines(server, THINK)
    depths = [line for line in told if "line" in line]
    assert [depth["depth"] for depth in depths] == [1, 2, 3]
    deepest = depths[-1]
    assert len(deepest["line"]) == 3
    assert deepest["line"][0] == last["move"]
    assert deepest["words"] == [f"column {move}" for move in deepest["line"]]


@pytest.mark.parametrize("rung", RUNGS)
def test_a_rung_of_the_ladder_is_an_opponent(server: BoardServer, rung: int) -> None:
    """It is on the page, takes a win in one move, and needs no search of lab.py."""
    _, page = request(server, "/")
    assert (f'value="rung:{rung}"' in page) is (rung > 1)
    asked = {**EMPTY, "moves": ["0", "1", "0", "1", "0", "1"], "player": f"rung:{rung}"}
    first, last = lines(server, asked)
    assert first["shown"]["turn"] == "Maxie"
    assert last["move"] in ("0" if rung > 1 else "0123456")


def test_a_whole_game_against_a_rung(server: BoardServer) -> None:
    """The person at the page always takes the first possible column."""
    moves = list[str]()
    position = shown(server, EMPTY)
    while not position["over"]:
        if len(moves) % 2:
            asked = {**EMPTY, "moves": moves, "player": "rung:3"}
            moves.append(lines(server, asked)[-1]["move"])
        else:
            moves.append(min(position["moves"]))
        position = shown(server, EMPTY, *moves)
    assert position["over"] == "Minnie wins."
    assert len(position["winning"]) >= 4


@pytest.mark.parametrize(
    ("game", "word", "says"),
    [
        ("connect_four", "rung:8", "there is no player 'rung:8'; choose from human, "),
        ("connect_four", "rung:x", "there is no player 'rung:x'; choose from human, "),
        ("nim", "rung:3", "the rungs of the ladder play only connect_four"),
    ],
)
def test_a_rung_that_cannot_play_is_one_line(
    server: BoardServer, game: str, word: str, says: str
) -> None:
    last = lines(server, {**EMPTY, "game": game, "player": word})[-1]
    assert last["failed"].startswith(says)
    assert last["failed"].isprintable()


@pytest.mark.parametrize(
    ("body", "function"),
    [(EMPTY, "is_game_over_connectfour"), ({**THINK, "game": "nim"}, SEARCH)],
)
def test_before_a_line_is_written(
    server: BoardServer, model: str, submit: Submit, body: Any, function: str
) -> None:
    submit(without_solutions(model, server.lab))
    says = f"{function} is not written yet; until it is, choose an"
    assert failure(server, body).startswith(says)


FAILING = {
    "raise KeyError('a lost key')": f"{SEARCH} failed: KeyError: 'a lost key' (lab.py:",
    "return None": f"{SEARCH} failed: TypeError: cannot unpack",
    "import posix; posix._exit(3)": "lab.py failed: It ended the whole process (exit status 3)",
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)": "lab.py failed: Python itself crashed: SIGSEGV",
    "raise SystemExit": f"{SEARCH} failed: It ended the program",
    "input()": f"{SEARCH} failed: It asks for keyboard input",
    "return bytearray(1 << 31)": f"{SEARCH} failed: It ran out of memory",
    'print(\'{"move": "6"}\', flush=True); 1 / 0': f"{SEARCH} failed: ZeroDivisionError",
}  # fmt: skip


@pytest.mark.parametrize(("body", "says"), FAILING.items(), ids=FAILING)
def test_a_search_that_fails_is_said_in_one_line_and_the_board_stays(
    server: BoardServer, model: str, submit: Submit, body: str, says: str
) -> None:
    submit(with_body(SEARCH, body, model))
    told = failure(server, THINK)
    assert says in told
    assert "\n" not in told
    assert "shown" in lines(server, EMPTY)[0]


# --- what goes on thinking -----------------------------------------------------------

LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="looks for processes in /proc"
)


def begin_to_think(port: int) -> http.client.HTTPResponse:
    """An answer that begins to come; the connection is closed with it."""
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    page.request("POST", "/", json.dumps(THINK))
    return page.getresponse()


@LINUX
@pytest.mark.parametrize("body", [HANGS, "10 ** 10 ** 8"])
def test_a_search_that_hangs_ends_when_the_page_leaves(
    server: BoardServer, model: str, submit: Submit, body: str
) -> None:
    """No thread can interrupt the second search."""
    lab = submit(with_body(SEARCH, body, model))
    answer = begin_to_think(server.server_address[1])
    assert "shown" in json.loads(answer.readline())
    assert "shown" in lines(server, EMPTY)[0]
    assert processes_about(lab)
    answer.close()
    assert soon(lambda: not server.thinking and not processes_about(lab))


def start(lab: Path, **environment: str) -> "subprocess.Popen[str]":
    """The program as a person starts it, on a machine without a browser."""
    return subprocess.Popen(
        [sys.executable, "-m", "grader", "board"], cwd=KIT, env={**os.environ, "LAB": str(lab), **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


def port_of(program: "subprocess.Popen[str]") -> int:
    """The port that the program names in the first line that it prints."""
    assert program.stdout
    url = program.stdout.readline().removeprefix("Play at ").split()[0]
    return int(url.strip("/").rpartition(":")[2])


@LINUX
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 0), (signal.SIGKILL, -9)]
)
def test_however_it_ends_nothing_goes_on_thinking(
    model: str, submit: Submit, number: signal.Signals, status: int
) -> None:
    lab = submit(with_body(SEARCH, HANGS, model))
    program = start(lab)
    answer = begin_to_think(port_of(program))
    assert answer.status == 200
    assert soon(lambda: processes_about(lab))
    program.send_signal(number)
    _, errors = program.communicate(timeout=LONG)
    assert (program.returncode, errors) == (status, "")
    assert soon(lambda: not processes_about(lab))


def test_a_port_that_is_taken_is_one_line(server: BoardServer) -> None:
    program = start(server.lab, PORT=str(server.server_address[1]))
    out, errors = program.communicate(timeout=LONG)
    assert (program.returncode, out, errors.count("\n")) == (2, "", 1)
    assert "leave PORT out" in errors
