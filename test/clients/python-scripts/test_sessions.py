"""Tests that share a server, each in a session. The fixtures are those of docs/guides/test-a-python-client.md."""

import asyncio

import httpx
import pytest
from langgraph_sdk import get_client, get_sync_client


def human(text):
    return {"messages": [{"role": "user", "content": text}]}


@pytest.fixture
def ask(client):
    """Sends a text to the graph `support` on one thread, and returns the text of the last message."""
    thread_id = client.threads.create()["thread_id"]

    def ask(text):
        return client.runs.wait(thread_id, "support", input=human(text))["messages"][-1]["content"]

    return ask


@pytest.mark.parametrize("number", range(8))
def test_runs_take_the_replies_of_their_session(ask, script, number):
    script("support", [f"one {number}", f"two {number}"])
    assert [ask("a"), ask("b")] == [f"one {number}", f"two {number}"]


def test_a_script_of_a_session_is_removed(client, ask, script, control):
    script("support", ["Hello!", "Bye."])
    ask("Hi")
    assert control.get("/scripts").json() == {"scripts": [{"graph": "support", "taken": 1}]}
    control.delete("/scripts/support").raise_for_status()
    with pytest.raises(httpx.HTTPStatusError):
        client.runs.wait(None, "support", input=human("Hi"))


def test_sessions_share_nothing(url, session, client, control, script):
    script("support", ["Hello!"])
    thread = client.threads.create()
    name = session["x-touchstone-session"] + ".other"
    with get_sync_client(url=url, headers={"x-touchstone-session": name}) as other:
        with pytest.raises(httpx.HTTPStatusError):
            other.threads.get(thread["thread_id"])
        with pytest.raises(httpx.HTTPStatusError):
            other.runs.wait(None, "support", input=human("Hi"))
    assert control.delete(f"/sessions/{name}").status_code == 200


def test_the_clock_of_a_session_skips_a_pause(client, script, control):
    script("support", [[{"pause": 3_600_000}, "Good morning."]])
    thread_id = client.threads.create()["thread_id"]
    run = client.runs.create(thread_id, "support", input=human("Good night"))
    control.post("/clock", json={"advance_ms": 3_600_100}).raise_for_status()
    values = client.runs.join(thread_id, run["run_id"])
    assert values["messages"][-1]["content"] == "Good morning."


def test_faults_and_journal_are_those_of_the_session(client, script, control):
    script("support", ["Hello!"])
    control.post("/faults", json={"type": "status", "status": 503, "route": "POST /threads", "first": 1})
    with pytest.raises(Exception, match="503"):
        client.threads.create()
    client.threads.create()
    calls = control.get("/journal").json()["calls"]
    assert [(call["route"], call["status"]) for call in calls] == [("POST /threads", 503), ("POST /threads", 200)]


def test_concurrent_runs_of_an_async_client(url, session, script):
    script("support", {"rules": [{"when": {"text": {"pattern": "7"}}, "reply": "seven"}], "otherwise": "another"})

    async def ask():
        async with get_client(url=url, headers=session) as client:
            waits = [client.runs.wait(None, "support", input=human(f"Order {order}")) for order in range(10)]
            return [values["messages"][-1]["content"] for values in await asyncio.gather(*waits)]

    assert asyncio.run(ask()) == ["seven" if order == 7 else "another" for order in range(10)]
