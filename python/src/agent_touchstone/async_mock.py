"""The mock server for asynchronous tests: the same methods, which do not block the event loop."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from typing import Any

from .mock import AgentMock, Faults, Journal


class AsyncJournal:
    """The asynchronous methods of `Journal`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def calls(self, route: str | None = None, **query: object) -> list[dict[str, Any]]:
        return await to_thread(self._journal.calls, route, **query)

    async def wait(
        self, route: str | None = None, *, count: int = 1, timeout: float = 5, **query: object
    ) -> list[dict[str, Any]]:
        return await to_thread(self._journal.wait, route, count=count, timeout=timeout, **query)

    async def verify(
        self,
        *calls: Mapping[str, object],
        in_order: bool = False,
        nothing_else: bool = False,
        after: int = 0,
    ) -> None:
        await to_thread(self._journal.verify, *calls, in_order=in_order, nothing_else=nothing_else, after=after)

    async def clear(self) -> None:
        await to_thread(self._journal.clear)


class AsyncFaults:
    """The asynchronous methods of `Faults`."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults

    async def add(self, type: str, **settings: object) -> str:
        return await to_thread(self._faults.add, type, **settings)

    async def list(self) -> "list[dict[str, Any]]":
        return await to_thread(self._faults.list)

    async def remove(self, id: str) -> None:
        await to_thread(self._faults.remove, id)

    async def clear(self) -> None:
        await to_thread(self._faults.clear)


class AsyncAgentMock:
    """The asynchronous methods of `AgentMock`."""

    def __init__(self, mock: AgentMock) -> None:
        self.url = mock.url
        self.journal = AsyncJournal(mock.journal)
        self.faults = AsyncFaults(mock.faults)
        self._mock = mock

    async def control(self, method: str, path: str, body: object = None) -> Any:
        return await to_thread(self._mock.control, method, path, body)

    async def script(self, graph: str, script: Sequence[object] | Mapping[str, object]) -> None:
        await to_thread(self._mock.script, graph, script)

    async def reset(self) -> None:
        await to_thread(self._mock.reset)
