"""Streams, interrupts, errors and the clock. The fixtures are those of docs/guides/test-a-python-client.md."""

import asyncio
import json

import pytest
from langgraph_sdk import get_client


def human(text):
    return {"messages": [{"role": "user", "content": text}]}


def events(client, mode, **options):
    """Returns the data of all events of a mode that a run of the graph `support` streams."""
    stream = client.runs.stream(None, "support", input=human("Hi"), stream_mode=mode, **options)
    return [part.data for part in stream if part.event != "metadata"]


def test_a_message_is_streamed_word_by_word(client, script):
    script("support", [{"stream": "It is on its way."}])
    chunks = [message for message, _metadata in events(client, "messages-tuple")]
    assert [chunk["content"] for chunk in chunks] == ["It", " is", " on", " its", " way."]
    assert len({chunk["id"] for chunk in chunks}) == 1


def test_custom_events_arrive_in_order(client, script):
    script("support", [[{"emit": {"step": 1}}, {"emit": {"step": 2}}, "Done."]])
    assert events(client, "custom") == [{"step": 1}, {"step": 2}]


def test_a_tool_call_and_its_result_are_updates(client, script):
    script("support", [[{"callTool": {"name": "lookup", "args": {"order": 7}, "result": "shipped"}}, "Soon."]])
    updates = events(client, "updates")
    assert [node for update in updates for node in update] == ["agent", "tools", "agent"]
    assert updates[1]["tools"]["messages"][0]["content"] == "shipped"


def test_an_interrupt_is_resumed(client, script):
    script("support", [[{"interrupt": {"question": "Refund?"}}, "Noted."]])
    thread_id = client.threads.create()["thread_id"]
    values = client.runs.wait(thread_id, "support", input=human("Refund me"))
    assert values["__interrupt__"][0]["value"] == {"question": "Refund?"}
    values = client.runs.wait(thread_id, "support", command={"resume": "yes"})
    assert values["messages"][-1]["content"] == "Noted."


def test_a_failure_is_an_error_event(client, script):
    script("support", [[{"fail": {"error": "RateLimit", "message": "too many tokens"}}]])
    [error] = events(client, "updates")
    assert error == {"error": "RateLimit", "message": "too many tokens"}


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


def test_a_tool_call_is_streamed_in_parts(client, script):
    call = {"name": "lookup", "args": {"order": 7}, "id": "call_1"}
    usage = {"input_tokens": 7, "output_tokens": 5, "total_tokens": 12}
    script("support", [{"callTool": call, "streamed": True, "message": {"usage_metadata": usage}}])
    *chunks, last = [message for message, _metadata in events(client, "messages-tuple")]
    parts = [part for chunk in chunks for part in chunk["tool_call_chunks"]]
    assert [part["name"] for part in parts] == ["lookup", None, None]
    assert json.loads("".join(part["args"] for part in parts)) == {"order": 7}
    assert last["usage_metadata"] == usage


def test_reasoning_comes_before_the_text(client, script):
    pace = {"firstMs": 5, "tokensPerSecond": 1000, "jitter": 0.5}
    script("support", [{"stream": "On its way.", "reasoning": "It has left.", **pace}])
    blocks = [block for message, _metadata in events(client, "messages-tuple") for block in message["content"]]
    assert "".join(block["reasoning"] for block in blocks if block["type"] == "reasoning") == "It has left."
    assert "".join(block["text"] for block in blocks if block["type"] == "text") == "On its way."


def test_events_of_subgraphs_have_a_namespace(client, script):
    script("support", [[{"subgraph": "research", "steps": ["found"]}, "done"]])
    stream = client.runs.stream(
        None, "support", input=human("Hi"), stream_mode="updates", stream_subgraphs=True
    )
    names = [part.event.split(":")[0] for part in stream]
    assert names == ["metadata", "updates|research", "updates", "updates"]
