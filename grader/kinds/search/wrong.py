"""What is wrong with a path or a score, by the names of the nodes, each time a fact of the tree that was searched."""

from typing import Any

from grader.kinds.search.answer import Path, Result
from grader.kinds.search.nodes import Nodes
from grader.protocol.words import ordinal, show


def rows_of(expect: dict[str, Any], result: Result, nodes: Nodes) -> tuple[tuple[str, str, str], ...]:
    """What is expected beside what came back."""
    path = result.path
    expected = nodes.path(tuple(expect["path"])) if "path" in expect else "not judged"
    other = {"none": "None", "type": show({"$other": path.type})}.get(path.problem, "no states")
    yours = nodes.strange_path(path) or other if path.problem else nodes.path(path.indices)
    return (
        ("path", expected, yours),
        ("score", show(expect["score"]) if "score" in expect else side(expect), show(result.score)),
        ("evaluations", show(expect["evaluations"]), show(result.evaluations)),
    )


def side(expect: dict[str, Any]) -> str:
    """On which side of a window the score should be."""
    return f"at most {expect['at_most']}" if "at_most" in expect else f"at least {expect['at_least']}"


def what_is_wrong(expect: dict[str, Any], result: Result, nodes: Nodes) -> str:
    """What to say of a wrong path or score."""
    end = result.path.indices
    if result.path.problem:
        return _path_problem(result.path, nodes)
    right, wrong = ("path", "score") if list(end) == expect["path"] else ("score", "path")
    lead = f"The {right} is right, but the {wrong} is not"
    if wrong == "path" and result.score != expect["score"]:
        lead = "Path and score are both wrong"
    try:
        worth, name = nodes.worth(end), nodes.name(end)
    except LookupError:  # no child of ours sends such a path
        return f"{lead}."
    if worth is None:
        return f"{lead}: the path ends at {name}, where nothing is to be scored."
    return f"{lead}: {name} is worth {show(worth)}."


def _path_problem(path: Path, nodes: Nodes) -> str:
    """What is wrong with the form of a path that is no way down the tree."""
    nth, thing = ordinal(path.step + 1), show({"$other": path.type})
    names = ["" if place is None else nodes.name(place) for place in path.places[: path.step + 1]]
    name = names[path.step] if path.step < len(names) else ""
    parent = (names[path.step - 1] if 0 < path.step <= len(names) else "") or "the one before it"
    return {
        "none": "The path is None; it should be a list of states that begins with the given one.",
        "type": f"The path is {thing}; it should be a list of states.",
        "empty": "The path is empty; it must begin with the given state, even where nothing follows.",
        "another root": f"The path begins with {name or 'another state'}, not with the given state.",
        "not a state": f"The {nth} thing in the path is {thing}, not a state.",
        "not a child": f"The {nth} state in the path{f', {name},' if name else ''} is no child of {parent}.",
    }[path.problem]
