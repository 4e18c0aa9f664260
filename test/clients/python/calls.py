"""Calls every method of the Python clients. Prints as JSON what each does: `works`, or `refused` with the message.

A method without a function here, or an unexpected answer, ends the script with an error. A function has the name of its
method, with an underscore in place of the period. The server's address is in TOUCHSTONE_URL.
"""

import asyncio
import contextlib
import importlib.metadata
import json
import os
import sys
import uuid

from langgraph_sdk import get_client, get_sync_client
from langgraph_sdk.errors import APIStatusError, ConflictError, NotFoundError
from touchstone_case import human

ENDLESS = {"input": human("wait"), "config": {"configurable": {"delay_ms": 3_600_000}}}
ECHO = ["hi", "first: hi", "second: hi"]


class Awaitable:
    """An object of the synchronous client with the interface of the asynchronous one."""

    def __init__(self, wrapped):
        self._wrapped = wrapped

    def __getattr__(self, name):
        return Awaitable(getattr(self._wrapped, name))

    def __call__(self, *args, **kwargs):
        return Awaitable(self._wrapped(*args, **kwargs))

    def __await__(self):
        yield from ()
        return self if hasattr(self._wrapped, "__next__") else self._wrapped

    async def __aiter__(self):
        for item in self._wrapped:
            yield item

    async def __aenter__(self):
        return Awaitable(self._wrapped.__enter__())

    async def __aexit__(self, *error):
        self._wrapped.__exit__(*error)


def equal(received, expected):
    if received != expected:
        raise AssertionError(f"expected {expected!r}, received {received!r}")


def contents(values):
    return [message["content"] for message in values["messages"]]


async def collect(stream):
    return [part.event async for part in stream]


@contextlib.contextmanager
def raises(error):
    try:
        yield
    except error:
        return
    raise AssertionError(f"expected {error.__name__}")


async def new_thread(client):
    return (await client.threads.create())["thread_id"]


async def echoed(client):
    """Completes a run of the graph echo on a new thread."""
    thread_id = await new_thread(client)
    run = await client.runs.create(thread_id, "echo", input=human("hi"))
    await client.runs.join(thread_id, run["run_id"])
    return thread_id, run["run_id"]


async def new_assistant(client, **options):
    return (await client.assistants.create("echo", **options))["assistant_id"]


async def assistants_get(client):
    [first] = await client.assistants.search(graph_id="echo", limit=1)
    equal((await client.assistants.get(first["assistant_id"]))["graph_id"], "echo")


async def assistants_get_graph(client):
    graph = await client.assistants.get_graph(await new_assistant(client))
    equal([node["id"] for node in graph["nodes"]], ["__start__", "first", "second", "__end__"])


async def assistants_get_schemas(client):
    schemas = await client.assistants.get_schemas(await new_assistant(client))
    equal(schemas["input_schema"]["properties"]["messages"]["type"], "array")


async def assistants_get_subgraphs(client):
    assistant_id = await new_assistant(client)
    equal(await client.assistants.get_subgraphs(assistant_id, recurse=True), {})
    equal(await client.assistants.get_subgraphs(assistant_id, namespace="inner"), {})


async def assistants_create(client):
    created = await client.assistants.create("echo", name="Mine", metadata={"team": "tea"}, description="Tea")
    equal([created[key] for key in ("name", "metadata", "description")], ["Mine", {"team": "tea"}, "Tea"])
    with raises(ConflictError):
        await new_assistant(client, assistant_id=created["assistant_id"])


async def assistants_update(client):
    assistant_id = await new_assistant(client, name="Mine", metadata={"team": "tea"})
    updated = await client.assistants.update(assistant_id, graph_id="chat", metadata={"size": 2})
    equal([updated[key] for key in ("graph_id", "name", "version")], ["chat", "Mine", 2])
    equal(updated["metadata"], {"team": "tea", "size": 2})


async def assistants_delete(client):
    assistant_id = await new_assistant(client)
    await client.assistants.delete(assistant_id, delete_threads=True)
    with raises(NotFoundError):
        await client.assistants.get(assistant_id)


async def assistants_search(client):
    mark = {"mark": str(uuid.uuid4())}
    for name in ("Beta", "Alpha", "Gamma"):
        await client.assistants.create("echo", name=name, metadata=mark)
    search = {"metadata": mark, "sort_by": "name", "sort_order": "asc", "limit": 2, "select": ["name"]}
    equal(await client.assistants.search(**search), [{"name": "Alpha"}, {"name": "Beta"}])
    page = await client.assistants.search(**search, response_format="object")
    equal(len(page["assistants"]), 2)


async def assistants_count(client):
    mark = {"mark": str(uuid.uuid4())}
    await new_assistant(client, metadata=mark)
    equal(await client.assistants.count(metadata=mark), 1)


async def assistants_get_versions(client):
    assistant_id = await new_assistant(client, name="One")
    await client.assistants.update(assistant_id, name="Two")
    versions = await client.assistants.get_versions(assistant_id)
    equal([(each["version"], each["name"]) for each in versions], [(2, "Two"), (1, "One")])


async def assistants_set_latest(client):
    assistant_id = await new_assistant(client, name="One")
    await client.assistants.update(assistant_id, name="Two")
    equal((await client.assistants.set_latest(assistant_id, 1))["name"], "One")
    equal((await client.assistants.get(assistant_id))["version"], 1)


async def threads_get(client):
    thread_id, _ = await echoed(client)
    thread = await client.threads.get(thread_id)
    equal((thread["status"], contents(thread["values"])), ("idle", ECHO))


async def threads_create(client):
    thread = await client.threads.create(metadata={"user": "me"})
    existing = await client.threads.create(thread_id=thread["thread_id"], if_exists="do_nothing")
    equal(existing["metadata"], {"user": "me"})
    with raises(ConflictError):
        await client.threads.create(thread_id=thread["thread_id"])
    written = [{"updates": [{"values": human("asked"), "as_node": "__start__"}]}]
    prepared = await client.threads.create(graph_id="echo", supersteps=written)
    equal((await client.threads.get_state(prepared["thread_id"]))["next"], ["first"])


async def threads_copy(client):
    thread_id, _ = await echoed(client)
    copy = await client.threads.copy(thread_id)
    equal(contents((await client.threads.get_state(copy["thread_id"]))["values"]), ECHO)


async def threads_update(client):
    thread_id = (await client.threads.create(metadata={"a": 1, "b": 1}))["thread_id"]
    equal((await client.threads.update(thread_id, metadata={"b": 2}))["metadata"], {"a": 1, "b": 2})
    equal(await client.threads.update(thread_id, metadata={"c": 3}, return_minimal=True), None)


async def threads_delete(client):
    thread_id = await new_thread(client)
    await client.threads.delete(thread_id)
    with raises(NotFoundError):
        await client.threads.get(thread_id)


async def threads_prune(client):
    thread_id, _ = await echoed(client)
    equal(await client.threads.prune([thread_id], strategy="keep_latest"), {"pruned_count": 1})
    equal(len(await client.threads.get_history(thread_id)), 1)


async def threads_search(client):
    mark = {"mark": str(uuid.uuid4())}
    thread = await client.threads.create(metadata=mark)
    thread_id = thread["thread_id"]
    await client.runs.wait(thread_id, "echo", input=human("hi"))
    [found] = await client.threads.search(metadata=mark, extract={"last": "values.messages[-1].content"})
    equal((found["thread_id"], found["extracted"]), (thread_id, {"last": "second: hi"}))
    equal(await client.threads.search(metadata=mark, status="busy"), [])
    equal(await client.threads.search(ids=[thread_id], select=["status"]), [{"status": "idle"}])


async def threads_count(client):
    mark = {"mark": str(uuid.uuid4())}
    await client.threads.create(metadata=mark)
    equal(await client.threads.count(metadata=mark), 1)


async def threads_get_state(client):
    thread_id, _ = await echoed(client)
    state = await client.threads.get_state(thread_id)
    equal((contents(state["values"]), state["next"]), (ECHO, []))
    checkpoint = state["checkpoint"]
    equal(await client.threads.get_state(thread_id, checkpoint_id=checkpoint["checkpoint_id"]), state)
    equal(await client.threads.get_state(thread_id, checkpoint=checkpoint), state)


async def threads_update_state(client):
    thread_id, _ = await echoed(client)
    edited = {"messages": [{"role": "ai", "content": "edited"}]}
    await client.threads.update_state(thread_id, edited, as_node="first")
    state = await client.threads.get_state(thread_id)
    equal((contents(state["values"])[-1], state["next"]), ("edited", ["second"]))


async def threads_get_history(client):
    thread_id, _ = await echoed(client)
    states = await client.threads.get_history(thread_id, limit=10)
    equal([state["next"] for state in states], [[], ["second"], ["first"], ["__start__"]])
    equal(await client.threads.get_history(thread_id, limit=1, before=states[0]["checkpoint"]), [states[1]])


async def threads_join_stream(client):
    thread_id, run_id = await echoed(client)
    stream = await client.threads.join_stream(thread_id, last_event_id="-")
    async for part in stream:
        equal((part.event, part.data["run_id"]), ("metadata", run_id))
        break


async def threads_stream(client):
    async with client.threads.stream(assistant_id="echo") as thread:
        await thread.run.start(input=human("hi"))
        equal(contents(await thread.output), ECHO)


async def runs_stream(client):
    for thread_id in (await new_thread(client), None):
        created = []
        stream = client.runs.stream(
            thread_id, "echo", input=human("hi"), stream_mode="updates", on_run_created=created.append
        )
        equal(await collect(stream), ["metadata", "updates", "updates"])
        equal(len(created), 1)


async def runs_create(client):
    thread_id, _ = await echoed(client)
    [_, before, *_] = await client.threads.get_history(thread_id, limit=10)
    fork = await client.runs.create(thread_id, "echo", input=None, checkpoint=before["checkpoint"])
    equal(contents(await client.runs.join(thread_id, fork["run_id"])), ECHO)
    equal((await client.runs.create(None, "echo", input=human("hi")))["kwargs"]["temporary"], True)


async def runs_create_batch(client):
    payloads = [{"assistant_id": "echo", "input": human(text)} for text in ("one", "two")]
    equal([run["status"] for run in await client.runs.create_batch(payloads)], ["pending", "pending"])


async def runs_wait(client):
    for thread_id in (await new_thread(client), None):
        equal(contents(await client.runs.wait(thread_id, "echo", input=human("hi"))), ECHO)
        with raises(Exception):
            await client.runs.wait(thread_id, "fail", input=human("hi"))


async def runs_list(client):
    thread_id, run_id = await echoed(client)
    equal(
        await client.runs.list(thread_id, select=["run_id", "status"]),
        [{"run_id": run_id, "status": "success"}],
    )
    equal(await client.runs.list(thread_id, status="error"), [])


async def runs_get(client):
    thread_id, run_id = await echoed(client)
    equal((await client.runs.get(thread_id, run_id))["status"], "success")


async def runs_cancel(client):
    thread_id = await new_thread(client)
    stopped = await client.runs.create(thread_id, "slow", **ENDLESS)
    await client.runs.cancel(thread_id, stopped["run_id"], wait=True)
    equal((await client.runs.get(thread_id, stopped["run_id"]))["status"], "interrupted")
    undone = await client.runs.create(thread_id, "slow", **ENDLESS)
    await client.runs.cancel(thread_id, undone["run_id"], wait=True, action="rollback")
    with raises(NotFoundError):
        await client.runs.get(thread_id, undone["run_id"])


async def runs_cancel_many(client):
    thread_id = await new_thread(client)
    run_id = (await client.runs.create(thread_id, "slow", **ENDLESS))["run_id"]
    await client.runs.cancel_many(thread_id=thread_id, run_ids=[run_id])
    await client.runs.join(thread_id, run_id)
    equal((await client.runs.get(thread_id, run_id))["status"], "interrupted")


async def runs_join(client):
    thread_id, run_id = await echoed(client)
    equal(contents(await client.runs.join(thread_id, run_id)), ECHO)


async def runs_join_stream(client):
    thread_id = await new_thread(client)
    run = await client.runs.create(thread_id, "echo", input=human("hi"), stream_resumable=True)
    await client.runs.join(thread_id, run["run_id"])
    stream = client.runs.join_stream(thread_id, run["run_id"], last_event_id="-1")
    equal(await collect(stream), ["metadata", "values", "values", "values"])


async def runs_delete(client):
    thread_id, run_id = await echoed(client)
    await client.runs.delete(thread_id, run_id)
    equal(await client.runs.list(thread_id), [])


async def new_cron(client):
    """Creates a cron and returns its id and metadata that no other cron has."""
    mark = {"mark": str(uuid.uuid4())}
    await client.crons.create("echo", schedule="0 3 * * *", input=human("report"), metadata=mark)
    [cron] = await client.crons.search(metadata=mark)
    return cron["cron_id"], mark


async def crons_create(client):
    _, mark = await new_cron(client)
    [cron] = await client.crons.search(metadata=mark)
    equal((cron["schedule"], cron["payload"]["input"]), ("0 3 * * *", human("report")))


async def crons_create_for_thread(client):
    thread_id = await new_thread(client)
    await client.crons.create_for_thread(thread_id, "echo", schedule="@daily", timezone="Europe/Berlin")
    [cron] = await client.crons.search(thread_id=thread_id)
    equal((cron["schedule"], cron["timezone"]), ("@daily", "Europe/Berlin"))


async def crons_update(client):
    cron_id, mark = await new_cron(client)
    await client.crons.update(cron_id, schedule="0 4 * * *", enabled=False)
    [cron] = await client.crons.search(metadata=mark, enabled=False)
    equal(cron["schedule"], "0 4 * * *")


async def crons_delete(client):
    cron_id, mark = await new_cron(client)
    await client.crons.delete(cron_id)
    equal(await client.crons.search(metadata=mark), [])


async def crons_search(client):
    cron_id, mark = await new_cron(client)
    equal(await client.crons.search(metadata=mark, select=["cron_id"]), [{"cron_id": cron_id}])


async def crons_count(client):
    _, mark = await new_cron(client)
    equal(await client.crons.count(metadata=mark), 1)


async def put_item(client, **value):
    """Writes an item in a new namespace, and returns the namespace."""
    namespace = ["users", str(uuid.uuid4())]
    await client.store.put_item(namespace, key="profile", value=value)
    return namespace


async def store_put_item(client):
    namespace = await put_item(client, age=1)
    await client.store.put_item(namespace, key="profile", value={"age": 2})
    equal((await client.store.get_item(namespace, key="profile"))["value"], {"age": 2})


async def store_get_item(client):
    namespace = await put_item(client, age=36)
    item = await client.store.get_item(namespace, key="profile")
    equal((item["namespace"], item["key"], item["value"]), (namespace, "profile", {"age": 36}))


async def store_delete_item(client):
    namespace = await put_item(client, age=36)
    await client.store.delete_item(namespace, key="profile")
    equal((await client.store.search_items(namespace))["items"], [])


async def store_search_items(client):
    namespace = await put_item(client, age=36)
    found = await client.store.search_items(namespace, filter={"age": {"$gt": 30}})
    equal([item["key"] for item in found["items"]], ["profile"])


async def store_list_namespaces(client):
    namespace = await put_item(client, age=36)
    listed = await client.store.list_namespaces(suffix=[namespace[1]], max_depth=2)
    equal(listed["namespaces"], [namespace])


async def result_of(call, client):
    try:
        await asyncio.wait_for(call(client), 60)
        return "works"
    except APIStatusError as error:
        return f"refused: {error}"


async def results_of(client, called):
    """Calls every public method of a client. `called` is the client in the form that the functions expect."""
    results = {}
    for part, value in vars(client).items():
        # The part `http` sends the requests of all others.
        for name in [] if part == "http" else dir(value):
            if name.startswith("_") or not callable(getattr(value, name)):
                continue
            function = globals().get(f"{part}_{name}")
            if function is None:
                sys.exit(f"The method {part}.{name} has no function in this script")
            results[f"{part}.{name}"] = await result_of(function, called)
    return results


async def main():
    url = os.environ["TOUCHSTONE_URL"]
    version = importlib.metadata.version("langgraph-sdk")
    asynchronous, synchronous = get_client(url=url), get_sync_client(url=url)
    results = {
        f"Python {version}": await results_of(asynchronous, asynchronous),
        f"Python {version}, sync": await results_of(synchronous, Awaitable(synchronous)),
    }
    await asynchronous.aclose()
    synchronous.close()
    print(json.dumps(results))


asyncio.run(main())
