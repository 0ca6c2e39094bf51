"""make board: who may ask the server, what it answers, and what becomes of labs that hang or crash."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.tools.board import server as board_server
from grader.tools.board.server import MOST_BYTES, BoardServer
from grader.tools.pages.serving import names_of_server
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


def ask(server: BoardServer, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
    """Status and text of the answer, to a POST where there is a body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=LONG)
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"X-Token": server.token, **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection.request("GET" if data is None else "POST", path, data, sent)
    response = connection.getresponse()
    return response.status, response.read().decode()


def refusal(server: BoardServer, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
    """Status and the one line of an answer that refuses."""
    status, text = ask(server, path, body, **headers)
    answer = json.loads(text)
    assert list(answer) == ["error"] and answer["error"] and "\n" not in answer["error"]
    return status, answer["error"]


def thoughts(server: BoardServer, body: Any = THINK) -> list[dict[str, Any]]:
    """All that is told while a player thinks."""
    status, text = ask(server, "/", body)
    assert status == 200
    return [json.loads(line) for line in text.splitlines()]


def shown(server: BoardServer, body: Any) -> dict[str, Any]:
    """What the page shows of a position."""
    (line,) = ask(server, "/", body)[1].splitlines()
    return dict(json.loads(line)["shown"])


def failure(server: BoardServer, text: str, body: Any = THINK) -> str:
    """The line that a lab with this text leads to."""
    server.lab.write_text(text, encoding="utf-8")
    return str(thoughts(server, body)[-1]["failed"])


def thinking(server: BoardServer) -> list[str]:
    """The processes on this machine that think for a server's lab.py."""
    return [entry for entry in os.listdir("/proc") if entry.isdigit() and str(server.lab).encode() in _command(entry)]


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


# --- who may ask ---------------------------------------------------------------------------------


def test_the_page_asks_for_nothing_from_outside(server: BoardServer) -> None:
    status, text = ask(server, "/")
    assert status == 200
    assert "://" not in text and "innerHTML" not in text
    assert server.token in text and "default-src 'none'; style-src 'sha256-" in text
    assert server.server_address[0] == "127.0.0.1"


def test_every_answer_carries_the_policy(server: BoardServer) -> None:
    for path in ("/", "/nowhere"):
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1])
        connection.request("GET", path)
        headers = connection.getresponse().headers
        assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_name_is_refused(server: BoardServer, host: str) -> None:
    assert refusal(server, "/", Host=host)[0] == 403
    assert refusal(server, "/", EMPTY, Host=host)[0] == 403


def test_the_name_localhost_will_do(server: BoardServer) -> None:
    host = f"localhost:{server.server_address[1]}"
    assert ask(server, "/", EMPTY, Host=host, Origin=f"http://{host}")[0] == 200


def test_the_port_of_the_web_goes_without_saying() -> None:
    """A browser leaves port 80 out of Host and Origin."""
    assert names_of_server(80) == ["127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"]
    assert names_of_server(8000) == ["127.0.0.1:8000", "localhost:8000"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1", ""])
def test_another_origin_is_refused(server: BoardServer, origin: str) -> None:
    assert refusal(server, "/", EMPTY, Origin=origin)[0] == 403
    assert refusal(server, "/", Origin=origin)[0] == 403


@pytest.mark.parametrize("token", ["", "guess", "\u00e9"])
def test_without_the_token_nothing_is_answered(server: BoardServer, token: str) -> None:
    for body in (EMPTY, THINK):
        assert refusal(server, "/", body, X_Token=token)[0] == 403


@pytest.mark.parametrize(
    "path", ["/../lab.py", "/%2e%2e/lab.py", "//etc/passwd", "/page.js/../server.py", "/server.py"]
)
def test_no_way_leads_to_other_files(server: BoardServer, path: str) -> None:
    assert refusal(server, path)[0] == 404
    assert refusal(server, path, EMPTY)[0] == 404


# --- what it answers -----------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 9_000])
def test_what_is_no_object_is_refused(server: BoardServer, body: bytes) -> None:
    assert refusal(server, "/", body) == (400, "the request is no JSON object")


def test_what_is_too_long_is_refused(server: BoardServer) -> None:
    assert refusal(server, "/", b"x" * (MOST_BYTES + 1))[0] == 413
    assert refusal(server, "/", b"x" * 900_000)[0] == 413


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"moves": ["7"]}, "'7' is not possible here; these are: column 0, column 1, column 2, "),
        ({"moves": ["3"] * 7}, "'3' is not possible here; these are: column 0, column 1, column 2, column 4, "),
        ({"moves": ["0", "1"] * 4}, "'1' is not possible here; these are: none, it is over"),
        ({"moves": [3]}, "texts"),
        ({"moves": "3"}, "texts"),
        ({"moves": None}, "texts"),
        ({"game": "chess"}, "there is no game 'chess'; choose from connect_four, nim, "),
        ({"game": None}, "texts"),
        ({"board": "12"}, "row 5 has 2 squares; a row has 7"),
        ({"board": "...3..."}, "'3' stands in the row ...3...; a square is `.`, `1` or `2`"),
        ({"board": "...1...\n......."}, "the piece in row 4, column 3 floats"),
        ({"board": "NO_SUCH_BOARD"}, "no board is named 'NO_SUCH_BOARD'; "),
        ({"board": ".......\n" * 7}, "a board has 6 rows, not 7"),
        ({"board": "<b>\x1b[31m"}, "stands in the row"),
    ],
)
def test_what_cannot_be_is_one_line(server: BoardServer, change: dict[str, Any], error: str) -> None:
    for body in (EMPTY, THINK):
        status, line = refusal(server, "/", {**body, **change})
        assert status == 400 and error in line


def test_a_game_that_is_over_is_not_thought_about(server: BoardServer) -> None:
    assert refusal(server, "/", {**THINK, "board": "WON_IN_THE_TOP_ROW"})[0] == 400
    assert refusal(server, "/", {**THINK, "player": 3})[0] == 400


def test_a_position_is_shown(server: BoardServer) -> None:
    first = shown(server, {**EMPTY, "moves": ["3", "3"]})
    assert first["cells"] == "." * 31 + "2" + "." * 6 + "1" + "." * 3
    assert (first["turn"], first["said"], first["last"], first["over"]) == ("Maxie", "Minnie: column 3.", [31], "")
    won = shown(server, {**EMPTY, "moves": ["0", "1", "0", "1", "0", "1", "0"]})
    assert (won["over"], won["moves"], sorted(won["lit"])) == ("Maxie wins.", {}, [14, 21, 28, 35])
    nim = shown(server, {"game": "nim", "board": "", "moves": ["3"]})
    assert (nim["cells"], nim["last"], nim["said"]) == ("o" * 12 + "...", [12, 13, 14], "Maxie: take 3.")


def test_a_board_as_python_prints_it(server: BoardServer) -> None:
    drawn = "_ _ _ _ _ _ _\n_ _ _ 1 2 _ _\n0 1 2 3 4 5 6\n"
    assert shown(server, {**EMPTY, "board": drawn})["cells"][-7:] == "...12.."


def test_every_named_board_can_be_played_from(server: BoardServer) -> None:
    page = ask(server, "/")[1]
    boards = json.loads(page.split('<script type="application/json">')[1].split("</script>")[0])["boards"]
    assert "NEARLY_OVER" in boards and all(boards.values())
    for name in boards:
        assert shown(server, {**EMPTY, "board": name})["cells"].strip(".")


# --- thinking ------------------------------------------------------------------------------------


def test_a_search_is_told_depth_by_depth(server: BoardServer) -> None:
    *told, move = thoughts(server)
    found = [line for line in told if "line" in line]
    assert [line["depth"] for line in found] == [1, 2, 3]
    assert found[-1]["line"][0] == move["move"]
    assert [ghost["ply"] for ghost in found[-1]["ghosts"]] == [1, 2, 3]
    assert {ghost["piece"] for ghost in found[-1]["ghosts"]} == {"1", "2"}


def test_what_a_lab_prints_is_not_what_it_tells(server: BoardServer, model: str) -> None:
    server.lab.write_text(model + '\nprint(\'{"move": "6"}\', flush=True)\n', encoding="utf-8")
    assert [line["depth"] for line in thoughts(server) if "line" in line] == [1, 2, 3]


@pytest.mark.parametrize("player", ["alphabeta:2", "deepening:0.2s", "minimax:2", "random", "perfect"])
@pytest.mark.parametrize("game", ["nim", "very_dumb_nim", "tic_tac_toe"])
def test_every_player_plays_every_game(server: BoardServer, game: str, player: str) -> None:
    moves = ["0", "1", "2"] if game == "tic_tac_toe" else ["3", "3", "3"]
    told = thoughts(server, {"game": game, "board": "", "moves": moves, "player": player})
    assert "move" in told[-1]
    assert ask(server, "/", {"game": game, "board": "", "moves": [*moves, told[-1]["move"]]})[0] == 200


def test_connect_four_waits_for_part_1(server: BoardServer, model: str) -> None:
    """No rule of the kit's stands in; the board is shown, and cannot be played."""
    server.lab.write_text(without_solutions(model, server.lab), encoding="utf-8")
    first = shown(server, {**EMPTY, "board": "NEARLY_OVER"})
    assert first["moves"] == {} and first["cells"].count(".") == 6
    assert "waits for it: is_game_over_connectfour is not written yet. Meanwhile" in first["waits"]
    assert refusal(server, "/", {**EMPTY, "moves": ["3"]}) == (400, first["waits"])
    assert refusal(server, "/", THINK) == (400, first["waits"])
    told = thoughts(server, {**THINK, "game": "nim"})
    assert any("random player" in line.get("note", "") for line in told)
    assert told[-1]["move"] in "123"


RULE = "is_game_over_connectfour"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("while True: pass", "your part 1 takes longer than 2 seconds on this board"),
        ("return 1 / 0", f"{RULE} failed: ZeroDivisionError: division by zero (lab.py:"),
        ("import os; os._exit(3)", f"{RULE} failed: RuntimeError: os._exit(3) ends Python at once (lab.py:"),
        ("import posix; posix._exit(3)", "lab.py failed: It ended the whole process (exit status 3)"),
    ],
)
def test_a_rule_that_hangs_or_fails_is_one_line(
    body: str, error: str, server: BoardServer, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_server, "MOST_SECONDS", 2 if "while" in body else 60)
    text = with_body(RULE, f"if board.count_pieces() == 1:\n    {body}\nreturn board.count_pieces() > 6", model)
    server.lab.write_text(text, encoding="utf-8")
    status, line = refusal(server, "/", {**EMPTY, "moves": ["3"]})
    assert status == 400 and line.startswith(error)
    assert not server.thinkers


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("raise KeyError('a lost key')", f"{SEARCH} failed: KeyError: 'a lost key' (lab.py:"),
        ("return None", f"{SEARCH} returned nothing (None)"),
        ("import os; os._exit(3)", f"{SEARCH} failed: RuntimeError: os._exit(3) ends Python at once (lab.py:"),
        ("import posix; posix._exit(3)", "alphabeta:3 failed: It ended the whole process (exit status 3)"),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            "alphabeta:3 failed: Python itself crashed: SIGSEGV",
        ),
        ("raise SystemExit", f"{SEARCH} failed: It ended the program"),
        ("input()", f"{SEARCH} failed: It asks for input"),
        ("return bytearray(1 << 31)", f"{SEARCH} failed: It ran out of memory"),
        ("raise KeyError('<b>\\x1b[31m')", f"{SEARCH} failed: KeyError: '<b>\\x1b[31m' (lab.py:"),
    ],
)
def test_a_search_that_fails_is_one_line(server: BoardServer, model: str, body: str, line: str) -> None:
    told = failure(server, with_body(SEARCH, body, model))
    assert line in told.replace("\\\\", "\\") and "\n" not in told
    assert ask(server, "/", EMPTY)[0] == 200


def test_a_lab_that_cannot_be_imported_is_one_line(server: BoardServer) -> None:
    nim = {**THINK, "game": "nim"}
    assert failure(server, "this is no Python", nim).startswith("lab.py cannot be imported. SyntaxError")
    assert refusal(server, "/", THINK)[1].startswith("lab.py cannot be imported. SyntaxError")


def test_a_player_that_there_is_not_is_one_line(server: BoardServer, model: str) -> None:
    assert "choose from" in failure(server, model, {**THINK, "player": "genius"})
    assert failure(server, model, {**THINK, "player": "human"}) == "a person moves on the page"
    assert "can be solved" in failure(server, model, {**THINK, "player": "perfect"})


def test_a_move_that_is_not_possible_is_one_line(server: BoardServer, model: str) -> None:
    text = f"{model}\n\nclass MinimaxPlayer:\n    def __init__(self, *given): pass\n"
    text += "    def search(self, depth, state): return 9, Guess(0)\n\nfrom api import Guess\n"
    assert failure(server, text, {**THINK, "player": "minimax:3"}) == "minimax:3 chose '9', which is not possible here."


def hanging(server: BoardServer, text: str) -> socket.socket:
    """A connection on which a lab with this text thinks, after the first thing that it told."""
    server.lab.write_text(text, encoding="utf-8")
    connection = socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=LONG)
    data = json.dumps(THINK)
    head = f"POST / HTTP/1.1\r\nHost: {server.hosts[0]}\r\nX-Token: {server.token}\r\nContent-Length: {len(data)}"
    connection.sendall(f"{head}\r\n\r\n{data}".encode())
    assert connection.recv(1)
    return connection


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "import os, time\nif os.fork(): time.sleep(999)\nos.setsid()\ntime.sleep(999)",
        "import os\nif not os.fork():\n    os.setsid()\n    if os.fork(): os._exit(0)\nwhile True: pass",
        "while True:\n    try: 10 ** 10 ** 7\n    except BaseException: pass",
    ],
)
def test_a_search_that_hangs_ends_when_the_page_leaves(server: BoardServer, model: str, body: str) -> None:
    connection = hanging(server, with_body(SEARCH, body, model))
    time.sleep(1)
    assert ask(server, "/", EMPTY)[0] == 200
    assert thinking(server)
    connection.close()
    assert soon(lambda: not server.thinkers and not thinking(server))


def test_a_rule_that_fails_is_named(server: BoardServer, model: str) -> None:
    text = f"{model}\nsound = heuristic_connectfour\n\ndef heuristic_connectfour(board, flag):\n"
    text += "    return None if board.count_pieces() else sound(board, flag)\n"
    assert failure(server, text) == "heuristic_connectfour returned None, which is no number"


def test_a_loss_that_is_seen_is_told(server: BoardServer) -> None:
    body = {"game": "very_dumb_nim", "board": "", "moves": ["3", "3", "3", "1"], "player": "alphabeta:9"}
    *told, note, _ = thoughts(server, body)
    assert note["note"] == "depth 3 sees a loss; it plays on by depth 2"
    assert [line["depth"] for line in told if "line" in line] == [1, 2, 3, 2]
    assert told[-1]["line"][0] == thoughts(server, body)[-1]["move"]


# --- the program ---------------------------------------------------------------------------------


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(server: BoardServer) -> Iterator[Start]:
    """Starts the program as a person does, on a machine without a browser, for the same lab.py."""
    keep = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
    processes = []

    def start(**environment: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "grader", "board"], cwd=KIT, env={**keep, "LAB": str(server.lab), **environment},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )  # fmt: skip
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("number", "body", "ended"),
    [
        (signal.SIGINT, "10 ** 10 ** 8  # which no other thread of its process can interrupt", (0, "\n", "")),
        (signal.SIGKILL, "while True: pass", (-9, "", "")),
    ],
)
def test_however_it_ends_nothing_goes_on_thinking(
    server: BoardServer, start: Start, model: str, number: signal.Signals, body: str, ended: tuple[int, str, str]
) -> None:
    server.lab.write_text(with_body(SEARCH, body, model), encoding="utf-8")
    process = start()
    assert process.stdout
    port = int(process.stdout.readline().removeprefix("Play at http://127.0.0.1:").split("/")[0])
    page = http.client.HTTPConnection("127.0.0.1", port)
    page.request("GET", "/")
    token = page.getresponse().read().decode().split('"token":"')[1].split('"')[0]
    think = http.client.HTTPConnection("127.0.0.1", port)
    think.request("POST", "/", json.dumps(THINK), {"X-Token": token})
    answer = think.getresponse()  # the connection closes with it
    assert soon(lambda: thinking(server))
    time.sleep(0.5)
    process.send_signal(number)
    out, err = process.communicate(timeout=LONG)
    assert (process.returncode, out, err) == ended
    assert answer.status == 200
    assert soon(lambda: not thinking(server))


def test_a_port_that_is_taken_is_one_line(server: BoardServer, start: Start) -> None:
    port = str(server.server_address[1])
    out, err = start(PORT=port).communicate(timeout=LONG)
    assert out == "" and err.startswith(f"port {port} cannot be used") and err.count("\n") == 1


@pytest.mark.parametrize("port", ["", "abc", "65536", "-1", "99999999999999999999", "²"])
def test_a_port_that_is_none_is_one_line(start: Start, port: str) -> None:
    process = start(PORT=port)
    out, err = process.communicate(timeout=LONG)
    assert process.returncode == 2 and out == "" and err.startswith("PORT is ") and err.count("\n") == 1
