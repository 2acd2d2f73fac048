"""The way to `agent-device serve`: HTTP requests, the lease, its heartbeat.

The protocol is in docs/reference/remote-protocol.md. Blocking: the asyncio client runs it in threads.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import secrets
import ssl
import threading
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from ._exchange import GREET_LIMIT, mismatch, unreachable
from ._facts import VERSION
from ._json import as_object, as_text
from ._protocol import HELLO, REPLY_LIMIT, Gone, request_line
from .errors import AgentDeviceError, error_of, refused

#: Without a request for so long the lease is told that somebody is there, s.
HEARTBEAT = 20.0
#: How long one small request may take, s.
SMALL = 30.0
#: How long a file may take, s.
FILE_LIMIT = 600.0
#: What ends a client waits no longer for the server to say goodbye, s.
GOODBYE = 3.0
_CHUNK = 1 << 20
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class NotSent(Exception):
    """The request was not written whole, so that it is none."""


class Page(NamedTuple):
    """A reply of the server."""

    status: int
    body: bytes


class Address(NamedTuple):
    """Where the server is, and what opens it."""

    url: str
    token: str
    lease: str

    def environment(self) -> dict[str, str]:
        """The same for the program."""
        return {"AGENT_DEVICE_URL": self.url, "AGENT_DEVICE_TOKEN": self.token, "AGENT_DEVICE_LEASE": self.lease}


def address(url: str | None, token: str | None, token_file: str | os.PathLike[str] | None) -> Address | None:
    """The server that was named, in the arguments or in the environment; `None` where the daemon is the local one."""
    url = url or os.environ.get("AGENT_DEVICE_URL") or None
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise _usage(f"{url!r} is no address of a server: http://HOST:PORT or https://HOST[:PORT]")
    allowed = os.environ.get("AGENT_DEVICE_ALLOW_HTTP") == "1"
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK and not allowed:
        raise _usage(
            f"{url} would send the token over an open line",
            "use https, or a tunnel to this host; where something else keeps the line private: AGENT_DEVICE_ALLOW_HTTP=1",
        )
    lease = os.environ.get("AGENT_DEVICE_LEASE") or f"py-{secrets.token_hex(8)}"
    return Address(url.rstrip("/"), _token(token, token_file), lease)


def _token(token: str | None, token_file: str | os.PathLike[str] | None) -> str:
    found = token
    if found is None and token_file is None:
        found = os.environ.get("AGENT_DEVICE_TOKEN")
        token_file = os.environ.get("AGENT_DEVICE_TOKEN_FILE")
    if not found and token_file:
        try:
            found = Path(token_file).read_text(encoding="utf-8").strip()
        except OSError as why:
            raise _usage(f"{os.fspath(token_file)}: {why.strerror}") from why
    if not found or not found.isascii() or not found.isprintable():
        raise _usage("there is no token for the server", "give token=, AGENT_DEVICE_TOKEN or AGENT_DEVICE_TOKEN_FILE")
    return found


def _usage(why: str, hint: str | None = None) -> AgentDeviceError:
    return refused("INVALID_ARGS", why, row="client.usage", reason="usage", hint=hint)


class Hop:
    """One client's way to a server."""

    def __init__(self, where: Address) -> None:
        self.where = where
        self._parts = urlsplit(where.url)
        self._tls = ssl.create_default_context() if self._parts.scheme == "https" else None
        self._welcomed: str | None = None
        self._beat = _Heartbeat()
        self._closer = weakref.finalize(self, _goodbye, _request_parts(where, self._parts, self._tls), self._beat)

    def close(self) -> None:
        """Ends the lease: its sessions are closed and its files removed."""
        self._closer()

    @property
    def closed(self) -> bool:
        """Whether the lease was ended."""
        return not self._closer.alive

    def hello(self) -> str:
        """Greets the server once; the daemon's instance."""
        if self._welcomed is None:
            try:
                page = self.request("POST", "/rpc", request_line(0, HELLO, {"version": VERSION}), limit=GREET_LIMIT)
                welcome = as_object(rpc(page).get("result")) or {}
            except (NotSent, Gone) as why:
                raise unreachable(f"{self.where.url} does not answer: {why}") from why
            if welcome.get("accepted") is not True or welcome.get("version") != VERSION:
                raise mismatch(
                    f"{self.where.url} is agent-device {welcome.get('version')}, this is the Python client {VERSION}"
                )
            self._welcomed = str(welcome.get("instance"))
            self._beat.start(_request_parts(self.where, self._parts, self._tls))
        return self._welcomed

    def forget(self) -> None:
        """Greets again before the next request."""
        self._welcomed = None

    def alive(self) -> bool:
        """Whether the server is there at all."""
        try:
            return self.request("GET", "/health", limit=GREET_LIMIT).status == 200
        except (NotSent, Gone):
            return False

    def request(self, method: str, path: str, body: bytes = b"", *, limit: float) -> Page:
        """One request, one reply. `NotSent` only while not every byte of it was handed to the system."""
        self._beat.asked()
        return _request_parts(self.where, self._parts, self._tls).send(method, path, body, limit)

    def put(self, file: Path) -> str:
        """Sends a file, unless it is there; its name within the lease."""
        digest, size = _digest(file)
        name = f"in/{digest}/{file.name}"
        parts = _request_parts(self.where, self._parts, self._tls)
        self._beat.asked()
        if parts.send("HEAD", _files(name), b"", SMALL).status != 200:
            with file.open("rb") as content:
                page = parts.send("PUT", _files(name), content, FILE_LIMIT, size=size)
            if page.status not in (200, 201):
                raise failure(page)
        return name

    def get(self, name: str, to: Path, size: int, digest: str) -> None:
        """Fetches a file, whole or not at all, and removes it there."""
        self._beat.asked()
        parts = _request_parts(self.where, self._parts, self._tls)
        to.parent.mkdir(parents=True, exist_ok=True)
        partial = to.with_name(f".{to.name}.{secrets.token_hex(4)}.part")
        try:
            parts.fetch(_files(name), partial)
            found = _digest(partial)
            if found != (digest, size):
                raise Gone(f"{name} came with {found[1]} bytes where {size} were said, or with other content")
            os.replace(partial, to)
        finally:
            partial.unlink(missing_ok=True)
        parts.send("DELETE", _files(name), b"", SMALL)


class _Parts(NamedTuple):
    """What a request needs, without the client: its end must not keep it alive."""

    where: Address
    host: str
    port: int | None
    prefix: str
    tls: ssl.SSLContext | None

    def _connection(self, limit: float) -> http.client.HTTPConnection:
        if self.tls is not None:
            return http.client.HTTPSConnection(self.host, self.port, timeout=limit, context=self.tls)
        return http.client.HTTPConnection(self.host, self.port, timeout=limit)

    def _headers(self, size: int) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {self.where.token}", "Agent-Device-Lease": self.where.lease}
        return {**headers, "Content-Length": str(size)} if size else headers

    def send(self, method: str, path: str, body: Any, limit: float, size: int | None = None) -> Page:
        """One request, one reply."""
        connection = self._connection(limit)
        try:
            length = len(body) if size is None else size
            headers = self._headers(length)
            if method in ("POST", "PUT"):
                headers["Content-Length"] = str(length)
            try:
                connection.connect()
                connection.request(method, self.prefix + path, body=body or None, headers=headers)
            except (OSError, http.client.HTTPException) as why:
                raise NotSent(f"{type(why).__name__}: {why}") from why
            try:
                response = connection.getresponse()
                if response.getheader("Agent-Device") is None:
                    raise Gone(f"something else answered, with {response.status}")
                content = response.read(REPLY_LIMIT + 1)
                if len(content) > REPLY_LIMIT:
                    raise Gone("a reply that is too long")
                expected = response.length
                if expected:
                    raise Gone("the reply was cut off")
                return Page(response.status, content)
            except (OSError, http.client.HTTPException) as why:
                raise Gone(f"{type(why).__name__}: {why}") from why
        finally:
            connection.close()

    def fetch(self, path: str, to: Path) -> None:
        """The content of a file."""
        connection = self._connection(SMALL)
        deadline = time.monotonic() + FILE_LIMIT
        try:
            connection.request("GET", self.prefix + path, headers=self._headers(0))
            response = connection.getresponse()
            if response.getheader("Agent-Device") is None or response.status != 200:
                raise Gone(f"the server answered with {response.status}")
            with to.open("wb") as file:
                while chunk := response.read(_CHUNK):
                    file.write(chunk)
                    if time.monotonic() > deadline:
                        raise Gone("the file took too long")
        except (OSError, http.client.HTTPException) as why:
            raise Gone(f"{type(why).__name__}: {why}") from why
        finally:
            connection.close()


def _request_parts(where: Address, parts: Any, tls: ssl.SSLContext | None) -> _Parts:
    return _Parts(where, str(parts.hostname), parts.port, str(parts.path).rstrip("/"), tls)


class _Heartbeat:
    """Tells the lease that somebody is there, while nothing is asked."""

    def __init__(self) -> None:
        self._end = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._asked = time.monotonic()

    def start(self, parts: _Parts) -> None:
        """Begins, once."""
        with self._lock:
            if self._thread is None and not self._end.is_set():
                self._thread = threading.Thread(target=self._run, args=(parts,), name="agent-device-lease", daemon=True)
                self._thread.start()

    def asked(self) -> None:
        """Notes a request: it keeps the lease as well."""
        self._asked = time.monotonic()

    def end(self) -> None:
        """Stops."""
        self._end.set()

    def _run(self, parts: _Parts) -> None:
        while not self._end.wait(max(0.05, self._asked + HEARTBEAT - time.monotonic())):
            if time.monotonic() - self._asked >= HEARTBEAT:
                self.asked()
                try:
                    parts.send("POST", "/lease", b"{}", SMALL)
                except (NotSent, Gone):
                    # The next one may get through; a lease that has run out is the next request's to find.
                    continue


def _goodbye(parts: _Parts, beat: _Heartbeat) -> None:
    beat.end()
    try:
        parts.send("DELETE", "/lease", b"", GOODBYE)
    except (NotSent, Gone):
        # The lease runs out by itself.
        return


def rpc(page: Page) -> Mapping[str, Any]:
    """The JSON-RPC object of a reply; an `AgentDeviceError` where the server refused the request."""
    if page.status != 200:
        raise failure(page)
    try:
        said = as_object(json.loads(page.body))
    except ValueError as why:
        raise Gone(f"a reply that is no JSON: {why}") from why
    if said is None:
        raise Gone("a reply that is no object")
    return said


def failure(page: Page) -> AgentDeviceError:
    """Why the server refused a request: nothing was handed to the daemon."""
    try:
        said = as_object((as_object(json.loads(page.body or b"{}")) or {}).get("error"))
    except ValueError:
        said = None
    if said is None or as_text(said.get("code")) is None:
        return unreachable(f"the server refused the request with {page.status}")
    details = {**(as_object(said.get("details")) or {}), "dispatched": "no"}
    return error_of({**said, "details": details})


def _files(name: str) -> str:
    return "/files/" + quote(name)


def _digest(file: Path) -> tuple[str, int]:
    hashed, size = hashlib.sha256(), 0
    with file.open("rb") as content:
        while chunk := content.read(_CHUNK):
            hashed.update(chunk)
            size += len(chunk)
    return hashed.hexdigest(), size
