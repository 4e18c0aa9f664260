"""A mock server in a process of its own."""

import json
import os
import secrets
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

from .command import arguments

_TOKEN = "TOUCHSTONE_CONTROL"
_ERRORS: dict[int, type[Exception]] = {408: TimeoutError, 417: AssertionError}
# A proxy of the environment must not receive requests to this machine.
_opener = build_opener(ProxyHandler({}))


class Control:
    """The control plane of a mock server."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._token = token

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the JSON of the response.

        Raises ValueError for a request that the server refuses, TimeoutError if it has waited in vain, and AssertionError
        for a verification that fails.
        """
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = Request(f"{self._url}/__touchstone/{path}", data, headers, method=method)
        try:
            with _opener.open(request) as response:
                return json.load(response)
        except HTTPError as error:
            message = _detail(error.read())
            raise _ERRORS.get(error.code, ValueError)(message) from None


def _detail(body: bytes) -> str:
    text = body.decode()
    try:
        return str(json.loads(text)["detail"])
    except (ValueError, KeyError, TypeError):
        return text


class Journal:
    """The recorded requests and responses, as in `docs/guides/faults-and-journal.md`."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def calls(self, route: str | None = None, **query: object) -> list[dict[str, Any]]:
        """Return the exchanges so far: all, or those of a route such as `POST /threads`.

        `query` may have `method`, `status`, `after` and `webhook`.
        """
        return self._read("journal", route=route, **query)

    def wait(
        self, route: str | None = None, *, count: int = 1, timeout: float = 5, **query: object
    ) -> list[dict[str, Any]]:
        """Return the exchanges when there are `count` of them. Raises TimeoutError after `timeout` seconds."""
        return self._read("journal/wait", route=route, count=count, timeout_ms=round(timeout * 1000), **query)

    def verify(
        self,
        *calls: Mapping[str, object],
        in_order: bool = False,
        nothing_else: bool = False,
        after: int = 0,
    ) -> None:
        """Check the requests so far, for example `verify({"route": "POST /threads", "times": 2})`.

        Raises AssertionError with what was expected and received, and ValueError for an invalid verification.
        """
        body = {"calls": calls, "inOrder": in_order, "nothingElse": nothing_else, "after": after}
        self._control("POST", "verify", body)

    def clear(self) -> None:
        """Delete all exchanges."""
        self._control("DELETE", "journal")

    def _read(self, path: str, **query: object) -> list[dict[str, Any]]:
        given = {name: _text(value) for name, value in query.items() if value is not None}
        calls: list[dict[str, Any]] = self._control("GET", f"{path}?{urlencode(given)}")["calls"]
        return calls


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Faults:
    """Errors that the server injects into requests, as in `docs/guides/faults-and-journal.md`."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def add(self, type: str, **settings: object) -> str:
        """Add a fault and return its id, for example `add("status", status=503, route="POST /threads")`."""
        [id] = self._control("POST", "faults", {"type": type, **settings})["ids"]
        return str(id)

    def list(self) -> "list[dict[str, Any]]":
        """Return the active faults with `id`, `fault`, `calls` and `hits`."""
        faults: list[dict[str, Any]] = self._control("GET", "faults")["faults"]
        return faults

    def remove(self, id: str) -> None:
        """Remove the fault with this id."""
        self._control("DELETE", f"faults/{id}")

    def clear(self) -> None:
        """Remove all faults."""
        self._control("DELETE", "faults")


class AgentMock:
    """A running mock server."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        """The base URL, such as `http://127.0.0.1:40123`."""
        self.control = Control(url, token)
        """Sends a request to the control plane, such as `control("POST", "clock", {"advance_ms": 1000})`."""
        self.journal = Journal(self.control)
        self.faults = Faults(self.control)
        self._scripted: set[str] = set()

    def script(self, graph: str, script: Sequence[object] | Mapping[str, object]) -> None:
        """Define what a graph replies: a list of replies, or an object with `replies` or `rules`.

        Raises ValueError for an invalid script, with the path of the error. See `docs/guides/script-graphs.md`.
        """
        self.control("PUT", f"scripts/{quote(graph, safe='')}", script)
        self._scripted.add(graph)

    def reset(self) -> None:
        """Delete all data, recorded exchanges and added faults, and the scripts of `script`."""
        for graph in self._scripted:
            self.control("DELETE", f"scripts/{quote(graph, safe='')}")
        self._scripted.clear()
        self.control("POST", "reset")


@contextmanager
def serve(*options: str) -> Iterator[AgentMock]:
    """Start a mock server with options of `touchstone serve`, and stop it at the end of the block.

    Raises RuntimeError if the server does not start; its error is on standard error.
    """
    token = secrets.token_hex(16)
    # The live page would ask for the token, which nobody knows. Without one, the server accepts this machine only.
    access = () if "--ui" in options else ("--control-token", f"env:{_TOKEN}", "--journal")
    command = arguments("serve", "--port", "0", *access, *options)
    # With `npm_command`, the server stops when this process has been killed.
    environment = {**os.environ, _TOKEN: token, "npm_command": "exec"}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line.startswith("listening on "):
                raise RuntimeError("expected the mock server to start, received an error, which is above")
            yield AgentMock(line.removeprefix("listening on ").strip(), token)
        finally:
            process.terminate()
