"""A headless Chromium for the tests, driven through chromedriver by the W3C WebDriver
protocol.
"""

import base64
import contextlib
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from staff.tests.support.waiting import LONG

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
CHROMEDRIVER = shutil.which("chromedriver")
KEYS = {
    "Enter": "\ue007",
    "Left": "\ue012",
    "Up": "\ue013",
    "Right": "\ue014",
    "Down": "\ue015",
    "Tab": "\ue004",
    "Home": "\ue011",
}


class Browser:
    """One window.  A context manager; elements are named by CSS selectors."""

    def __init__(self, width: int = 1200, height: int = 900) -> None:
        self._driver = subprocess.Popen(
            [str(CHROMEDRIVER), "--port=0"], stdout=subprocess.PIPE, text=True
        )
        assert self._driver.stdout
        ports = (
            re.search(r"started successfully on port (\d+)", line)
            for line in self._driver.stdout
        )
        self._base = f"http://127.0.0.1:{next(filter(None, ports))[1]}"
        self.wait(lambda: self._ask("GET", "/status")["ready"])
        options = {
            "binary": CHROMIUM,
            "args": [
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                f"--window-size={width},{height}",
            ],
        }
        wanted = {
            "alwaysMatch": {
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL"},
            }
        }
        self._base += f"/session/{self._ask('POST', '/session', capabilities=wanted)['sessionId']}"

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(OSError):
            self._ask("DELETE", "")
        self._driver.terminate()
        self._driver.wait()

    def open(self, url: str) -> None:
        """Load a page, and wait until it was painted: Chromium drops what is typed or
        clicked before that.
        """
        self._ask("POST", "/url", url=url)
        self.wait(
            lambda: self.run("return performance.getEntriesByType('paint').length")
        )

    def run(self, script: str, *arguments: Any) -> Any:
        """What a JavaScript function body returns."""
        return self._ask("POST", "/execute/sync", script=script, args=list(arguments))

    def text(self, selector: str) -> str:
        """What a person sees of an element; empty where it is hidden."""
        return str(self._ask("GET", f"/element/{self._find(selector)}/text"))

    def click(self, selector: str) -> None:
        """Click with the mouse, in the middle of an element."""
        self._ask("POST", f"/element/{self._find(selector)}/click")

    def write(self, selector: str, text: str) -> None:
        """Type a text into a field, after what is there."""
        self._ask("POST", f"/element/{self._find(selector)}/value", text=text)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, on whatever has the focus."""
        actions = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self._ask(
            "POST",
            "/actions",
            actions=[{"type": "key", "id": "keyboard", "actions": actions}],
        )

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return int(
            self.run("return document.querySelectorAll(arguments[0]).length", selector)
        )

    def emulate(self, command: str, **parameters: Any) -> Any:
        """A command of the Chrome DevTools protocol."""
        return self._ask("POST", "/goog/cdp/execute", cmd=command, params=parameters)

    def told(self, asked: set[tuple[str, str]]) -> list[tuple[str, str]]:
        """The role and name ("" for none) of all that a screen reader is told, once
        what is asked is among it.

        Chromium builds that tree when it is first wanted: the first answer may be the
        bare root of the page.  AssertionError where it never comes, with what is
        missing.
        """
        told: list[tuple[str, str]] = []

        def complete() -> bool:
            nodes = self.emulate("Accessibility.getFullAXTree")["nodes"]
            seen = [node for node in nodes if not node["ignored"]]
            told[:] = [
                (node["role"]["value"], node.get("name", {}).get("value", ""))
                for node in seen
            ]
            return asked <= set(told)

        with contextlib.suppress(AssertionError):
            self.wait(complete)
        assert asked <= set(told), (
            f"a screen reader is not told of {sorted(asked - set(told))}"
        )
        return told

    def complaints(self) -> list[str]:
        """What the page has put into the console since it was last asked."""
        return [
            entry["message"] for entry in self._ask("POST", "/se/log", type="browser")
        ]

    def screenshot(self, file: Path) -> None:
        """Write a PNG of the window."""
        file.write_bytes(base64.b64decode(self._ask("GET", "/screenshot")))

    def wait(self, happens: Callable[[], Any]) -> Any:
        """What `happens` returns, as soon as that is true.  AssertionError where it
        never is.
        """
        deadline = time.monotonic() + LONG
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                if value := happens():
                    return value
            time.sleep(0.05)
        raise AssertionError("it did not happen in time")

    def _find(self, selector: str) -> str:
        found = self._ask("POST", "/element", using="css selector", value=selector)
        return str(next(iter(found.values())))

    def _ask(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(
            self._base + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=LONG) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None
