"""`make trace`: a search played back, the student's and beside it the asked one.

    python grader trace --case alphabeta/equal-bounds --call 2
    python grader trace --board BOARD_UHOH --depth 4 --search minimax_search_alphabeta

Writes build/trace/NAME.html, shows it, and plays in the terminal meanwhile; `--plain 1` does that in words
only.  A board or a tree that is named is searched by the student's functions alone, and nothing is judged.
Exit status 1 where nothing can be played back, 2 for a bad word.
"""

import contextlib
import dataclasses
import re
from pathlib import Path

from boards.cases import CallReader, Case, load_bank
from boards.reading import BOARDS, TREES, read_yaml, write_whole
from grader.diagnosing.diagnosis import ALONE
from grader.grading.judge import judge
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import sentence_for_import
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.kinds.playback import Playback
from grader.kit import KIT
from grader.protocol.answer import Ending, Request
from grader.protocol.plain import Garbled
from grader.protocol.words import harmless
from grader.refusal import Refusal, like
from grader.release import release_here
from grader.sandbox.opening import open_sandbox
from grader.showing.style import indented
from grader.signals import ending_in_order
from grader.tools.named import find_call, options_of
from grader.tools.pages.serving import showing
from grader.tools.pages.writing import page, player
from grader.tools.screen import Screen
from grader.tools.student import CannotPlay
from grader.tools.table import HEURISTIC, RULES, is_in_the_course
from grader.tools.trace.terminal import play

SEARCH, DEPTH = "minimax_search_alphabeta", "3"
MOST_EVENTS, SECONDS, LEAST = 60_000, 30, 5
USAGE = (
    "make trace takes a CASE=, such as alphabeta/equal-bounds, and CALL=2 for its second call; "
    "or a BOARD= with DEPTH= and SEARCH=; and not both"
)
_BESIDE = {"case": {"board", "depth", "search"}, "board": {"call"}}  # what makes no sense there


def main(words: list[str], lab: Path) -> int:
    """Play a search back; the exit status.  Raises Refusal, and OSError for no lab.py."""
    options = options_of(words, ("case", "call", "board", "depth", "search", "plain"), USAGE)
    if not options.keys() & {"case", "board"} or options.keys() & _BESIDE["case" if "case" in options else "board"]:
        raise Refusal(USAGE)
    screen = Screen.of_terminal()
    if "case" in options:
        case, _ = find_call(lab, options["case"], options.get("call", "1"))
        screen.wait(f"{case.function} searches ...")
        at = int(options["call"]) - 1 if "call" in options else _call_to_play(case, lab)
    else:
        case, at = searched(options["board"], options.get("depth", DEPTH), options.get("search", SEARCH)), 0
        screen.wait(f"{case.function} searches ...")
    try:
        playback = played(case, at, lab)
    except CannotPlay as failed:
        screen.say(str(failed))
        return 1
    finally:
        screen.wait("")  # a refusal begins its own line, too
    heading, lines = about(case, at)
    if at and "call" not in options:
        lines.append(f"Call {at + 1} is the first that is not right yet; CALL=1 plays the first one of all.")
    name = re.sub(r"\W+", "-", heading.replace(" of ", "-"))
    file = KIT / "build" / "trace" / f"{name}.html"
    write_whole(file, page("A search played back", player(heading, lines, playback)).encode())
    screen.show([heading, *(part for line in lines for part in indented(line)), ""])
    with showing(file, screen):
        play(playback, screen, in_words="plain" in options)
    return 0


def _call_to_play(case: Case, lab: Path) -> int:
    """Of several calls, the first that is not right, as far as this course tells which; else the first."""
    is_one = len(case.calls) == 1 or not kind_of(case.graded).plays_back(case.calls[0])
    return 0 if is_one or release_here().feedback == "verdict" else _judged(case, lab).call


def _judged(case: Case, lab: Path) -> Verdict:
    """The verdict on a case, in a new process."""
    calls = tuple(call.inputs for call in case.calls)
    with ending_in_order(), contextlib.closing(open_sandbox(lab)) as sandbox:
        return judge(case, sandbox.answer(Request(case.id, case.graded.kind, case.function, calls, case.seconds)))


def about(case: Case, at: int) -> tuple[str, list[str]]:
    """A call of a case in a heading, and in some lines."""
    which = f", call {at + 1} of {len(case.calls)}" if len(case.calls) > 1 else ""
    lines = [case.says, kind_of(case.graded).signature(case.graded, case.calls[at])]
    return f"{case.id}{which}", [line for line in lines if line]


def searched(name: str, depth: str, search: str) -> Case:
    """A case that nobody judges: a search of a board or of a tree by its name.  Raises Refusal."""
    kinds = {function: kind_of(function) for function in load_bank().functions}
    functions = {function.name: function for function, kind in kinds.items() if kind.most_traced and not kind.methods}
    boards, trees = read_yaml(BOARDS), read_yaml(TREES)
    if name not in (*boards, *trees):
        otherwise = "boards/boards.yaml and boards/trees.yaml name them"
        raise Refusal(f"no board or tree is named {harmless(name, 60)!r}{like(name, [*boards, *trees], otherwise)}")
    if name in boards and not is_in_the_course():
        raise Refusal("boards are searched by the rules of part 1, which this course leaves out: name a tree")
    if search not in functions:
        searches = f"choose from {', '.join(functions)}" if functions else "this course leaves the searches out"
        raise Refusal(f"there is no search {harmless(search, 60)!r}{like(search, functions, searches)}")
    if depth not in map(str, range(1, 43)):
        raise Refusal(f"DEPTH is {harmless(depth, 20)!r}; it is a whole number of plies, from 1 to 42")
    function = functions[search]
    state = {"board": name} if name in boards else {"tree": name}
    given = {"depth_limit": int(depth), "heuristic": HEURISTIC if name in boards else "tree_estimate"}
    arguments = {key: value for key, value in given.items() if key in function.arguments}
    call = CallReader().call({"state": state, "arguments": arguments}, {})
    if name in boards:
        call.inputs["state"]["rules"] = RULES
    return Case(name, 0, function, f"Your own {search} on {name}.", (call,), seconds=SECONDS)


def played(case: Case, at: int, lab: Path, most: int = 0, seconds: float = 0) -> Playback:
    """What lab.py does in a call of a case, after those before it, and until it crashes, if it does.  Raises
    CannotPlay with a sentence."""
    seconds = seconds or max(LEAST, case.seconds)
    kind, source = kind_of(case.graded), read_lab(lab)
    if not kind.plays_back(case.calls[at]):
        instead = "; make debug steps into it" if kind.pasted(case.graded, case.calls[at]) else ""
        raise Refusal(f"{case.id} is no search that can be watched{instead}")
    inputs = [call.inputs for call in case.calls[:at]] + [{**case.calls[at].inputs, "traced": most or MOST_EVENTS}]
    # A fork would lose the threads of the import.
    with ending_in_order(), contextlib.closing(open_sandbox(lab, fork=False)) as sandbox:
        loaded = sandbox.load()
        if not loaded.imported:
            raise CannotPlay(sentence_for_import(loaded, what_ails(source)))
        answer = sandbox.answer(Request(case.id, case.graded.kind, case.function, tuple(inputs), seconds))
    rules = case.calls[at].inputs.get("state", {}).get("rules")
    if answer.missing and rules:
        needed = ", ".join([case.function, *rules, HEURISTIC])
        raise CannotPlay(f"A board is searched by {needed}, and one of them is missing in lab.py.")
    if answer.ending is not Ending.ANSWERED or answer.raised or answer.missing:
        failed = judge(dataclasses.replace(case, calls=case.calls[: at + 1], seconds=seconds), answer)
        if not answer.raised or failed.status is not Status.CRASH or "trace" not in answer.outcomes[-1]:
            raise CannotPlay(failed.message)
    with contextlib.suppress(Garbled, LookupError):  # where lab.py has written it itself
        if playback := kind.playback(case, at, kind.read(answer.outcomes[at])):
            if answer.raised:
                mark = None if answer.raised.type == "Enough" else (0, failed.message)
                return dataclasses.replace(playback, mark=mark)
            alone, last = dataclasses.replace(case, calls=case.calls[at : at + 1]), answer.outcomes[at:]
            is_told = at and release_here().feedback != "verdict"
            is_wrong = is_told and not judge(alone, dataclasses.replace(answer, outcomes=last)).passed
            is_right_alone = is_wrong and _judged(alone, lab).passed
            return dataclasses.replace(playback, mark=(0, ALONE)) if is_right_alone else playback
    raise CannotPlay(f"Nothing was seen of {case.function} that can be played back.")
