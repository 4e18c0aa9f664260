import asyncio

import pytest
from helpers import human


@pytest.mark.parametrize(("modes", "expected"), [(None, {"values"}), (["values", "updates"], {"values", "updates"})])
async def test_joins_a_run(client, thread_id, modes, expected):
    run = await client.runs.create(
        thread_id,
        "slow",
        input=human("hi"),
        config={"configurable": {"delay_ms": 200}},
        stream_mode=modes or "values",
    )
    # Without modes, this client sends an empty `stream_mode`.
    options = {"stream_mode": modes} if modes else {}
    stream = client.runs.join_stream(thread_id, run["run_id"], **options)
    assert expected <= {part.event async for part in stream}


async def test_lifecycle_of_a_thread_shows_the_end_of_each_run(client, thread_id):
    seen = []

    async def follow():
        stream = await client.threads.join_stream(thread_id, stream_mode="lifecycle", last_event_id="-")
        async for part in stream:
            seen.append((part.event, part.data.get("status")))
            if len(seen) == 4:
                return

    following = asyncio.create_task(follow())
    for _ in range(2):
        await client.runs.wait(thread_id, "echo", input=human("hi"))
    await asyncio.wait_for(following, 60)
    assert seen == [("metadata", None), ("metadata", "run_done")] * 2
