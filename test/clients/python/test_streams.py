import asyncio

from touchstone_case import ClientCase, human


class Streams(ClientCase):
    async def test_joins_a_run_without_naming_a_stream_mode(self):
        run = await self.client.runs.create(
            self.thread_id, "slow", input=human("hi"), config={"configurable": {"delay_ms": 200}}
        )
        events = [part.event async for part in self.client.runs.join_stream(self.thread_id, run["run_id"])]
        self.assertIn("values", events)

    async def test_joins_a_run_in_several_stream_modes(self):
        run = await self.client.runs.create(
            self.thread_id,
            "slow",
            input=human("hi"),
            config={"configurable": {"delay_ms": 200}},
            stream_mode=["values", "updates"],
        )
        modes = ["values", "updates"]
        stream = self.client.runs.join_stream(self.thread_id, run["run_id"], stream_mode=modes)
        events = {part.event async for part in stream}
        self.assertLessEqual({"values", "updates"}, events)

    async def test_lifecycle_of_a_thread_shows_the_end_of_each_run(self):
        seen = []

        async def follow():
            async for part in await self.client.threads.join_stream(
                self.thread_id, stream_mode="lifecycle", last_event_id="-"
            ):
                seen.append((part.event, part.data.get("status")))
                if len(seen) == 4:
                    return

        following = asyncio.create_task(follow())
        for _ in range(2):
            await self.client.runs.wait(self.thread_id, "echo", input=human("hi"))
        await asyncio.wait_for(following, 60)
        self.assertEqual(seen, [("metadata", None), ("metadata", "run_done")] * 2)
