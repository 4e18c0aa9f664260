"""Replies of scripts. The fixtures are those of docs/guides/test-a-python-client.md."""

import httpx
import pytest
from langgraph_sdk import get_sync_client


def human(text):
    return {"messages": [{"role": "user", "content": text}]}


@pytest.fixture
def ask(client):
    """Sends a text to the graph `support` on one thread, and returns the text of the last message."""
    thread_id = client.threads.create()["thread_id"]

    def ask(text, **options):
        values = client.runs.wait(thread_id, "support", input=human(text), **options)
        return values["messages"][-1]["content"]

    return ask


def test_a_script_replies(ask, script):
    script("support", ["Hello!"])
    assert ask("Hi") == "Hello!"


def test_runs_take_replies_in_order(ask, script):
    script("support", ["one", "two"])
    assert [ask("a"), ask("b")] == ["one", "two"]


def test_a_run_without_a_reply_fails(ask, script):
    script("support", ["one"])
    ask("a")
    with pytest.raises(Exception, match="has no reply for run 2, only 1 in total"):
        ask("b")


def test_otherwise_follows_the_last_reply(ask, script):
    script("support", {"replies": ["one"], "otherwise": "more"})
    assert [ask("a"), ask("b"), ask("c")] == ["one", "more", "more"]


def test_repeat_starts_again(ask, script):
    script("support", {"replies": ["one", "two"], "repeat": True})
    assert [ask("a"), ask("b"), ask("c")] == ["one", "two", "one"]


def test_each_thread_gets_all_replies(client, script):
    script("support", {"replies": ["one", "two"], "perThread": True})
    for _ in range(2):
        values = client.runs.wait(None, "support", input=human("a"))
        assert values["messages"][-1]["content"] == "one"


def test_rules_choose_by_the_message(ask, script):
    order = {"when": {"text": {"pattern": r"order \d+", "flags": "i"}}, "reply": "It is on its way."}
    script("support", {"rules": [{"when": {"text": "Hi"}, "reply": "Hello!"}, order], "otherwise": "Pardon?"})
    assert [ask("Hi"), ask("Where is Order 7?"), ask("Hi!")] == ["Hello!", "It is on its way.", "Pardon?"]


def test_rules_choose_by_the_turn(ask, script):
    script("support", {"rules": [{"when": {"turn": 2}, "reply": "second"}], "otherwise": "other"})
    assert [ask("a"), ask("b"), ask("c")] == ["other", "second", "other"]


def test_rules_choose_by_the_result_of_a_tool(client, script):
    shipped = {"when": {"toolResult": {"name": "lookup", "text": "shipped"}}, "reply": "It is on its way."}
    call = [{"callTool": {"name": "lookup", "args": {"order": 7}, "id": "call_1"}}]
    script("support", {"rules": [shipped], "otherwise": call})
    thread_id = client.threads.create()["thread_id"]
    values = client.runs.wait(thread_id, "support", input=human("Where is my order?"))
    assert values["messages"][-1]["tool_calls"][0]["args"] == {"order": 7}

    result = {"role": "tool", "tool_call_id": "call_1", "content": "shipped"}
    values = client.runs.wait(thread_id, "support", input={"messages": [result]})
    assert values["messages"][-1]["content"] == "It is on its way."


def test_rules_choose_by_configurable(ask, script):
    script("support", {"rules": [{"when": {"configurable": {"locale": "de"}}, "reply": "Guten Tag!"}], "otherwise": "Hello!"})
    assert ask("Hi", config={"configurable": {"locale": "de"}}) == "Guten Tag!"
    assert ask("Hi") == "Hello!"


def test_no_matching_rule_shows_the_message_and_the_rules(ask, script):
    script("support", {"rules": [{"when": {"text": "Hi"}, "reply": "Hello!"}]})
    with pytest.raises(Exception, match='No rule of the graph "support" matches the run .*"text":"Bye".*1. .*"text":"Hi"'):
        ask("Bye")


def test_an_invalid_script_changes_nothing(ask, script, control):
    script("support", ["Hello!"])
    response = control.put("/scripts/support", json=["x", {"pause": "1s"}])
    assert response.status_code == 422
    assert response.json() == {"detail": 'Field "1.pause": expected number, received "1s"'}
    assert ask("Hi") == "Hello!"


def test_scripts_are_listed_and_removed(client, ask, script, control):
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
