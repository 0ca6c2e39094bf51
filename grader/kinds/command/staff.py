"""How cases of commands are written.  Never ships."""

from collections.abc import Mapping
from typing import Any, ClassVar

from boards.points import Function
from staff.strict.kind import Ask, Names, Types, Writing
from staff.strict.reading import Block

SHORT_OUTPUT = 30
WAYS = ("make", "program")


class CommandCases(Writing):
    """A `command`, and in which way it is typed, where it is not just run in a process that is there."""

    types: ClassVar[Types] = {"stdout": str, "lines": int, "digest": str}

    def check(self, function: Function, call: Block, names: Names) -> set[str]:
        if call.take("through", str, WAYS[0]) not in WAYS:
            call.fail(f"`through` is {call['through']!r}; it is `make` or `program`, or left out", "through")
        call.take("command", str)
        return {"command", "through"}

    def expectations(self, function: Function) -> tuple[set[str], ...]:
        return ({"stdout"}, {"lines", "digest"})

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        output = ask(function.name, {"command": inputs["command"]})
        if output.status:
            call.fail(f'{call.get("id", function.name)}: make run ARGS="{inputs["command"]}": {output.complaint}')
        if output.lines <= SHORT_OUTPUT:
            return {"stdout": output.text}
        return {"lines": output.lines, "digest": output.digest}


WRITING = CommandCases()
