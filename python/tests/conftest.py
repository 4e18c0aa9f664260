"""Fixtures: servers to test."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from agent_touchstone.command import arguments

pytest_plugins = ["pytester"]

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def start_mutant() -> Iterator[Callable[[str], str]]:
    """Starts mutants, mock servers with one defect; returns their URLs."""
    with ExitStack() as stack:
        yield lambda id: stack.enter_context(_mutant(id))


@contextmanager
def _mutant(id: str) -> Iterator[str]:
    node = arguments()[0]
    command = [node, str(CHECKOUT / "targets/mutants/serve.ts"), id]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = (line for line in process.stdout if line.startswith("listening on "))
        yield next(lines).removeprefix("listening on ").strip()
        process.terminate()
