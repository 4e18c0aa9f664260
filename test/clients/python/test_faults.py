import json
import os
import warnings

import httpx
from langgraph_sdk import errors, get_client

from touchstone_case import ClientCase, human

# Each fault hits only the first request, so that a client that repeats it gets a response.
CREATE = "route=POST /threads; first=1"
STREAM = "route=POST /threads/{thread_id}/runs/stream"
# Only this dialect sends the header Location, which the client needs to read the rest of a broken stream.
REJOINS = os.environ["TOUCHSTONE_DIALECT"] == "agent-server"


class Faults(ClientCase):
    async def fault(self, fault, timeout=None):
        """Returns a client whose requests ask for a fault."""
        client = get_client(url=self.url, headers={"x-touchstone-fault": fault}, timeout=timeout)
        self.addAsyncCleanup(client.aclose)
        return client

    async def test_waits_for_a_slow_response(self):
        client = await self.fault(f"latency=200; {CREATE}")
        self.assertEqual((await client.threads.create())["status"], "idle")

    async def test_raises_without_a_retry(self):
        expected = {
            "latency=5000": httpx.ReadTimeout,
            "status=400": errors.BadRequestError,
            "status=401": errors.AuthenticationError,
            "status=403": errors.PermissionDeniedError,
            "status=404": errors.NotFoundError,
            "status=408": errors.APIStatusError,
            "status=409": errors.ConflictError,
            "status=422": errors.UnprocessableEntityError,
            "status=500": errors.InternalServerError,
            "status=502": errors.InternalServerError,
            "status=503": errors.InternalServerError,
            "status=504": errors.InternalServerError,
            "rate-limit": errors.RateLimitError,
            "reset": httpx.ReadError,
            "reset; carriedOut=true": httpx.ReadError,
            "malformed-json": json.JSONDecodeError,
        }
        for fault, error in expected.items():
            with self.subTest(fault):
                client = await self.fault(f"{fault}; {CREATE}", timeout=1)
                with self.assertRaises(error) as raised:
                    await client.threads.create()
                if issubclass(error, errors.APIStatusError):
                    self.assertIsInstance(raised.exception, httpx.HTTPStatusError)

    async def stream(self, fault, timeout=None, resumable=False):
        """Streams a run with three events. Returns the names and the data of those that arrive, and the error."""
        # Requests with the same header count together, so the calls need different ones.
        only = "nth=1" if resumable else "first=1"
        client = await self.fault(f"{fault}; {STREAM}; {only}", timeout)
        names, data = [], []
        options = {"input": human("hi"), "stream_mode": "updates", "stream_resumable": resumable}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                async for part in client.runs.stream(self.thread_id, "echo", **options):
                    names.append(part.event)
                    data.append(part.data)
        except Exception as error:
            return names, data, type(error)
        return names, data, None

    async def test_streams(self):
        expected = {
            "cut=2": (["metadata", "updates"], None),
            "duplicate=2": (["metadata", "updates", "updates", "updates"], None),
            "split-utf8=2": (["metadata", "updates", "updates"], None),
        }
        for fault, outcome in expected.items():
            with self.subTest(fault):
                names, _, error = await self.stream(fault)
                self.assertEqual((names, error), outcome)

    async def test_invalid_json_in_a_stream(self):
        names, _, error = await self.stream("malformed-json=2")
        self.assertEqual(names, ["metadata"])
        self.assertTrue(issubclass(error, json.JSONDecodeError))

    async def test_invalid_utf8_in_a_stream(self):
        names, data, error = await self.stream("broken-utf8=2")
        self.assertEqual((len(names), error), (3, None))
        self.assertIn("\ufffd", json.dumps(data, ensure_ascii=False))

    async def test_broken_streams(self):
        for fault, error, timeout in [("reset=2", httpx.RemoteProtocolError, None), ("stall=2", httpx.ReadTimeout, 1)]:
            for resumable in [False, True]:
                with self.subTest(fault, resumable=resumable):
                    names, _, raised = await self.stream(fault, timeout, resumable)
                    self.assertEqual(raised, None if REJOINS else error)
                    self.assertEqual(len(names), 3 if REJOINS and resumable else 2)
