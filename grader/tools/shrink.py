"""`make shrink`: the smallest tree on which the student's searches contradict what must hold.

    python grader shrink
    python grader shrink 60

Exit status 1 where there is one, or where lab.py cannot be imported; 0 where none was found, 2 for a bad word.
"""

import contextlib
import os
import re
import textwrap
import threading
import time
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from api import AnytimeValue, draw_tree, tree_state
from grader.calls.encode import encode
from grader.grading.source import read_lab
from grader.protocol.plain import is_number
from grader.protocol.words import harmless, returned, show
from grader.refusal import Refusal
from grader.showing.style import within
from grader.tools.laws import DEEPENING, FORM, SEARCHES, Call, Contradiction, Found, check
from grader.tools.screen import WIDTH, Screen
from grader.tools.small_trees import MOST_LEAVES, small_trees
from grader.tools.student import Lab, LabFailed, NotWritten

SECONDS = 10
PATIENCE = 5  # seconds of computing for a call, which needs less than a thousandth of one
ENDLESS = "A search of so small a tree ends at once: what makes your loop or your recursion stop?"
ORDER = "A search depends on its arguments alone, and not on what was called before it: this call was the first of \
all, then it came after others."
NEXT = Path(__file__).with_suffix(".txt")  # what to paste


def main(words: list[str], lab: Path) -> int:
    """Look for a contradiction; the exit status.  Raises Refusal and OSError."""
    if len(words) > 1 or not all(re.fullmatch("[1-9][0-9]{0,4}", word) for word in words):
        given = harmless(" ".join(words), 30)
        raise Refusal(f"make shrink takes the seconds that it may compute, 1 to 99999 such as ARGS=60, and not {given}")
    read_lab(lab)
    hunt = Hunt(lab, Screen.of_terminal())
    hunt.screen.wait("searches for the smallest tree ...")
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        try:
            broken = hunt.run(int(*words or (SECONDS,)))
        except LabFailed as failed:
            hunt.screen.say(str(failed))
            return 1
    hunt.tell(broken)
    return 1 if broken else 0


class Hunt:
    """Searches trees with a lab.py, the small ones first.

    `root` is the present tree, `state` the one state of it that every call is given, `found` the results of all calls;
    `left_out` says which functions are not tried, and why.
    """

    def __init__(self, lab: Path, screen: Screen) -> None:
        self.lab, self.screen = Lab(lab), screen
        self.root = next(small_trees(1))
        self.found: dict[Call, list[Found]] = {}
        self.left_out: dict[str, str] = {}
        self.trees = 0
        self._begun: tuple[Call, float] | None = None

    def run(self, seconds: float) -> Contradiction | None:
        """The first contradiction, on the smallest tree with one, in so many seconds of computing."""
        threading.Thread(target=self._watch, daemon=True).start()
        end = time.process_time() + seconds
        for self.root in chain.from_iterable(map(small_trees, range(1, MOST_LEAVES + 1))):
            self.found, self.state = {}, tree_state(self.root)
            try:
                check(self.root, self.ask)
            except Contradiction as broken:
                return self._of_order(broken) or broken
            self.trees += bool(self.found)
            if len(self.left_out) == len(SEARCHES) or time.process_time() > end:
                break
        return None

    def ask(self, call: Call) -> list[Found]:
        """All results of a call on the present tree; none where its function is not written.  Raises Contradiction."""
        if call not in self.found and call.function not in self.left_out:
            try:
                self.found[call] = self._results(call, self.lab.get(call.function))
            except NotWritten as missing:
                self.left_out[call.function] = str(missing)
            if any(found.odd for found in self.found.get(call, [])):
                raise Contradiction(FORM, call)
        return self.found.get(call, [])

    def _results(self, call: Call, search: Any) -> list[Found]:
        self._begun = call, time.process_time()
        try:
            with self.lab.running(call.function):
                result = search(self.state, **dict(call.arguments))
                is_history = call.function == DEEPENING and isinstance(result, AnytimeValue)
                read = [self._read(call, entry) for entry in (result.history if is_history else [result])]
        except NotWritten:
            raise
        except LabFailed as failed:
            read = [Found(call, odd=str(failed))]
        self._begun = None
        return read or [Found(call, odd="an empty history")]

    def _read(self, call: Call, result: Any) -> Found:
        """A result of a call, with the nodes of its path; odd where it is none."""
        if not isinstance(result, (list, tuple)) or len(result) != 3:
            return Found(call, odd=f"it {returned(encode(result))}")
        path, score, evaluations = result
        states = path if isinstance(path, (list, tuple)) else ()
        nodes: list[Any] = [getattr(state, "snapshot", None) for state in states]
        is_way = nodes[:1] == [self.root] and all(after in before.children for before, after in pairwise(nodes))
        if is_way and is_number(score) and is_number(evaluations):
            return Found(call, tuple(nodes), score, evaluations)
        names = harmless(", ".join(map(self._name, nodes)), 60) or show(encode(path))
        return Found(call, odd=f"path {names}; score {show(encode(score))}; evaluations {show(encode(evaluations))}")

    def _name(self, node: Any) -> str:
        """A node by its name, and by that of its parent where others are called so too."""
        nodes, name = [self.root], str(getattr(node, "name", "?"))
        for each in nodes:  # which grows
            nodes += each.children
        above = [each.name for each in nodes if any(child is node for child in each.children)]
        return f"{name} below {above[0]}" if above and [each.name for each in nodes].count(name) > 1 else name

    def _of_order(self, broken: Contradiction) -> Contradiction | None:
        """The contradiction between a call that is the first of all and the same one later, where there is one."""
        for call in broken.calls:
            first = Hunt(Path(self.lab.file), self.screen)
            first.root, first.state = self.root, tree_state(self.root)
            with contextlib.suppress(Contradiction):
                first.ask(call)
            if (alone := first.found.get(call, [])) != self.found[call]:
                self.found[call] = [*alone, *self.found[call]]
                return Contradiction(ORDER, call)
        return None

    def _watch(self) -> None:
        """End the process where a call does not end."""
        while True:
            time.sleep(PATIENCE / 10)
            call, began = self._begun or (None, 0)
            if call and time.process_time() > began + PATIENCE:
                self.found[call] = [Found(call, odd=f"no answer within {PATIENCE} seconds")]
                self.tell(Contradiction(ENDLESS, call))
                os._exit(1)

    def tell(self, broken: Contradiction | None) -> None:
        """Draw the tree, and say what contradicts what, why that cannot be, and what to type next."""
        trees = "1 tree" if self.trees == 1 else f"{self.trees:,} trees"
        said = f"{trees} without a contradiction{', and this one with one:' if broken else '.'}"
        self.screen.say(said if broken or self.trees else "There is nothing to compare yet.")
        if broken:
            picture = draw_tree(self.root, dict(broken.calls[-1].arguments).get("maximize")).splitlines()
            results = [(str(call), *(f"    {found}" for found in self.found[call])) for call in broken.calls]
            shown = ["", *picture, "", *chain.from_iterable(results), ""]
            self.screen.show([part.rstrip() for line in shown for part in within(f"    {line}", WIDTH)])
            self.screen.say(f"{broken}{' Here the flag False turns a score.' if self.root.negates else ''}")
            self.screen.show([self._next(broken.calls[-1])])
        for missing in self.left_out.values():
            self.screen.say(f"Left out: {missing}.")

    def _next(self, call: Call) -> str:
        """What to paste to try a call on the present tree, and what makes a case of it."""
        words = {name.removesuffix("_fn"): getattr(value, "__name__", value) for name, value in call.arguments}
        given = ", ".join(f"{name}: {word}" for name, word in words.items())
        return NEXT.read_text(encoding="utf-8").format(
            tree=textwrap.indent(self.root.drawing, " " * 4),
            deeper=textwrap.indent(self.root.drawing, " " * 6),
            negates=self.root.negates,
            function=call.function,
            call="\n".join(within(f"    print({call}{'.history' if call.function == DEEPENING else ''})", WIDTH)),
            arguments=f"  arguments: {{{given}}}\n" if given else "",
        )
