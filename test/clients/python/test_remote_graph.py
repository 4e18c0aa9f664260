"""Calls every method of RemoteGraph. A test has the name of its method, and after two underscores how it is called."""

import importlib.metadata
import inspect
import uuid

import pytest
from helpers import ECHO, Awaitable, contents, human
from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command

VERSION = importlib.metadata.version("langgraph")


class Asynchronous:
    """A graph whose methods are the asynchronous ones: `get_state` is `aget_state`."""

    def __init__(self, graph):
        self._graph = graph

    def __getattr__(self, name):
        if hasattr(self._graph, f"a{name}"):
            return getattr(self._graph, f"a{name}")
        return lambda *args, **kwargs: Asynchronous(getattr(self._graph, name)(*args, **kwargs))


@pytest.fixture(params=[f"Python {VERSION}", f"Python {VERSION}, async"])
def graph(request, connection):
    graph = RemoteGraph("echo", **connection)
    return Asynchronous(graph) if request.param.endswith("async") else Awaitable(graph)


@pytest.fixture
def config():
    """The configuration of a thread that the first run creates."""
    return {"configurable": {"thread_id": str(uuid.uuid4())}}


@pytest.fixture
async def echoed(graph, config):
    """The configuration of a thread on which a run has ended."""
    await graph.invoke(human("hi"), config)
    return config


# Runnable of LangChain has further methods, which call these.
def test_every_method_has_a_test():
    tested = {name.removeprefix("test_").split("__")[0] for name in globals()}
    methods = {name for name in vars(RemoteGraph) if not name.startswith("_")}
    assert {name for name in methods if name not in tested and name.removeprefix("a") not in tested} == set()


async def test_copy(graph, echoed):
    copy = graph.copy({"config": echoed})
    assert contents((await copy.get_state({})).values) == ECHO


async def test_with_config(graph, echoed):
    bound = graph.with_config(echoed)
    assert contents((await bound.get_state({})).values) == ECHO


async def test_get_graph(graph):
    assert list((await graph.get_graph()).nodes) == ["__start__", "first", "second", "__end__"]


async def test_get_state(graph, echoed):
    state = await graph.get_state(echoed)
    assert (contents(state.values), state.next) == (ECHO, ())


async def test_get_state_history(graph, echoed):
    states = [state.next async for state in graph.get_state_history(echoed, limit=10)]
    assert states == [(), ("second",), ("first",), ("__start__",)]


@pytest.mark.xfail(raises=NotImplementedError, reason="the class does not implement it", strict=True)
async def test_bulk_update_state(graph, echoed):
    await graph.bulk_update_state(echoed, [])


async def test_update_state(graph, echoed):
    edited = {"messages": [{"role": "ai", "content": "edited"}]}
    updated = await graph.update_state(echoed, edited, as_node="first")
    state = await graph.get_state(updated)
    assert (contents(state.values)[-1], state.next) == ("edited", ("second",))


async def test_stream(graph, config):
    updates = [list(part) async for part in graph.stream(human("hi"), config, stream_mode="updates")]
    assert updates == [["first"], ["second"]]


async def test_stream__of_several_modes(graph):
    modes = [part.event async for part in graph.stream(human("hi"), stream_mode=["values", "updates"])]
    assert modes == ["values", "updates", "values", "updates", "values"]


async def test_stream_events(graph, config):
    async with await graph.stream_events(human("hi"), config, version="v3") as run:
        # A method of the asynchronous class. `run.values` starts with a state that depends on timing.
        output = run.output() if inspect.ismethod(run.output) else run.output
        assert contents(await output) == ECHO


async def test_invoke(graph):
    assert contents(await graph.invoke(human("hi"))) == ECHO


async def test_invoke__resumes_a_run(graph, config):
    await graph.invoke(human("hi"), config, interrupt_before=["second"])
    assert contents(await graph.invoke(Command(resume="x"), config)) == ECHO


async def test_invoke__jumps_to_several_nodes(graph, echoed):
    values = await graph.invoke(Command(goto=["first", "second"]), echoed)
    assert contents(values)[3:] == ["first: hi", "second: hi", "second: hi"]


# The client itself cannot send a Send.
async def test_invoke__gives_nodes_inputs(graph, echoed):
    sends = [{"node": "second", "input": human(text)} for text in ("one", "two")]
    values = await graph.invoke(Command(goto=sends), echoed)
    assert contents(values)[3:] == ["second: one", "second: two"]
