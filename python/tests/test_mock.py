import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
from agent_touchstone import AgentMock, AsyncAgentMock, serve


def post(url: str, body: object) -> Any:
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as response:
        return json.load(response)


def ask(mock: AgentMock | AsyncAgentMock, text: str, graph: str = "support") -> str:
    messages = [{"role": "user", "content": text}]
    result = post(f"{mock.url}/runs/wait", {"assistant_id": graph, "input": {"messages": messages}})
    return str(result["messages"][-1]["content"])


def test_scripts_define_the_replies(agent_mock: AgentMock) -> None:
    agent_mock.script("support", ["Hello!", "Bye."])
    assert [ask(agent_mock, "Hi"), ask(agent_mock, "Bye")] == ["Hello!", "Bye."]


def test_the_live_page_needs_no_token() -> None:
    with serve("--ui") as mock:
        post(f"{mock.url}/threads", {})
        with urlopen(f"{mock.url}/__touchstone/journal") as response:
            assert len(json.load(response)["calls"]) == len(mock.journal.calls()) == 1


def test_scripts_with_rules(agent_mock: AgentMock) -> None:
    agent_mock.script("support", {"rules": [{"when": {"text": "order"}, "reply": "Shipped."}], "otherwise": "Sorry?"})
    assert [ask(agent_mock, "order"), ask(agent_mock, "what")] == ["Shipped.", "Sorry?"]


def test_an_invalid_script_names_the_problem(agent_mock: AgentMock) -> None:
    with pytest.raises(ValueError, match=r'Field "1.pause": expected number, received "1s"'):
        agent_mock.script("support", ["Hello!", {"pause": "1s"}])


def test_the_name_of_a_graph_may_have_a_slash(agent_mock: AgentMock) -> None:
    agent_mock.script("team/support", ["Hello!"])
    assert ask(agent_mock, "Hi", "team/support") == "Hello!"


def test_the_journal_has_the_requests(agent_mock: AgentMock) -> None:
    post(f"{agent_mock.url}/threads", {"metadata": {"customer": 7}})
    [call] = agent_mock.journal.calls("POST /threads")
    assert call["requestBody"] == {"metadata": {"customer": 7}}
    assert agent_mock.journal.wait("POST /threads", status=200) == [call]
    assert agent_mock.journal.calls(webhook=True) == []
    with pytest.raises(TimeoutError, match="POST /assistants"):
        agent_mock.journal.wait("POST /assistants", timeout=0.01)
    agent_mock.journal.clear()
    assert agent_mock.journal.calls() == []


def test_the_journal_verifies_the_requests(agent_mock: AgentMock) -> None:
    post(f"{agent_mock.url}/threads", {"metadata": {"customer": 7}})
    agent_mock.script("support", ["Hello!"])
    assert ask(agent_mock, "Hi") == "Hello!"
    thread = {"route": "POST /threads", "body": {"metadata": {"customer": 7}}, "times": 1}
    agent_mock.journal.verify(thread, {"text": "Hi"}, in_order=True, nothing_else=True)
    with pytest.raises(AssertionError, match='text: expected "Bye", received "Hi"'):
        agent_mock.journal.verify({"route": "POST /runs/wait", "text": "Bye"})
    with pytest.raises(ValueError, match='unknown key "rout"'):
        agent_mock.journal.verify({"rout": "POST /threads"})


def test_faults_make_requests_fail(agent_mock: AgentMock) -> None:
    id = agent_mock.faults.add("status", status=503, route="POST /threads", first=1)
    with pytest.raises(HTTPError, match="503"):
        post(f"{agent_mock.url}/threads", {})
    assert post(f"{agent_mock.url}/threads", {})["status"] == "idle"
    [fault] = agent_mock.faults.list()
    assert (fault["id"], fault["calls"], fault["hits"]) == (id, 2, 1)
    agent_mock.faults.remove(id)
    agent_mock.faults.add("latency", ms=1)
    agent_mock.faults.clear()
    assert agent_mock.faults.list() == []


def test_reset_returns_to_the_initial_state(agent_mock: AgentMock) -> None:
    thread = post(f"{agent_mock.url}/threads", {})
    agent_mock.script("support", ["Hello!"])
    agent_mock.script("echo", ["no echo"])
    agent_mock.faults.add("status", status=503, route="GET /ok")
    agent_mock.reset()
    assert (agent_mock.journal.calls(), agent_mock.faults.list()) == ([], [])
    assert ask(agent_mock, "Hi", "echo") != "no echo"
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{agent_mock.url}/threads/{thread['thread_id']}")
    with pytest.raises(HTTPError):
        ask(agent_mock, "Hi")


@pytest.mark.parametrize("_attempt", [1, 2])
def test_each_test_starts_without_data(agent_mock: AgentMock, _attempt: int) -> None:
    assert post(f"{agent_mock.url}/threads/search", {}) == []
    assert agent_mock.control("GET", "scripts") == {"scripts": []}
    post(f"{agent_mock.url}/threads", {})
    agent_mock.script("support", ["Hello!"])


def test_asynchronous_tests(async_agent_mock: AsyncAgentMock) -> None:
    async def run() -> None:
        mock = async_agent_mock
        await mock.script("support", ["Hello!"])
        waiting = asyncio.create_task(mock.journal.wait("POST /runs/wait", timeout=60))
        assert await asyncio.to_thread(ask, mock, "Hi") == "Hello!"
        assert len(await waiting) == len(await mock.journal.calls("POST /runs/wait")) == 1
        await mock.journal.verify({"text": "Hi", "times": 1}, nothing_else=True)
        id = await mock.faults.add("latency", ms=1)
        assert [fault["id"] for fault in await mock.faults.list()] == [id]
        await mock.faults.remove(id)
        await mock.faults.clear()
        await mock.journal.clear()
        assert "now" in await mock.control("GET", "clock")
        await mock.reset()

    asyncio.run(run())


def test_options_of_the_server() -> None:
    with serve("--dialect", "agent-server", "--clock", "2026-01-01T00:00:00Z") as mock:
        before = mock.control("GET", "clock")["now"]
        assert mock.control("POST", "clock", {"advance_ms": 1000}) == {"now": before + 1000}
    with pytest.raises(URLError):
        urlopen(f"{mock.url}/ok")


def test_an_invalid_option() -> None:
    with pytest.raises(RuntimeError, match="expected the mock server to start"), serve("--dialect", "other"):
        pass


def test_the_server_ends_with_a_process_that_is_killed() -> None:
    program = "import agent_touchstone as a, time\nwith a.serve() as mock: print(mock.url, flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        urlopen(f"{url}/ok")
        os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(OSError):
        while True:
            urlopen(f"{url}/ok")
            time.sleep(0.1)
