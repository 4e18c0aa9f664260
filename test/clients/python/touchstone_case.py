"""Shared by the tests of the Python clients. The server's address is in TOUCHSTONE_URL."""

import os
import unittest

from langgraph_sdk import get_client


def human(content):
    """Returns an input with one human message."""
    return {"messages": [{"role": "user", "content": content}]}


class ClientCase(unittest.IsolatedAsyncioTestCase):
    """A test with a client of the server and a new thread."""

    async def asyncSetUp(self):
        self.url = os.environ["TOUCHSTONE_URL"]
        self.client = get_client(url=self.url)
        self.thread_id = (await self.client.threads.create())["thread_id"]

    async def asyncTearDown(self):
        await self.client.aclose()
