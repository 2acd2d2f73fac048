"""How a caller stops what it has asked for, from another thread or task."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from ._protocol import Answer
from .errors import AgentDeviceError


class Cancel:
    """Stops every call that was made with it: `client.with_options(cancel=cancel)`.

    The daemon joins the send in flight and answers what became of it: the call returns what was done, or raises
    `CANCELLED` with its `dispatched`. Setting it is safe from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._set = False
        self._asking: dict[int, Callable[[], None]] = {}
        self._next = 0

    def set(self) -> None:
        """Stops them. Calls that are made with it afterwards are stopped at once."""
        with self._lock:
            self._set = True
            asking = list(self._asking.values())
        for end in asking:
            end()

    @property
    def is_set(self) -> bool:
        """Whether it was set."""
        return self._set

    @contextmanager
    def asking(self, end: Callable[[], None]) -> Generator[None, None, None]:
        """Notes a connection on which a request has been written."""
        with self._lock:
            number, self._next = self._next, self._next + 1
            self._asking[number] = end
            already = self._set
        if already:
            end()
        try:
            yield
        finally:
            with self._lock:
                self._asking.pop(number, None)


_OUTCOME = "agent_device_outcome"


def note_outcome(stopped: BaseException, outcome: Answer | AgentDeviceError) -> None:
    """Keeps what became of a call on the exception that ended it."""
    setattr(stopped, _OUTCOME, outcome)


def outcome_of(stopped: BaseException) -> Answer | AgentDeviceError | None:
    """What became of the call that an exception ended (`KeyboardInterrupt`, `asyncio.CancelledError`, `TimeoutError` of
    `asyncio.timeout`): its answer, or its failure with `dispatched`. `None` where nothing was asked.
    """
    seen: BaseException | None = stopped
    while seen is not None:
        outcome = getattr(seen, _OUTCOME, None)
        if isinstance(outcome, Answer | AgentDeviceError):
            return outcome
        seen = seen.__cause__ or seen.__context__
    return None
