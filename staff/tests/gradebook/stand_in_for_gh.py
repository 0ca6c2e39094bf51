"""A stand-in for GitHub's command line: answers `gh api --include` out of world.json
beside it, as the service does.

organization   its name
repositories   by name: `branch`; `pushes`, the newest first, as [time, commit, perhaps another type than push];
               `files`, the text of lab.py by commit; `fails`, the status of all answers about it; `raw`, what is
               printed in the place of an answer; `hangs`: no answer comes, and the file `hanging` names the process
page           how many entries of a list come at once
answers        how many requests are answered until there were too many; `limit` has the headers that say so,
               and `limited` the status, if it is not 403
signed_out     whether nobody is signed in; `status`, that of all answers; `says`, what gh says where it has no answer

It writes each address that it is asked for into asked.txt.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

HERE = Path(__file__).parent
WORLD: dict[str, Any] = json.loads((HERE / "world.json").read_text("utf-8"))
WORDS = {
    200: "OK",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    429: "Too Many Requests",
    500: "Internal Server Error",
}


def main(words: list[str]) -> int:
    if WORLD.get("signed_out"):
        print(
            "To get started with GitHub CLI, please run:  gh auth login",
            file=sys.stderr,
        )
        return 4
    if "says" in WORLD:
        print(WORLD["says"], file=sys.stderr)
        return 1
    assert words[:2] == ["api", "--include"], words
    with (HERE / "asked.txt").open("a+", encoding="utf-8") as asked:
        print(words[-1], file=asked)
        asked.seek(0)
        number = len(asked.readlines())
    if number > WORLD.get("answers", number):
        return answer(WORLD.get("limited", 403), [], WORLD["limit"])
    if "status" in WORLD:
        return answer(WORLD["status"], [])
    return about(words[-1].removeprefix("https://api.github.com/"))


def about(address: str) -> int:
    """Answer what is asked for under an address."""
    url = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    match [unquote(part) for part in url.path.split("/")]:
        case ["orgs", organization, "repos"] if organization == WORLD["organization"]:
            entries = [
                {"name": name, "default_branch": each["branch"]}
                for name, each in WORLD["repositories"].items()
            ]
            return page_of(entries, url.path, query)
        case ["repos", organization, name, *rest] if (
            organization == WORLD["organization"]
        ):
            return about_repository(WORLD["repositories"][name], rest, url.path, query)
    return answer(404, {"message": "Not Found"})


def about_repository(
    repository: dict[str, Any], rest: list[str], path: str, query: dict[str, str]
) -> int:
    """Answer what is asked for of one repository."""
    if "hangs" in repository:
        (HERE / "hanging.new").write_text(str(os.getpid()), "utf-8")
        (HERE / "hanging.new").replace(HERE / "hanging")
        time.sleep(999)
    if "raw" in repository:
        print(repository["raw"])
        return 0
    if "fails" in repository:
        return answer(repository["fails"], {"message": "it fails"})
    if rest == ["activity"]:
        is_asked_for = query["ref"] == f"refs/heads/{repository['branch']}"
        pushes = repository["pushes"] if is_asked_for else []
        entries = []
        for moment, commit, *kind in pushes:
            entries.append(
                {
                    "timestamp": moment,
                    "after": commit,
                    "activity_type": kind[0] if kind else "push",
                }
            )
        return page_of(entries, path, query)
    if rest == ["contents", "lab.py"] and query["ref"] in repository.get("files", {}):
        return answer(200, repository["files"][query["ref"]])
    return answer(404, {"message": "Not Found"})


def page_of(entries: list[Any], path: str, query: dict[str, str]) -> int:
    """Answer with a page of a list, and with the address of the next page."""
    size, number = WORLD.get("page", 100), int(query.pop("page", "1"))
    headers = {}
    if number * size < len(entries):
        more = "&".join(f"{name}={value}" for name, value in query.items())
        headers["Link"] = (
            f'<https://api.github.com/{path}?{more}&page={number + 1}>; rel="next", <https://x>; rel="last"'
        )
    return answer(200, entries[(number - 1) * size : number * size], headers)


def answer(status: int, body: Any, headers: dict[str, str] | None = None) -> int:
    """Print an answer as gh does: the status, the headers, an empty line, and the
    body.
    """
    print(f"HTTP/2.0 {status} {WORDS[status]}")
    for name, value in (headers or {}).items():
        print(f"{name}: {value}", end="\r\n")
    print(end="\r\n")
    print(body if isinstance(body, str) else json.dumps(body), end="")
    if status == 200:
        return 0
    print(f"gh: {WORDS[status]} (HTTP {status})", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
