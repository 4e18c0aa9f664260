"""Clients of the server at TOUCHSTONE_URL. Their requests have the name of the test in the header `test-name`."""

import os

import pytest
from langgraph_sdk import get_client


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture
def dialect():
    return os.environ["TOUCHSTONE_DIALECT"]


@pytest.fixture
def connection(request):
    return {"url": os.environ["TOUCHSTONE_URL"], "headers": {"test-name": request.node.name}}


@pytest.fixture
async def client(connection):
    async with get_client(**connection) as client:
        yield client


@pytest.fixture
async def thread_id(client):
    return (await client.threads.create())["thread_id"]
