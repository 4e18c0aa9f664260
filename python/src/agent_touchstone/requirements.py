"""One pytest item per requirement, with the verdicts of one run of `touchstone test`."""

import json
import re
import subprocess
import warnings
from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

import pytest

from . import RequirementWarning
from .command import arguments


class Requirements(pytest.Collector):
    """The requirements that can be tested on the server."""

    def collect(self) -> "Iterable[Requirement]":
        code, output, errors = _run(*_target(self.config), "--list")
        if code != 0:
            raise self.CollectError(errors)
        *lines, _count = output.splitlines()
        self._items = []
        for heading, statement in zip(lines[::2], lines[1::2], strict=True):
            level, id = heading.split()
            # The verdict of unspecified behavior is always "observed".
            if level != "UNSPECIFIED" or self.config.option.touchstone_level:
                self._items.append(Requirement.from_parent(self, name=id, statement=statement.strip()))
        return self._items

    @cached_property
    def report(self) -> "Report":
        """The verdicts of one run that tests the selected requirements. The first test starts it."""
        selected = {item.name for item in self.session.items if item in self._items}
        ids = [] if len(selected) == len(self._items) else [word for id in selected for word in ("--id", id)]
        with TemporaryDirectory() as temporary:
            folder = Path(self.config.option.touchstone_report or temporary)
            (folder / "report.json").unlink(missing_ok=True)
            _code, output, errors = _run(*_target(self.config), *ids, "--report", str(folder))
            if not (folder / "report.json").exists():
                # Without this, every requirement would show the same error.
                pytest.exit(f"touchstone test: {(errors or output).strip()}", returncode=2)
            return Report(folder, selected)

    def teardown(self) -> None:
        # The run has not started if no test has.
        if "report" in self.__dict__ and self.report.problems:
            pytest.fail("\n".join(self.report.problems), pytrace=False)


class Requirement(pytest.Item):
    """A requirement, whose test reports its verdict."""

    def __init__(self, *, statement: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._statement = statement
        self.add_marker("touchstone")

    def reportinfo(self) -> tuple[str, None, str]:
        return "touchstone", None, f"{self.name}: {self._statement}"

    def runtest(self) -> None:
        assert isinstance(self.parent, Requirements)
        self.parent.report.evaluate(self.name)


class Report:
    """The report of a run."""

    def __init__(self, folder: Path, selected: Collection[str]) -> None:
        report = json.loads((folder / "report.json").read_text("utf-8"))
        self.problems: list[str] = report["problems"]
        self._selected = selected
        self._stale = {entry["id"]: entry["reason"] for entry in report["staleBaseline"]}
        self._results = {result["id"]: result for result in report["requirements"]}
        # The evidence as text. Cases of `run.baseline` have the names of requirements, too.
        cases = ElementTree.parse(folder / "junit.xml").iter("testcase")
        self._texts = {case.get("name", ""): _text(case) for case in cases if case.get("classname") != "run.baseline"}

    def evaluate(self, id: str) -> None:
        """Pass, or end the current test with the verdict of a requirement."""
        if id not in self._results:
            pytest.fail(f"no check decided {id}", pytrace=False)
        if id in self._stale:
            pytest.fail(f"stale baseline entry: {self._stale[id]}", pytrace=False)
        result = self._results[id]
        verdict = result["verdict"]
        if verdict == "expected-fail":
            pytest.xfail(result.get("reason", verdict))
        if verdict == "error" or _is_failed_must(result):
            pytest.fail(self._texts[id], pytrace=False)
        if verdict in ("fail", "flaky", "warning"):
            # In one line: the report has the evidence.
            [cause, *_] = re.findall("^cause: (.*)", self._texts[id], re.MULTILINE) or [verdict]
            warnings.warn(RequirementWarning(f"{id}: {cause}"), stacklevel=1)
        elif verdict not in ("pass", "observed"):
            self._fail_for_blocker(result)
            pytest.skip(self._texts[id])

    def _fail_for_blocker(self, result: dict[str, Any]) -> None:
        """Fail if no other test fails for the requirement that blocks this one."""
        for outcome in result["outcomes"]:
            blocker = outcome.get("blockedBy")
            if blocker in self._results.keys() - set(self._selected) and _is_failed_must(self._results[blocker]):
                pytest.fail(f"blocked by {blocker}: {self._texts[blocker]}", pytrace=False)


def _is_failed_must(result: dict[str, Any]) -> bool:
    return result["level"] == "MUST" and result["verdict"] in ("fail", "flaky")


def _text(case: ElementTree.Element) -> str:
    """Why a requirement failed, with the evidence, or why it was skipped."""
    return "\n\n".join(text for element in case for text in (element.get("message"), element.text) if text)


def _target(config: pytest.Config) -> list[str]:
    """The command `touchstone test` with the options of pytest."""
    option = config.option
    given = [("--deployment-url", option.touchstone_url), ("--config", option.touchstone_config)]
    given += [("--area", name) for name in option.touchstone_area or []]
    given += [("--level", level) for level in option.touchstone_level or []]
    return ["test", *(word for name, value in given if value is not None for word in (name, value))]


def _run(*args: str) -> tuple[int, str, str]:
    """Run `touchstone`; return its exit code, output and errors."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        arguments(*args), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, encoding="utf-8"
    ) as process:
        try:
            output, errors = process.communicate()
        except BaseException:
            # After Ctrl-C, it removes from the server what it has created.
            process.terminate()
            process.wait()
            raise
        return process.returncode, output, errors
