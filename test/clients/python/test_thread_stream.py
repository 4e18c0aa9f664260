import asyncio

import pytest
from helpers import contents, human


async def test_streams_the_tokens_and_values_of_a_run(client, dialect):
    async with client.threads.stream(assistant_id="chat") as thread:
        await thread.run.start(input=human("a b"))
        messages = [message async for message in thread.messages]
        if dialect == "js-dev":
            # The public JavaScript server sends messages in the namespaces of nodes, which this client leaves out.
            assert messages == []
        else:
            assert await messages[-1].text == "chat: a b"
        assert contents(await thread.output)[-1] == "chat: a b"


async def test_reports_a_run_that_fails(client):
    async with client.threads.stream(assistant_id="fail") as thread:
        await thread.run.start(input=human("a"))
        with pytest.raises(Exception, match="this graph always fails"):
            await asyncio.wait_for(thread.output, 60)


async def test_refuses_an_unknown_assistant(client):
    async with client.threads.stream(assistant_id="nope") as thread:
        with pytest.raises(Exception, match="nope|404"):
            await thread.run.start(input=human("a"))
