import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
# Only the programs of the virtual environment: no Node.js.
ENVIRONMENT = {**os.environ, "PATH": str(BIN), "NO_COLOR": "1"}


def touchstone(*args: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [BIN / "touchstone", *args], env=ENVIRONMENT, cwd=cwd, capture_output=True, text=True, check=False
    )


def test_no_node_is_needed() -> None:
    assert shutil.which("node", path=ENVIRONMENT["PATH"]) is None
    version = json.loads((CHECKOUT / "package.json").read_text())["version"]
    assert touchstone("--version").stdout.strip() == version


def test_python_m_runs_the_command() -> None:
    command = [sys.executable, "-m", "agent_touchstone", "list", "--area", "export"]
    assert subprocess.check_output(command, text=True).endswith(" requirements\n")


def test_the_exit_code_is_that_of_the_program() -> None:
    result = touchstone("tset")
    assert result.returncode == 2
    assert "Did you mean test?" in result.stderr


def test_the_mock_server_conforms(tmp_path: Path) -> None:
    result = touchstone("conformance", "--area", "export", cwd=tmp_path)
    [verdict] = [line for line in result.stdout.splitlines() if line.startswith("Conformant for the selection")]
    print(verdict)
    assert result.returncode == 0
    assert (tmp_path / "reports/report.html").exists()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_server(sent: signal.Signals) -> None:
    command = [str(BIN / "touchstone"), "serve", "--port", "0"]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("listening on ")
        process.send_signal(sent)
    assert process.returncode == 0
    # Nothing of the process group is left.
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
