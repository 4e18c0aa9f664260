"""Shared by the tests of the Python clients."""

ECHO = ["hi", "first: hi", "second: hi"]


def human(content):
    """Returns an input with one human message."""
    return {"messages": [{"role": "user", "content": content}]}


def contents(values):
    """Returns the contents of the messages of a state."""
    return [message["content"] for message in values["messages"]]


class Awaitable:
    """An object of a synchronous client with the interface of the asynchronous one."""

    def __init__(self, wrapped):
        self._wrapped = wrapped

    def __getattr__(self, name):
        return Awaitable(getattr(self._wrapped, name))

    def __call__(self, *args, **kwargs):
        return Awaitable(self._wrapped(*args, **kwargs))

    def __await__(self):
        yield from ()
        return self if hasattr(self._wrapped, "__next__") or hasattr(self._wrapped, "__enter__") else self._wrapped

    async def __aiter__(self):
        for item in self._wrapped:
            yield item

    async def __aenter__(self):
        return Awaitable(self._wrapped.__enter__())

    async def __aexit__(self, *error):
        self._wrapped.__exit__(*error)
