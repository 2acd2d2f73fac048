"""What is raised: one class, which says above all whether a resend is safe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from ._json import as_object, as_text

if TYPE_CHECKING:
    from .generated import Code

Dispatched = Literal["no", "unknown"]
"""`no`: nothing of it reached the device, or it only looked. `unknown`: it may have landed: look first."""


class AgentDeviceError(Exception):
    """A command that failed.

    `code` is one of a closed list, `dispatched` says whether the same request may be sent again. Decide by these, never
    by the wording of `message`.
    """

    code: Code
    """What kind of failure."""
    message: str
    """What happened and what was being done."""
    dispatched: Dispatched
    """Whether it may have reached the device."""
    dispatched_steps: int | None
    """How many of its sends returned before it failed, where there were some."""
    row: str | None
    """The row of the golden table under which it was classified."""
    hint: str | None
    """What to do next."""
    retriable: bool
    """Whether the same request may succeed later without anybody changing anything."""
    details: dict[str, Any]
    """Facts for programs: candidates, both strings of a mismatch, the polls of a wait."""
    request_id: str | None
    """The request, as the session's timeline names it."""

    def __init__(self, failure: Mapping[str, Any], request_id: str | None = None) -> None:
        self.details = dict(as_object(failure.get("details")) or {})
        self.code = cast("Code", as_text(failure.get("code")) or "INTERNAL")
        self.message = str(failure.get("message", "it failed and did not say why"))
        # One that says nothing is read as `unknown`: a look too many is cheaper than an action too many.
        self.dispatched = "no" if self.details.get("dispatched") == "no" else "unknown"
        steps = self.details.get("dispatchedSteps")
        self.dispatched_steps = steps if isinstance(steps, int) else None
        self.row = as_text(self.details.get("dispatchRow"))
        self.hint = as_text(failure.get("hint"))
        self.retriable = failure.get("retriable") is True
        self.request_id = request_id
        super().__init__(self.message)

    @property
    def reason(self) -> str | None:
        """A finer word than the code, snake_case."""
        return as_text(self.details.get("reason"))

    def __str__(self) -> str:
        before = f" ({self.dispatched_steps} sent before)" if self.dispatched_steps else ""
        text = f"{self.code}: {self.message}\nDispatched: {self.dispatched}{before}"
        return f"{text}\nHint: {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[Any, ...]:
        # Test runners carry errors between processes.
        failure = {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "retriable": self.retriable,
            "details": self.details,
        }
        return (type(self), (failure, self.request_id))


class DaemonUnavailableError(AgentDeviceError):
    """There is no daemon to ask: it cannot be found, started or reached. Nothing was sent, or the reply was lost."""


class VersionMismatchError(AgentDeviceError):
    """Program, daemon and client are not of the same version. Nothing was sent."""


_CLASSES: dict[str, type[AgentDeviceError]] = {
    "DAEMON_UNAVAILABLE": DaemonUnavailableError,
    "VERSION_MISMATCH": VersionMismatchError,
}


def error_of(failure: Mapping[str, Any], request_id: str | None = None) -> AgentDeviceError:
    """A failure as it came over the wire."""
    return _CLASSES.get(str(failure.get("code")), AgentDeviceError)(failure, request_id)


def refused(
    code: Code, message: str, *, row: str, reason: str, hint: str | None = None, retriable: bool = False
) -> AgentDeviceError:
    """A failure of the client itself before anything was sent."""
    return _own(code, message, row, reason, hint, retriable=retriable, dispatched="no")


def lost(message: str, *, row: str, hint: str) -> AgentDeviceError:
    """A request of which nobody can say what became of it."""
    return _own("DAEMON_UNAVAILABLE", message, row, "daemon_reply_lost", hint, retriable=False, dispatched="unknown")


def _own(
    code: Code, message: str, row: str, reason: str, hint: str | None, *, retriable: bool, dispatched: Dispatched
) -> AgentDeviceError:
    details = {"dispatched": dispatched, "dispatchRow": row, "reason": reason}
    failure: dict[str, Any] = {"code": code, "message": message, "retriable": retriable, "details": details}
    return error_of({**failure, "hint": hint} if hint else failure)
