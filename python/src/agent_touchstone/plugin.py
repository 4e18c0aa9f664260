"""The pytest plugin: the options `--touchstone-…`, one test per requirement, and the fixtures of the mock server."""

from collections.abc import Generator, Iterator

import pytest

from .async_mock import AsyncAgentMock
from .mock import AgentMock, serve
from .requirements import Requirements


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("touchstone", "conformance tests of a server (Touchstone)")
    group.addoption("--touchstone-url", metavar="URL", help="test the LangGraph Server API at this URL")
    group.addoption("--touchstone-config", metavar="FILE", help="test the server of a touchstone.config file")
    group.addoption(
        "--touchstone-area", metavar="NAME", action="append", help="only requirements of this area (repeatable)"
    )
    group.addoption(
        "--touchstone-level", metavar="LEVEL", action="append", help="only requirements of this level (repeatable)"
    )
    group.addoption("--touchstone-report", metavar="DIR", help="write the report files into this folder")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "touchstone: a requirement that Touchstone tests")
    processes = getattr(config.option, "numprocesses", None)
    if processes and _has_target(config):
        raise pytest.UsageError(f"--touchstone-url: expected one process, received -n {processes}. Add -n 0.")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if isinstance(collector, pytest.Session) and report.passed and _has_target(collector.config):
        report.result.append(Requirements.from_parent(collector, name="touchstone", nodeid="touchstone"))
    return report


def _has_target(config: pytest.Config) -> bool:
    return bool(config.option.touchstone_url or config.option.touchstone_config)


@pytest.fixture(scope="session")
def agent_mock_options() -> list[str]:
    """Options of `touchstone serve` for `agent_mock`. Override this fixture to change them."""
    return []


@pytest.fixture(scope="session")
def _agent_mock_server(agent_mock_options: list[str]) -> Iterator[AgentMock]:
    with serve(*agent_mock_options) as mock:
        yield mock


@pytest.fixture
def agent_mock(_agent_mock_server: AgentMock) -> AgentMock:
    """A mock server without data, scripts and faults. All tests use the same process."""
    _agent_mock_server.reset()
    return _agent_mock_server


@pytest.fixture
def async_agent_mock(agent_mock: AgentMock) -> AsyncAgentMock:
    """The mock server with methods for `await`."""
    return AsyncAgentMock(agent_mock)
