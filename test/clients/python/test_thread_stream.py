import asyncio
import os

from touchstone_case import ClientCase, human


class ThreadStreams(ClientCase):
    async def all(self, items):
        return [item async for item in items]

    async def test_streams_the_tokens_and_values_of_a_run(self):
        async with self.client.threads.stream(assistant_id="chat") as thread:
            await thread.run.start(input=human("a b"))
            messages = await asyncio.wait_for(self.all(thread.messages), 60)
            if os.environ["TOUCHSTONE_DIALECT"] == "js-dev":
                # The public JavaScript server sends messages in the namespaces of nodes, which this client leaves out.
                self.assertEqual(messages, [])
            else:
                self.assertEqual(await messages[-1].text, "chat: a b")
            output = await thread.output
            self.assertEqual(output["messages"][-1]["content"], "chat: a b")

    async def test_reports_a_run_that_fails(self):
        async with self.client.threads.stream(assistant_id="fail") as thread:
            await thread.run.start(input=human("a"))
            with self.assertRaisesRegex(Exception, "this graph always fails"):
                await asyncio.wait_for(thread.output, 60)

    async def test_refuses_an_unknown_assistant(self):
        async with self.client.threads.stream(assistant_id="nope") as thread:
            with self.assertRaisesRegex(Exception, "nope|404"):
                await thread.run.start(input=human("a"))
