"""Calls every method of the Python clients. A test has the name of its method, with an underscore in place of the period."""

import importlib.metadata
import uuid

import pytest
from helpers import ECHO, Awaitable, contents, human
from langgraph_sdk import get_client, get_sync_client
from langgraph_sdk.errors import ConflictError, NotFoundError

ENDLESS = {"input": human("wait"), "config": {"configurable": {"delay_ms": 3_600_000}}}
VERSION = importlib.metadata.version("langgraph-sdk")


@pytest.fixture(params=[f"Python {VERSION}", f"Python {VERSION}, sync"])
async def client(request, connection):
    if request.param.endswith("sync"):
        with get_sync_client(**connection) as client:
            yield Awaitable(client)
    else:
        async with get_client(**connection) as client:
            yield client


@pytest.fixture
def mark():
    """Metadata that nothing else on the server has."""
    return {"mark": str(uuid.uuid4())}


@pytest.fixture
async def assistant_id(client):
    return (await client.assistants.create("echo", name="One", metadata={"team": "tea"}))["assistant_id"]


@pytest.fixture
async def run_id(client, thread_id):
    """A run of the graph echo that has ended."""
    run = await client.runs.create(thread_id, "echo", input=human("hi"))
    await client.runs.join(thread_id, run["run_id"])
    return run["run_id"]


@pytest.fixture
async def cron_id(client, mark):
    await client.crons.create("echo", schedule="0 3 * * *", input=human("report"), metadata=mark)
    [cron] = await client.crons.search(metadata=mark)
    return cron["cron_id"]


@pytest.fixture
async def namespace(client):
    """A namespace with one item."""
    namespace = ["users", str(uuid.uuid4())]
    await client.store.put_item(namespace, key="profile", value={"age": 36})
    return namespace


def methods_of(client):
    """The public methods of a client. The part `http` sends the requests of all others."""
    return {
        f"{part}_{name}"
        for part, value in vars(client).items()
        for name in dir(value)
        if part != "http" and not name.startswith("_") and callable(getattr(value, name))
    }


def test_every_method_has_a_test(connection):
    tested = {name.removeprefix("test_") for name in globals()}
    assert methods_of(get_client(**connection)) | methods_of(get_sync_client(**connection)) <= tested


async def test_assistants_get(client):
    [first] = await client.assistants.search(graph_id="echo", limit=1)
    assert (await client.assistants.get(first["assistant_id"]))["graph_id"] == "echo"


async def test_assistants_get_graph(client, assistant_id):
    graph = await client.assistants.get_graph(assistant_id)
    assert [node["id"] for node in graph["nodes"]] == ["__start__", "first", "second", "__end__"]


async def test_assistants_get_schemas(client, assistant_id):
    schemas = await client.assistants.get_schemas(assistant_id)
    assert schemas["input_schema"]["properties"]["messages"]["type"] == "array"


async def test_assistants_get_subgraphs(client, assistant_id):
    assert await client.assistants.get_subgraphs(assistant_id, recurse=True) == {}
    assert await client.assistants.get_subgraphs(assistant_id, namespace="inner") == {}


async def test_assistants_create(client):
    created = await client.assistants.create("echo", name="Mine", metadata={"team": "tea"}, description="Tea")
    assert [created[key] for key in ("name", "metadata", "description")] == ["Mine", {"team": "tea"}, "Tea"]
    with pytest.raises(ConflictError):
        await client.assistants.create("echo", assistant_id=created["assistant_id"])


async def test_assistants_update(client, assistant_id):
    updated = await client.assistants.update(assistant_id, graph_id="chat", metadata={"size": 2})
    assert [updated[key] for key in ("graph_id", "name", "version")] == ["chat", "One", 2]
    assert updated["metadata"] == {"team": "tea", "size": 2}


async def test_assistants_delete(client, assistant_id):
    await client.assistants.delete(assistant_id, delete_threads=True)
    with pytest.raises(NotFoundError):
        await client.assistants.get(assistant_id)


async def test_assistants_search(client, mark):
    for name in ("Beta", "Alpha", "Gamma"):
        await client.assistants.create("echo", name=name, metadata=mark)
    search = {"metadata": mark, "sort_by": "name", "sort_order": "asc", "limit": 2, "select": ["name"]}
    assert await client.assistants.search(**search) == [{"name": "Alpha"}, {"name": "Beta"}]
    page = await client.assistants.search(**search, response_format="object")
    assert len(page["assistants"]) == 2


async def test_assistants_count(client, mark):
    await client.assistants.create("echo", metadata=mark)
    assert await client.assistants.count(metadata=mark) == 1


async def test_assistants_get_versions(client, assistant_id):
    await client.assistants.update(assistant_id, name="Two")
    versions = await client.assistants.get_versions(assistant_id)
    assert [(each["version"], each["name"]) for each in versions] == [(2, "Two"), (1, "One")]


async def test_assistants_set_latest(client, assistant_id):
    await client.assistants.update(assistant_id, name="Two")
    assert (await client.assistants.set_latest(assistant_id, 1))["name"] == "One"
    assert (await client.assistants.get(assistant_id))["version"] == 1


async def test_threads_get(client, thread_id, run_id):
    thread = await client.threads.get(thread_id)
    assert (thread["status"], contents(thread["values"])) == ("idle", ECHO)


async def test_threads_create(client):
    thread = await client.threads.create(metadata={"user": "me"})
    existing = await client.threads.create(thread_id=thread["thread_id"], if_exists="do_nothing")
    assert existing["metadata"] == {"user": "me"}
    with pytest.raises(ConflictError):
        await client.threads.create(thread_id=thread["thread_id"])
    written = [{"updates": [{"values": human("asked"), "as_node": "__start__"}]}]
    prepared = await client.threads.create(graph_id="echo", supersteps=written)
    assert (await client.threads.get_state(prepared["thread_id"]))["next"] == ["first"]


async def test_threads_copy(client, thread_id, run_id):
    copy = await client.threads.copy(thread_id)
    assert contents((await client.threads.get_state(copy["thread_id"]))["values"]) == ECHO


async def test_threads_update(client):
    thread_id = (await client.threads.create(metadata={"a": 1, "b": 1}))["thread_id"]
    assert (await client.threads.update(thread_id, metadata={"b": 2}))["metadata"] == {"a": 1, "b": 2}
    assert await client.threads.update(thread_id, metadata={"c": 3}, return_minimal=True) is None


async def test_threads_delete(client, thread_id):
    await client.threads.delete(thread_id)
    with pytest.raises(NotFoundError):
        await client.threads.get(thread_id)


async def test_threads_prune(client, thread_id, run_id):
    assert await client.threads.prune([thread_id], strategy="keep_latest") == {"pruned_count": 1}
    assert len(await client.threads.get_history(thread_id)) == 1


async def test_threads_search(client, mark):
    thread_id = (await client.threads.create(metadata=mark))["thread_id"]
    await client.runs.wait(thread_id, "echo", input=human("hi"))
    [found] = await client.threads.search(metadata=mark, extract={"last": "values.messages[-1].content"})
    assert (found["thread_id"], found["extracted"]) == (thread_id, {"last": "second: hi"})
    assert await client.threads.search(metadata=mark, status="busy") == []
    assert await client.threads.search(ids=[thread_id], select=["status"]) == [{"status": "idle"}]


async def test_threads_count(client, mark):
    await client.threads.create(metadata=mark)
    assert await client.threads.count(metadata=mark) == 1


async def test_threads_get_state(client, thread_id, run_id):
    state = await client.threads.get_state(thread_id)
    assert (contents(state["values"]), state["next"]) == (ECHO, [])
    checkpoint = state["checkpoint"]
    assert await client.threads.get_state(thread_id, checkpoint_id=checkpoint["checkpoint_id"]) == state
    assert await client.threads.get_state(thread_id, checkpoint=checkpoint) == state


async def test_threads_update_state(client, thread_id, run_id):
    edited = {"messages": [{"role": "ai", "content": "edited"}]}
    await client.threads.update_state(thread_id, edited, as_node="first")
    state = await client.threads.get_state(thread_id)
    assert (contents(state["values"])[-1], state["next"]) == ("edited", ["second"])


async def test_threads_get_history(client, thread_id, run_id):
    states = await client.threads.get_history(thread_id, limit=10)
    assert [state["next"] for state in states] == [[], ["second"], ["first"], ["__start__"]]
    assert await client.threads.get_history(thread_id, limit=1, before=states[0]["checkpoint"]) == [states[1]]


async def test_threads_join_stream(client, thread_id):
    run = await client.runs.create(thread_id, "slow", input=human("hi"), config={"configurable": {"delay_ms": 500}})
    async for part in await client.threads.join_stream(thread_id):
        if part.data.get("status") == "run_done":
            break
    assert part.data["run_id"] == run["run_id"]


async def test_threads_stream(client):
    async with client.threads.stream(assistant_id="echo") as thread:
        await thread.run.start(input=human("hi"))
        assert contents(await thread.output) == ECHO


async def test_runs_stream(client, thread_id):
    for thread in (thread_id, None):
        created = []
        stream = client.runs.stream(
            thread, "echo", input=human("hi"), stream_mode="updates", on_run_created=created.append
        )
        assert [part.event async for part in stream] == ["metadata", "updates", "updates"]
        assert len(created) == 1


async def test_runs_create(client, thread_id, run_id):
    [_, before, *_] = await client.threads.get_history(thread_id, limit=10)
    fork = await client.runs.create(thread_id, "echo", input=None, checkpoint=before["checkpoint"])
    assert contents(await client.runs.join(thread_id, fork["run_id"])) == ECHO
    assert (await client.runs.create(None, "echo", input=human("hi")))["kwargs"]["temporary"]


async def test_runs_create_batch(client):
    payloads = [{"assistant_id": "echo", "input": human(text)} for text in ("one", "two")]
    assert [run["status"] for run in await client.runs.create_batch(payloads)] == ["pending", "pending"]


async def test_runs_wait(client, thread_id):
    for thread in (thread_id, None):
        assert contents(await client.runs.wait(thread, "echo", input=human("hi"))) == ECHO
        with pytest.raises(Exception):
            await client.runs.wait(thread, "fail", input=human("hi"))


async def test_runs_list(client, thread_id, run_id):
    assert await client.runs.list(thread_id, select=["run_id", "status"]) == [{"run_id": run_id, "status": "success"}]
    assert await client.runs.list(thread_id, status="error") == []


async def test_runs_get(client, thread_id, run_id):
    assert (await client.runs.get(thread_id, run_id))["status"] == "success"


async def test_runs_cancel(client, thread_id):
    stopped = await client.runs.create(thread_id, "slow", **ENDLESS)
    await client.runs.cancel(thread_id, stopped["run_id"], wait=True)
    assert (await client.runs.get(thread_id, stopped["run_id"]))["status"] == "interrupted"
    undone = await client.runs.create(thread_id, "slow", **ENDLESS)
    await client.runs.cancel(thread_id, undone["run_id"], wait=True, action="rollback")
    with pytest.raises(NotFoundError):
        await client.runs.get(thread_id, undone["run_id"])


async def test_runs_cancel_many(client, thread_id):
    run_id = (await client.runs.create(thread_id, "slow", **ENDLESS))["run_id"]
    await client.runs.cancel_many(thread_id=thread_id, run_ids=[run_id])
    await client.runs.join(thread_id, run_id)
    assert (await client.runs.get(thread_id, run_id))["status"] == "interrupted"


async def test_runs_join(client, thread_id, run_id):
    assert contents(await client.runs.join(thread_id, run_id)) == ECHO


async def test_runs_join_stream(client, thread_id):
    run = await client.runs.create(thread_id, "echo", input=human("hi"), stream_resumable=True)
    await client.runs.join(thread_id, run["run_id"])
    stream = client.runs.join_stream(thread_id, run["run_id"], last_event_id="-1")
    assert [part.event async for part in stream] == ["metadata", "values", "values", "values"]


async def test_runs_delete(client, thread_id, run_id):
    await client.runs.delete(thread_id, run_id)
    assert await client.runs.list(thread_id) == []


async def test_crons_create(client, mark, cron_id):
    [cron] = await client.crons.search(metadata=mark)
    assert (cron["schedule"], cron["payload"]["input"]) == ("0 3 * * *", human("report"))


async def test_crons_create_for_thread(client, thread_id):
    await client.crons.create_for_thread(thread_id, "echo", schedule="@daily", timezone="Europe/Berlin")
    [cron] = await client.crons.search(thread_id=thread_id)
    assert (cron["schedule"], cron["timezone"]) == ("@daily", "Europe/Berlin")


async def test_crons_update(client, mark, cron_id):
    await client.crons.update(cron_id, schedule="0 4 * * *", enabled=False)
    [cron] = await client.crons.search(metadata=mark, enabled=False)
    assert cron["schedule"] == "0 4 * * *"


async def test_crons_delete(client, mark, cron_id):
    await client.crons.delete(cron_id)
    assert await client.crons.search(metadata=mark) == []


async def test_crons_search(client, mark, cron_id):
    assert await client.crons.search(metadata=mark, select=["cron_id"]) == [{"cron_id": cron_id}]


async def test_crons_count(client, mark, cron_id):
    assert await client.crons.count(metadata=mark) == 1


async def test_store_put_item(client, namespace):
    await client.store.put_item(namespace, key="profile", value={"age": 2})
    assert (await client.store.get_item(namespace, key="profile"))["value"] == {"age": 2}


async def test_store_get_item(client, namespace):
    item = await client.store.get_item(namespace, key="profile")
    assert (item["namespace"], item["key"], item["value"]) == (namespace, "profile", {"age": 36})


async def test_store_delete_item(client, namespace):
    await client.store.delete_item(namespace, key="profile")
    assert (await client.store.search_items(namespace))["items"] == []


async def test_store_search_items(client, namespace):
    found = await client.store.search_items(namespace, filter={"age": {"$gt": 30}})
    assert [item["key"] for item in found["items"]] == ["profile"]


async def test_store_list_namespaces(client, namespace):
    listed = await client.store.list_namespaces(suffix=[namespace[1]], max_depth=2)
    assert listed["namespaces"] == [namespace]
