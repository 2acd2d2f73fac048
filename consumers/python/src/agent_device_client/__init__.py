"""Drives browsers and devices through agent-device, and says of every failure whether it reached the device.

| module | answers |
| --- | --- |
| `client` | the blocking client |
| `aio` | the asyncio client |
| `errors` | what is raised, and what it says of a resend |
| `resend` | what a caller does about a failure |
| `cancel` | how a call is stopped, and what became of it |
| `generated` | arguments, results and messages as types, for type checkers; written from the contract |
| `pytest_plugin` | the `device` fixture |
| `_commands`, `_async_commands` | one method for each command; written from the contract |
| `_facts` | what is true of the commands when the client runs; written from the contract |
| `_arguments` | what a caller writes, made into what goes over the wire |
| `_base` | how a call becomes a request |
| `_caller` | paths, which are the caller's |
| `_exchange` | one request: how the daemon is reached, and what is made of a reply that does not come |
| `_blocking`, `_asyncio` | the two ways to the socket |
| `_protocol` | lines of the socket |
| `_hop`, `_remote` | the way to `agent-device serve`: requests and the lease; one request with its files |
| `_program` | the program: where it is, and what it is run for |
| `_events` | going through a session's timeline |
"""

from ._arguments import Target
from ._base import Suite
from ._facts import VERSION as __version__
from ._protocol import Answer
from .aio import AsyncClient
from .cancel import Cancel, outcome_of
from .client import Client
from .errors import AgentDeviceError, DaemonUnavailableError, Dispatched, VersionMismatchError
from .resend import (
    Decision,
    observe_then_decide,
    observe_then_decide_async,
    with_resend,
    with_resend_async,
)

__all__ = [
    "AgentDeviceError",
    "Answer",
    "AsyncClient",
    "Cancel",
    "Client",
    "DaemonUnavailableError",
    "Decision",
    "Dispatched",
    "Suite",
    "Target",
    "VersionMismatchError",
    "__version__",
    "observe_then_decide",
    "observe_then_decide_async",
    "outcome_of",
    "with_resend",
    "with_resend_async",
]
