"""Lines of the socket: JSON-RPC 2.0, one object a line."""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from ._facts import LINE_LIMIT
from ._json import as_object, as_text
from .errors import error_of, refused

HELLO = "hello"
RUN = "run"
RETAINED = "retained"

#: The daemon's answers may be longer than what it takes.
REPLY_LIMIT = 4 * LINE_LIMIT

_count = itertools.count()


class Answer(NamedTuple):
    """What a command answers."""

    data: dict[str, Any]
    """For programs."""
    text: str | None
    """For people, where it was asked for."""


class Gone(Exception):
    """A reply that will not come on this connection, and why."""


class Reply(NamedTuple):
    """A reply line, taken apart."""

    id: Any
    of: str | None
    result: dict[str, Any] | None
    error: dict[str, Any] | None


def request_id() -> str:
    """An id that no other request has: the time, this process, a count."""
    return f"python-{time.time_ns():x}-{os.getpid():x}-{next(_count):x}"


def request_line(number: int, method: str, params: Mapping[str, Any]) -> bytes:
    """A request as a line."""
    try:
        text = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}, allow_nan=False)
    except (TypeError, ValueError) as why:
        raise refused(
            "INVALID_ARGS",
            f"the arguments cannot be written as JSON: {why}",
            row="client.usage",
            reason="invalid_arguments",
        ) from why
    return text.encode() + b"\n"


def read_reply(line: bytes) -> Reply:
    """Takes a line apart."""
    try:
        said = as_object(json.loads(line))
    except ValueError as why:
        raise Gone(f"a reply that is no JSON: {why}") from why
    if said is None:
        raise Gone("a reply that is no object")
    return Reply(said.get("id"), as_text(said.get("of")), as_object(said.get("result")), as_object(said.get("error")))


def outcome(reply: Reply, of: str | None, request: str | None) -> Answer:
    """What a reply says of the request. `of` is the request whose outcome was asked for: a reply that is not about it
    (a refusal of the question itself) is none.
    """
    if reply.of != of:
        raise Gone("a reply about something else")
    if reply.error is not None:
        failure = as_object(reply.error.get("data"))
        if failure is None or as_text(failure.get("code")) is None:
            raise Gone("an error that does not say what failed")
        raise error_of(failure, request)
    if reply.result is None:
        raise Gone("a reply that says nothing")
    return Answer(as_object(reply.result.get("data")) or {}, as_text(reply.result.get("text")))
