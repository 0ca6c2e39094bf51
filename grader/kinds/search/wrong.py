"""What is wrong with a path or a score, by the names of the nodes, each time a fact of the tree that was searched."""

from typing import Any

from grader.kinds.search.answer import Path, Place, Result
from grader.kinds.search.nodes import Nodes
from grader.protocol.words import ordinal, show

NO_FLAG = "with a flag; here it is scored without one."
OTHER_FLAG = "with the flag of the other player: who is to move there?"
IS_EMPTIED = "Is that list changed once the path is in it?"


def is_path(path: Path, expect: dict[str, Any]) -> bool:
    """Whether this is the wanted path."""
    return not path.problem and list(path.indices) == expect["path"]


def rows_of(expect: dict[str, Any], result: Result, nodes: Nodes) -> tuple[tuple[str, str, str], ...]:
    """What was wanted beside what came back."""
    path = result.path
    wanted_path = nodes.path(tuple(expect["path"])) if "path" in expect else "not judged"
    other = {"none": "None", "type": show({"$other": path.type})}.get(path.problem, "no states")
    yours = nodes.strange_path(path) or other if path.problem else nodes.path(path.indices)
    return (
        ("path", wanted_path, yours),
        ("score", show(expect["score"]) if "score" in expect else side(expect), show(result.score)),
        ("evaluations", show(expect["evaluations"]), show(result.evaluations)),
    )


def side(expect: dict[str, Any]) -> str:
    """On which side of a window the score should be."""
    return f"at most {expect['at_most']}" if "at_most" in expect else f"at least {expect['at_least']}"


def what_is_wrong(expect: dict[str, Any], result: Result, nodes: Nodes) -> str:
    """What to say of a wrong path or score."""
    path, score = result.path, result.score
    if path.problem:
        asks = f" {IS_EMPTIED}" if path.problem == "empty" and score == expect["score"] else ""
        return f"{_path_problem(path, nodes)}{asks}"
    end, wanted = path.indices, tuple(expect["path"])
    lead = "The path is right, but the score is not" if end == wanted else "Path and score are both wrong"
    try:
        if score == expect["score"]:
            return f"The score is right, but {_wrong_path(end, wanted, score, nodes)}"
        return f"{lead}: {_wrong_score(end, score, nodes)}"
    except IndexError:  # no child of ours sends such a path, and no case of ours wants one
        return f"{lead}."


def _path_problem(path: Path, nodes: Nodes) -> str:
    """What is wrong with the form of a path that is no way down the tree."""
    nth, thing = ordinal(path.step + 1), show({"$other": path.type})
    known = path.places[path.step] if path.step < len(path.places) else None
    name = "" if known is None else nodes.name(known)
    before = path.places[path.step - 1] if 0 < path.step <= len(path.places) else None
    parent = "the one before it" if before is None else nodes.name(before)
    return {
        "none": "The path is None; it should be a list of states that begins with the given one.",
        "type": f"The path is {thing}; it should be a list of states.",
        "empty": "The path is empty; it must begin with the given state, even where nothing follows.",
        "another root": f"The path begins with {name or 'another state'}, not with the given state.",
        "not a state": f"The {nth} thing in the path is {thing}, not a state.",
        "not a child": f"The {nth} state in the path{f', {name},' if name else ''} is no child of {parent}.",
    }[path.problem]


def _wrong_path(end: Place, wanted: Place, score: Any, nodes: Nodes) -> str:
    """The end of a sentence on a wrong path beside a right score."""
    if end == wanted[: len(end)]:
        asks = "" if end or nodes.evaluation((), nodes.maximizes(())) == score else f" {IS_EMPTIED}"
        return f"the path stops short of the state with this score.{asks}"
    worth = nodes.worth(end)
    if worth is None or nodes.worth(wanted) not in (None, score):
        return "the path leads elsewhere."
    if worth != score:
        return f"the path leads elsewhere: {nodes.name(end)} is worth {show(worth)}."
    leads = f"the path leads to {nodes.name(end)}, which"
    if nodes.plays and end[:-1] != wanted[:-1]:
        return f"{leads} has this score too."
    return f"{leads} is worth as much; of equally good branches the earlier one wins."


def _wrong_score(end: Place, score: Any, nodes: Nodes) -> str:
    """What a wrong score has to do with the last state of its path."""
    name, worth = nodes.name(end), nodes.worth(end)
    if worth is None:
        return f"the path ends at {name}, where nothing is to be scored."
    if score == worth:
        return f"the score is that of the path's last state, {name}, and another one should be chosen."
    if score == nodes.worth(end, other_flag=True):
        said = f"{'with the other sign, or ' if score == -worth else ''}{OTHER_FLAG}"
        return f"the score is what {name} is worth {said if nodes.plays else NO_FLAG}"
    if score == -worth:
        return f"the score is that of {name} with the other sign; a score is in the maximizer's view."
    return f"{name} is worth {show(worth)}."
