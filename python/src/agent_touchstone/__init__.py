"""Touchstone for Python: the command `touchstone`, a pytest plugin and a mock server."""

from .async_mock import AsyncAgentMock
from .mock import AgentMock, serve

__all__ = ["AgentMock", "AsyncAgentMock", "RequirementWarning", "serve"]


class RequirementWarning(UserWarning):
    """A SHOULD requirement that the server does not meet."""
