"""A runner of GitHub Actions, as far as the workflow of the kit needs one."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from staff.release.tree import WORKFLOW
from staff.tests.support.releases import SAFE

JOB = "run-autograding-tests"
STEPS = ("fetch", "install", "grade", "see")
SECONDS = 300  # that a step may take
OUTPUT = re.compile(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}")
PYTHON = '#!/bin/sh\n{skips}exec "{python}" "$@"\n'
# The libraries are there already, and pip is not asked to find that out again and again.
SKIP_PIP = 'case "$*" in *"-m pip install"*) exit 0;; esac\n'


@dataclass
class Run:
    """What a run of the job left behind."""

    kit: Path  # which graded
    statuses: list[int] = field(default_factory=list)  # of each step
    logs: list[str] = field(default_factory=list)  # of each step
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""

    @property
    def log(self) -> str:
        """The log of the grading step."""
        return self.logs[STEPS.index("grade")]


class Runner:
    """Takes the steps of the job in a checkout, each in `bash -e`."""

    def __init__(self, workspace: Path, temp: Path, installs: bool) -> None:
        self.workspace = workspace
        self.temp = temp
        self.commands = temp / "bin"
        self.output = temp / "GITHUB_OUTPUT"
        self.summary = temp / "GITHUB_STEP_SUMMARY"
        self.outputs: dict[tuple[str, str], str] = {}  # by the ids of steps, and names
        self.commands.mkdir(parents=True)
        self.summary.touch()
        python = self.commands / "python"
        skips = "" if installs else SKIP_PIP
        python.write_text(PYTHON.format(skips=skips, python=sys.executable))
        python.chmod(0o755)

    def run(self) -> Run:
        """Take the steps up to the first that fails."""
        text = (self.workspace / WORKFLOW).read_text(encoding="utf-8")
        job = yaml.safe_load(text)["jobs"][JOB]
        run = Run(kit=self.temp / "kit")
        for step in job["steps"]:
            if "run" not in step:
                continue
            done = self._take(step["run"], {**job["env"], **step.get("env", {})})
            run.statuses.append(done.returncode)
            run.logs.append(done.stdout)
            run.outputs |= self._outputs_of(step.get("id", ""))
            if done.returncode:
                break
        run.summary = self.summary.read_text(encoding="utf-8")
        return run

    def _take(
        self, script: str, variables: dict[str, Any]
    ) -> "subprocess.CompletedProcess[str]":
        """Run the script of a step with these variables of its own."""
        self.output.write_text("")
        file = self.temp / "step.sh"
        file.write_text(script)
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", file],
            cwd=self.workspace,
            env=self._environment(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
        )

    def _environment(self, variables: dict[str, Any]) -> dict[str, str]:
        """The variables that a step sees."""
        of_step = {
            name: OUTPUT.sub(
                lambda match: self.outputs.get((match[1], match[2]), ""), str(text)
            )
            for name, text in variables.items()
        }
        return {
            **SAFE,
            "PATH": f"{self.commands}{os.pathsep}{SAFE['PATH']}",
            "PIP_NO_INDEX": "1",
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            **of_step,
        }

    def _outputs_of(self, step: str) -> dict[str, str]:
        """What the last step has put out; later steps know it by the id of the step."""
        lines = self.output.read_text(encoding="utf-8").splitlines()
        outputs = {}
        for line in lines:
            name, _, value = line.partition("=")
            outputs[name] = self.outputs[step, name] = value
        return outputs


def run_job(workspace: Path, temp: Path, installs: bool = False) -> Run:
    """Take the steps of the job in a checkout."""
    return Runner(workspace, temp, installs).run()
