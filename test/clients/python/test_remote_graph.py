from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command
from touchstone_case import ClientCase, human


def contents(state):
    """Returns the texts of the messages of a state."""
    return [message["content"] for message in state["messages"]]


class RemoteGraphs(ClientCase):
    """A graph of the server as a part of another graph."""

    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.graph = RemoteGraph("echo", url=self.url)
        self.config = {"configurable": {"thread_id": self.thread_id}}

    async def test_draws_a_graph_by_its_name(self):
        drawn = await self.graph.aget_graph()
        self.assertEqual(list(drawn.nodes), ["__start__", "first", "second", "__end__"])

    async def test_resumes_a_run(self):
        await self.graph.ainvoke(human("hi"), self.config, interrupt_before=["second"])
        resumed = await self.graph.ainvoke(Command(resume="x"), self.config)
        self.assertEqual(contents(resumed), ["hi", "first: hi", "second: hi"])

    async def test_jumps_to_several_nodes(self):
        await self.graph.ainvoke(human("hi"), self.config)
        names = await self.graph.ainvoke(Command(goto=["first", "second"]), self.config)
        self.assertEqual(contents(names)[3:], ["first: hi", "second: hi", "second: hi"])
        # The client itself cannot send a Send.
        sends = [{"node": "second", "input": human(text)} for text in ("one", "two")]
        sent = await self.graph.ainvoke(Command(goto=sends), self.config)
        self.assertEqual(contents(sent)[6:], ["second: one", "second: two"])

    async def test_streams_events_of_version_3(self):
        stream = await self.graph.astream_events(human("hi"), self.config, version="v3")
        async with stream as run:
            self.assertEqual(contents(await run.output()), ["hi", "first: hi", "second: hi"])
            self.assertFalse(await run.interrupted())
