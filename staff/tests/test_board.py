"""make board: who may ask the server, what it answers, and what becomes of labs that
hang or crash.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.ladder.rungs import RUNGS
from grader.tools.board.server import BoardServer
from staff.release.regions import without_solutions
from staff.tests.conftest import KIT
from staff.tests.support.waiting import LONG, soon
from staff.wrong_labs import with_body

EMPTY = {"game": "connect_four", "board": "", "moves": []}
THINK = {**EMPTY, "player": "alphabeta:3"}
SEARCH = "minimax_search_alphabeta"


@pytest.fixture
def server(tmp_path: Path, model: str) -> Iterator[BoardServer]:
    """A server whose lab.py is the model's, until a test writes another."""
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    with BoardServer(tmp_path / "lab.py") as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def request(
    server: BoardServer, path: str, body: Any = None, **headers: str
) -> tuple[int, str]:
    """Status and text of the answer, to a POST where there is a body."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.server_address[1], timeout=LONG
    )
    data = (
        body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    )
    connection.request("GET" if data is None else "POST", path, data, headers)
    response = connection.getresponse()
    return response.status, response.read().decode()


def lines(server: BoardServer, body: Any = THINK) -> list[dict[str, Any]]:
    """All lines of an answer."""
    status, text = request(server, "/", body)
    assert status == 200
    return [json.loads(line) for line in text.splitlines()]


def shown(server: BoardServer, body: Any) -> dict[str, Any]:
    """What the page shows of a position."""
    (line,) = lines(server, body)
    return dict(line["shown"])


def failure(server: BoardServer, text: str, body: Any = THINK) -> str:
    """The last line that a lab with this text leads to."""
    server.lab.write_text(text, encoding="utf-8")
    (sentence,) = lines(server, body)[-1].values()
    return str(sentence)


def thinking(server: BoardServer) -> list[int]:
    """The processes on this machine that think for a server's lab.py."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes()
        except OSError:  # it has ended
            continue
        if str(server.lab).encode() in command:
            found.append(int(entry.parent.name))
    return found


# --- who may ask ---------------------------------------------------------------------------------


def test_the_page_asks_for_nothing_from_outside(server: BoardServer) -> None:
    status, text = request(server, "/")
    assert status == 200
    assert "://" not in text and "innerHTML" not in text
    assert "default-src 'none'; style-src 'sha256-" in text
    assert server.server_address[0] == "127.0.0.1"


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
    server: BoardServer, path: str, headers: dict[str, str], status: int
) -> None:
    for body in (EMPTY, None):
        answered, text = request(server, path, body, **headers)
        assert answered == status and list(json.loads(text)) == ["failed"]


def test_the_page_itself_is_answered_under_both_names(server: BoardServer) -> None:
    for host in server.hosts:
        assert request(server, "/", EMPTY, Host=host, Origin=f"http://{host}")[0] == 200


# --- what it answers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "failed"),
    [
        (
            ["7"],
            "'7' is not a legal move here; the legal moves are: column 0, column 1, column 2, ",
        ),
        (
            ["0", "1"] * 4,
            "'1' is not a legal move here; the legal moves are: none, the game is over",
        ),
        (["<b>\x1b[31m"], "is not a legal move here"),
    ],
)
def test_what_cannot_be_is_one_line(
    server: BoardServer, moves: list[str], failed: str
) -> None:
    for body in (EMPTY, THINK):
        (line,) = lines(server, {**body, "moves": moves})
        assert failed in line["failed"] and line["failed"].isprintable()


def test_a_position_is_shown(server: BoardServer) -> None:
    first = shown(server, {**EMPTY, "moves": ["3", "3"]})
    assert first["cells"] == "." * 31 + "2" + "." * 6 + "1" + "." * 3
    assert (first["turn"], first["said"], first["last"], first["over"]) == (
        "Maxie",
        "Minnie: column 3.",
        [31],
        "",
    )
    won = shown(server, {**EMPTY, "moves": ["0", "1", "0", "1", "0", "1", "0"]})
    assert (won["over"], won["moves"]) == ("Maxie wins.", {})
    nim = shown(server, {"game": "nim", "board": "", "moves": ["3"]})
    assert (nim["cells"], nim["last"], nim["said"]) == (
        "o" * 12 + "...",
        [12, 13, 14],
        "Maxie: take 3.",
    )
    assert shown(server, {**EMPTY, "board": "NEARLY_OVER"})["cells"].count(".") == 6


WON = {
    "across": (["0", "0", "1", "1", "2", "2", "3"], [35, 36, 37, 38]),
    "up": (["0", "1", "0", "1", "0", "1", "0"], [14, 21, 28, 35]),
    "diagonally": (
        ["0", "1", "1", "2", "2", "3", "2", "3", "3", "5", "3"],
        [17, 23, 29, 35],
    ),
    "down to the right": (
        ["6", "5", "5", "4", "4", "3", "4", "3", "3", "0", "3"],
        [17, 25, 33, 41],
    ),
    "five": (["0", "0", "1", "1", "3", "3", "4", "4", "2"], [35, 36, 37, 38, 39]),
}


@pytest.mark.parametrize("way", WON)
def test_the_winning_line_is_told_when_somebody_has_won(
    way: str, server: BoardServer
) -> None:
    moves, cells = WON[way]
    won = shown(server, {**EMPTY, "moves": moves})
    assert (won["over"], won["winning"]) == ("Maxie wins.", cells)
    assert shown(server, {**EMPTY, "moves": moves[:-1]})["winning"] == []


def test_three_in_a_line_win_tic_tac_toe(server: BoardServer) -> None:
    asked = {"game": "tic_tac_toe", "board": "", "moves": ["2", "0", "4", "1", "6"]}
    assert shown(server, asked)["winning"] == [2, 4, 6]
    draw = {**asked, "moves": ["0", "1", "2", "4", "3", "5", "7", "6", "8"]}
    assert (shown(server, draw)["over"], shown(server, draw)["winning"]) == (
        "It is a draw.",
        [],
    )


def test_the_rules_and_whose_pieces_are_whose_are_told(server: BoardServer) -> None:
    assert shown(server, EMPTY)["pieces"] == ["piece 1", "piece 2"]
    nim = shown(server, {"game": "nim", "board": "", "moves": []})
    assert (
        nim["rules"]
        == "Nim with 15 pieces: take 1, 2 or 3 in each turn. Whoever takes the last piece loses."
    )
    assert (nim["pieces"], nim["winning"]) == (["", ""], [])


ZERO_BY = {"game": "zero_by:5:4:1:3", "board": "", "moves": ["3"]}
OWN_MOVES = """
class ZeroBy(ZeroBy):
    def get_moves(self, position):
        return [("to", position - removal) for removal in self.removals if removal <= position]
    def do_move(self, position, move):
        return move[1]
"""


def test_zero_by_is_played_on_ones_own_class(server: BoardServer, model: str) -> None:
    first = shown(server, ZERO_BY)
    assert (first["layout"], first["cells"], first["said"]) == (
        "row",
        "oo...",
        "Maxie: take 3.",
    )
    assert "take 1, 3 or 4 in each turn" in first["rules"] and "1" in first["moves"]
    assert "move" in lines(server, {**ZERO_BY, "player": "perfect"})[-1]
    server.lab.write_text(model + OWN_MOVES, encoding="utf-8")
    start = shown(server, {**ZERO_BY, "moves": []})
    assert start["moves"]["('to', 2)"] == "('to', 2)"
    assert shown(server, {**ZERO_BY, "moves": ["('to', 2)"]})["cells"] == "oo..."
    server.lab.write_text(with_body("ZeroBy", "return 'five'", model), encoding="utf-8")
    (line,) = lines(server, {**ZERO_BY, "moves": []})
    assert line["failed"].isprintable() and "Traceback" not in line["failed"]


def test_a_search_is_told_depth_by_depth(server: BoardServer) -> None:
    *told, last = lines(server)
    found = [line for line in told if "line" in line]
    assert [line["depth"] for line in found] == [1, 2, 3]
    assert found[-1]["line"][0] == last["move"]
    assert (
        found[-1]["words"] == [f"column {move}" for move in found[-1]["line"]]
        and len(found[-1]["line"]) == 3
    )


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
        position = shown(server, {**EMPTY, "moves": moves})
    assert position["over"] == "Minnie wins."
    assert len(position["winning"]) >= 4


@pytest.mark.parametrize(
    ("game", "word", "says"),
    [
        ("connect_four", "rung:8", "there is no player 'rung:8'; choose from human, "),
        ("connect_four", "rung:x", "there is no player 'rung:x'; choose from human, "),
        ("nim", "rung:3", "the rungs of the ladder play connect_four alone"),
    ],
)
def test_a_rung_that_cannot_play_is_one_line(
    server: BoardServer, game: str, word: str, says: str
) -> None:
    last = lines(server, {**EMPTY, "game": game, "player": word})[-1]
    assert last["failed"].startswith(says) and last["failed"].isprintable()


def test_before_a_line_is_written(server: BoardServer, model: str) -> None:
    server.lab.write_text(without_solutions(model, server.lab), encoding="utf-8")
    for body, function in (
        (EMPTY, "is_game_over_connectfour"),
        ({**THINK, "game": "nim"}, SEARCH),
    ):
        assert lines(server, body)[-1]["failed"].startswith(
            f"{function} is not written yet; until it is, choose an"
        )


# --- labs that fail ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            "raise KeyError('a lost key')",
            f"{SEARCH} failed: KeyError: 'a lost key' (lab.py:",
        ),
        ("return None", f"{SEARCH} failed: TypeError: cannot unpack"),
        (
            "import posix; posix._exit(3)",
            "lab.py failed: It ended the whole process (exit status 3)",
        ),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            "lab.py failed: Python itself crashed: SIGSEGV",
        ),
        ("raise SystemExit", f"{SEARCH} failed: It ended the program"),
        ("input()", f"{SEARCH} failed: It asks for keyboard input"),
        ("return bytearray(1 << 31)", f"{SEARCH} failed: It ran out of memory"),
        (
            'print(\'{"move": "6"}\', flush=True); 1 / 0',
            f"{SEARCH} failed: ZeroDivisionError",
        ),
    ],
)
def test_a_search_that_fails_is_one_line(
    server: BoardServer, model: str, body: str, line: str
) -> None:
    told = failure(server, with_body(SEARCH, body, model))
    assert line in told and "\n" not in told
    assert "shown" in lines(server, EMPTY)[0]


def begin_to_think(port: int) -> http.client.HTTPResponse:
    """An answer that begins to come; the connection is closed with it."""
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    page.request("POST", "/", json.dumps(THINK))
    return page.getresponse()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize(
    "body", ["while True: pass", "10 ** 10 ** 8"]
)  # no thread interrupts the second
def test_a_search_that_hangs_ends_when_the_page_leaves(
    server: BoardServer, model: str, body: str
) -> None:
    server.lab.write_text(with_body(SEARCH, body, model), encoding="utf-8")
    answer = begin_to_think(server.server_address[1])
    assert "shown" in json.loads(answer.readline())
    assert "shown" in lines(server, EMPTY)[0]
    assert thinking(server)
    answer.close()
    assert soon(lambda: not server.thinking and not thinking(server))


# --- the program ---------------------------------------------------------------------------------


def start(lab: Path, **environment: str) -> "subprocess.Popen[str]":
    """The program as a person starts it, on a machine without a browser."""
    return subprocess.Popen(
        [sys.executable, "-m", "grader", "board"], cwd=KIT, env={**os.environ, "LAB": str(lab), **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 0), (signal.SIGKILL, -9)]
)
def test_however_it_ends_nothing_goes_on_thinking(
    server: BoardServer, model: str, number: signal.Signals, status: int
) -> None:
    server.lab.write_text(
        with_body(SEARCH, "while True: pass", model), encoding="utf-8"
    )
    process = start(server.lab)
    assert process.stdout
    url = process.stdout.readline().removeprefix("Play at ").split()[0]
    answer = begin_to_think(int(url.strip("/").rpartition(":")[2]))
    assert answer.status == 200 and soon(lambda: thinking(server))
    process.send_signal(number)
    _, err = process.communicate(timeout=LONG)
    assert (process.returncode, err) == (status, "")
    assert soon(lambda: not thinking(server))


def test_a_port_that_is_taken_is_one_line(server: BoardServer) -> None:
    process = start(server.lab, PORT=str(server.server_address[1]))
    out, err = process.communicate(timeout=LONG)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert "leave PORT out" in err
