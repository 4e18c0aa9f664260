import json
import os
import warnings

import httpx
import pytest
from helpers import human
from langgraph_sdk import errors, get_client

# Each fault hits only the first request, so that a client that repeats it gets a response.
CREATE = "route=POST /threads; first=1"
STREAM = "route=POST /threads/{thread_id}/runs/stream"
# Only this dialect sends the header Location, which the client needs to read the rest of a broken stream.
REJOINS = os.environ["TOUCHSTONE_DIALECT"] == "agent-server"


def faulty(connection, fault, timeout=None):
    """Returns a client whose requests ask for a fault."""
    return get_client(url=connection["url"], headers={"x-touchstone-fault": fault}, timeout=timeout)


async def test_waits_for_a_slow_response(connection):
    async with faulty(connection, f"latency=200; {CREATE}") as client:
        assert (await client.threads.create())["status"] == "idle"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("latency=5000", httpx.ReadTimeout),
        ("status=400", errors.BadRequestError),
        ("status=401", errors.AuthenticationError),
        ("status=403", errors.PermissionDeniedError),
        ("status=404", errors.NotFoundError),
        ("status=408", errors.APIStatusError),
        ("status=409", errors.ConflictError),
        ("status=422", errors.UnprocessableEntityError),
        ("status=500", errors.InternalServerError),
        ("status=502", errors.InternalServerError),
        ("status=503", errors.InternalServerError),
        ("status=504", errors.InternalServerError),
        ("rate-limit", errors.RateLimitError),
        ("reset", httpx.ReadError),
        ("reset; carriedOut=true", httpx.ReadError),
        ("malformed-json", json.JSONDecodeError),
    ],
)
async def test_raises_without_a_retry(connection, fault, error):
    async with faulty(connection, f"{fault}; {CREATE}", timeout=1) as client:
        with pytest.raises(error) as raised:
            await client.threads.create()
    if issubclass(error, errors.APIStatusError):
        assert isinstance(raised.value, httpx.HTTPStatusError)


async def streamed(connection, thread_id, fault, timeout=None, resumable=False):
    """Streams a run with three events. Returns the names and the data of those that arrive, and the error."""
    # Requests with the same header count together, so the calls need different ones.
    only = "nth=1" if resumable else "first=1"
    names, data = [], []
    options = {"input": human("hi"), "stream_mode": "updates", "stream_resumable": resumable}
    async with faulty(connection, f"{fault}; {STREAM}; {only}", timeout) as client:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                async for part in client.runs.stream(thread_id, "echo", **options):
                    names.append(part.event)
                    data.append(part.data)
        except Exception as error:
            return names, data, type(error)
    return names, data, None


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("cut=2", ["metadata", "updates"]),
        ("duplicate=2", ["metadata", "updates", "updates", "updates"]),
        ("split-utf8=2", ["metadata", "updates", "updates"]),
    ],
)
async def test_streams(connection, thread_id, fault, expected):
    names, _, error = await streamed(connection, thread_id, fault)
    assert (names, error) == (expected, None)


async def test_invalid_json_in_a_stream(connection, thread_id):
    names, _, error = await streamed(connection, thread_id, "malformed-json=2")
    assert names == ["metadata"]
    assert issubclass(error, json.JSONDecodeError)


async def test_invalid_utf8_in_a_stream(connection, thread_id):
    names, data, error = await streamed(connection, thread_id, "broken-utf8=2")
    assert (len(names), error) == (3, None)
    assert "\ufffd" in json.dumps(data, ensure_ascii=False)


@pytest.mark.parametrize("resumable", [False, True])
@pytest.mark.parametrize(
    ("fault", "error", "timeout"),
    [("reset=2", httpx.RemoteProtocolError, None), ("stall=2", httpx.ReadTimeout, 1)],
)
async def test_broken_streams(connection, thread_id, fault, error, timeout, resumable):
    names, _, raised = await streamed(connection, thread_id, fault, timeout, resumable)
    assert raised is (None if REJOINS else error)
    assert len(names) == (3 if REJOINS and resumable else 2)
