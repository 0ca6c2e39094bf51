"""How cases of commands are written.  Never ships."""

from collections.abc import Mapping
from typing import Any

from grader.bank.points import Function
from staff.strict.kind import Ask, Writing
from staff.strict.reading import Block

SHORT_OUTPUT = 30


class CommandCases(Writing):
    """A `command`, and in which way it is typed, where it is not just run in a process
    that is there.
    """

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        output = ask(function.name, {"command": inputs["command"]})
        if output.status:
            call.fail(
                f'{call.get("id", function.name)}: make run ARGS="{inputs["command"]}": {output.complaint}'
            )
        if output.lines <= SHORT_OUTPUT:
            return {"stdout": output.text}
        return {"lines": output.lines, "digest": output.digest}


WRITING = CommandCases()
