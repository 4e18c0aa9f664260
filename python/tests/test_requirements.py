import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from agent_touchstone import AgentMock

Mutant = Callable[[str], str]
WRONG_ASSISTANT = "field.run.fields.assistant_id.executes"


def test_a_conforming_server(pytester: pytest.Pytester, agent_mock: AgentMock) -> None:
    pytester.makepyfile("def test_own(): pass")
    result = pytester.runpytest_subprocess("--touchstone-url", agent_mock.url, "-v")
    outcomes = result.parseoutcomes()
    assert result.ret == 0
    assert outcomes.keys() == {"passed"} and outcomes["passed"] > 400
    result.stdout.fnmatch_lines(["test_a_conforming_server.py::test_own PASSED*", "touchstone::thread.* PASSED*"])


def test_selection_tests_nothing_else(pytester: pytest.Pytester, agent_mock: AgentMock) -> None:
    target = ["--touchstone-url", agent_mock.url]
    pytester.makepyfile("def test_own(): pass")
    result = pytester.runpytest_subprocess(*target, "-k", "thread.fields.metadata", "--touchstone-report", "reports")
    tested = json.loads((pytester.path / "reports/report.json").read_text())["requirements"]
    assert result.parseoutcomes()["passed"] == len(tested) > 0
    assert all(each["id"].startswith("thread.fields.metadata") for each in tested)

    levels = ["--touchstone-area", "deployment", "--touchstone-level", "UNSPECIFIED", "--co", "-q", "-m", "touchstone"]
    result = pytester.runpytest_subprocess(*target, *levels)
    result.stdout.fnmatch_lines(["touchstone::errors.query.unknown"])


def test_a_failure_has_its_evidence(pytester: pytest.Pytester, start_mutant: Mutant) -> None:
    options = ["-k", "assistant_id.executes or assistant.name.run-carries-uuid", "-rs"]
    result = pytester.runpytest_subprocess("--touchstone-url", start_mutant(WRONG_ASSISTANT), *options)
    assert (result.ret, result.parseoutcomes()["failed"]) == (1, 1)
    result.stdout.fnmatch_lines(
        [
            "_* run.fields.assistant_id.executes: `assistant_id` of a run is the id *_",
            "expected that `assistant_id` of a run is the id *, received *",
            "deciding exchange:",
            "POST http://127.0.0.1:*/runs",
            "→ 200 after * ms",
            "curl: curl -sS -i -X POST 'http://127.0.0.1:*/runs' *",
            "SKIPPED * blocked: blocked by run.fields.assistant_id.executes",
        ]
    )


def test_a_blocked_requirement_fails_if_no_other_test_does(pytester: pytest.Pytester, start_mutant: Mutant) -> None:
    result = pytester.runpytest_subprocess(
        "--touchstone-url", start_mutant(WRONG_ASSISTANT), "-k", "assistant.name.run-carries-uuid"
    )
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["blocked by run.fields.assistant_id.executes: expected *", "curl: curl *"])


def test_known_failures(pytester: pytest.Pytester, start_mutant: Mutant) -> None:
    known = {
        "run.fields.assistant_id.executes": {"reason": "TICKET-7"},
        "run.create.answers-run": {"reason": "TICKET-8"},
    }
    target = {"endpoints": {"open": {"url": start_mutant(WRONG_ASSISTANT)}}, "baseline": "known.json"}
    (pytester.path / "known.json").write_text(json.dumps(known))
    (pytester.path / "touchstone.config.json").write_text(json.dumps(target))
    options = ["--touchstone-config", "touchstone.config.json", "-k", "run.create.answers-run or assistant_id.executes"]
    result = pytester.runpytest_subprocess(*options, "-rx")
    result.assert_outcomes(failed=1, xfailed=1, deselected=result.parseoutcomes()["deselected"])
    result.stdout.fnmatch_lines(["stale baseline entry: *", "XFAIL *executes - TICKET-7"])


def test_a_should_is_a_warning(pytester: pytest.Pytester, start_mutant: Mutant) -> None:
    options = ["--touchstone-url", start_mutant("field.message.human.example.present"), "-k", "human.example.present"]
    result = pytester.runpytest_subprocess(*options)
    result.assert_outcomes(passed=1, warnings=1, deselected=result.parseoutcomes()["deselected"])
    result.stdout.fnmatch_lines(["*RequirementWarning: message.human.example.present: expected *"])
    result = pytester.runpytest_subprocess(*options, "-W", "error::agent_touchstone.RequirementWarning")
    assert result.parseoutcomes()["failed"] == 1


@pytest.fixture
def other_service() -> Iterator[str]:
    """The URL of a service that is no LangGraph Server."""

    class Handler(BaseHTTPRequestHandler):
        pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_another_service_ends_the_run(pytester: pytest.Pytester, other_service: str, tmp_path: Path) -> None:
    pytester.makepyfile("def test_own(): pass")
    result = pytester.runpytest_subprocess("--touchstone-url", other_service)
    assert result.ret == 2
    result.stdout.fnmatch_lines(["*Exit: touchstone test: *501*"])
    result.assert_outcomes(passed=1)


def test_an_invalid_url(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--touchstone-url", "localhost")
    assert result.ret == 2
    result.stdout.fnmatch_lines(["*expected an http:// or https:// URL, received localhost.*"])


def test_several_processes(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--touchstone-url", "http://127.0.0.1:1", "-n", "2")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: --touchstone-url: expected one process, received -n 2. Add -n 0."])
