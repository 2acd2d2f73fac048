"""One request over the hop: files up, the question, the answer however it comes, files down."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ._exchange import MARGIN, Asked, lost_reply, not_taken, unreachable
from ._hop import SMALL, Hop, NotSent, Page, failure, rpc
from ._json import as_list, as_object, as_text
from ._protocol import RETAINED, RUN, Answer, Gone, outcome, read_reply, request_line
from .cancel import note_outcome
from .errors import AgentDeviceError, error_of

#: A server that has not been heard of for so long is given up, s.
SILENCE = 30.0
#: A question after a lost reply waits at most so long before it is asked again, s: gateways end what takes longer.
QUESTION = 60.0
#: Between two questions, s.
PAUSE = 0.5


class Remote:
    """What a client says over its hop. Blocking; safe from several threads."""

    def __init__(self, hop: Hop) -> None:
        self.hop = hop
        self._lock = threading.Lock()
        self._wanted: set[str] = set()
        self._local: str | None = None

    def ask(self, asked: Asked) -> Answer:
        """Sends one request and waits for its answer; `run` itself is never sent a second time."""
        instance = self.hop.hello()
        try:
            request = {**asked.request, "args": self._lent(str(asked.request["command"]), asked.request["args"])}
        except (NotSent, Gone, OSError) as why:
            raise unreachable(f"a file could not be uploaded: {why}") from why
        line = request_line(1, RUN, request)
        deadline = time.monotonic() + asked.limit + MARGIN
        try:
            with (
                asked.cancel.asking(lambda: self._cancel_aside(asked.id)) if asked.cancel else contextlib.nullcontext()
            ):
                try:
                    page = self.hop.request("POST", "/rpc", line, limit=deadline - time.monotonic())
                    return self._answer(page, None, asked)
                except NotSent as why:
                    self.hop.forget()
                    raise unreachable(f"the request could not be sent: {why}") from why
                except Gone as cause:
                    return self._ask_again(asked, instance, deadline, str(cause))
        except AgentDeviceError:
            raise
        except BaseException as stopped:
            self.join(asked, stopped)
            raise

    async def ask_in_thread(self, asked: Asked) -> Answer:
        """The same for asyncio: the request waits in a thread."""
        waiting = asyncio.ensure_future(asyncio.to_thread(self.ask, asked))
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError as stopped:
            await asyncio.to_thread(self.cancel, asked.id)
            await asyncio.wait({waiting}, timeout=MARGIN)
            if waiting.done() and not waiting.cancelled():
                failed = waiting.exception()
                if failed is None:
                    note_outcome(stopped, waiting.result())
                elif isinstance(failed, AgentDeviceError):
                    note_outcome(stopped, failed)
            raise

    def join(self, asked: Asked, stopped: BaseException) -> None:
        """Ends a request whose caller was stopped, and keeps what became of it on what stopped it."""
        self.cancel(asked.id)
        try:
            instance = self.hop.hello()
            note_outcome(stopped, self._ask_again(asked, instance, time.monotonic() + MARGIN, "its caller was stopped"))
        except AgentDeviceError as failed:
            note_outcome(stopped, failed)

    def cancel(self, identity: str) -> None:
        """Tells the server that a request is to end after the send that is under way."""
        # Where it does not arrive the command goes on to its own end, which the question after it waits for.
        with contextlib.suppress(NotSent, Gone):
            self.hop.request("POST", "/rpc", request_line(1, "cancel", {"requestId": identity}), limit=SMALL)

    def _cancel_aside(self, identity: str) -> None:
        threading.Thread(target=self.cancel, args=(identity,), daemon=True).start()

    def _ask_again(self, asked: Asked, instance: str, deadline: float, cause: str) -> Answer:
        line = request_line(1, RETAINED, {"requestId": asked.id, "instance": instance})
        heard = time.monotonic()
        while (now := time.monotonic()) < deadline and now - heard < SILENCE:
            try:
                page = self.hop.request("POST", "/rpc", line, limit=min(QUESTION, deadline - now))
                if page.status == 503:
                    raise Gone("the server has no room")
                return self._answer(page, asked.id, asked)
            except AgentDeviceError as failed:
                if failed.reason == "not_seen":
                    raise lost_reply(asked, cause) if asked.effect == "observes" else not_taken(cause) from None
                if failed.reason in ("instance_gone", "result_forgotten"):
                    self.hop.forget()
                    raise lost_reply(asked, cause) from None
                if failed.code == "UNAUTHORIZED":
                    raise lost_reply(asked, f"{cause}; {failed.message}") from None
                raise
            except (NotSent, Gone):
                # A gateway that ends what takes long is no sign that nobody is there.
                if self.hop.alive():
                    heard = time.monotonic()
                threading.Event().wait(PAUSE)
        raise lost_reply(asked, cause)

    def _answer(self, page: Page, of: str | None, asked: Asked) -> Answer:
        if page.status != 200:
            refusal = failure(page)
            if of is not None and refusal.code != "UNAUTHORIZED":
                # A refusal of the question says nothing of the request.
                raise Gone(refusal.message)
            raise refusal
        said = read_reply(page.body)
        hop = as_object(rpc(page).get("hop")) or {}
        try:
            answer = outcome(said, of, asked.id)
        except AgentDeviceError as failed:
            with contextlib.suppress(Gone, OSError):
                self._fetched(hop, failed.details)
            raise
        try:
            data = self._fetched(hop, answer.data)
        except (Gone, NotSent, OSError) as why:
            raise _not_fetched(asked, why) from why
        return Answer(data, answer.text if answer.text is None else as_text(self._own(hop, answer.text)))

    def _lent(self, command: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments in which files are those of the lease."""
        given = dict(args)
        if command == "open" and isinstance(given.get("app"), str):
            app = str(given["app"])
            local = Path(unquote(app.removeprefix("file://"))) if app.startswith("file://") else Path(app)
            if local.is_absolute() and local.is_file():
                given["app"] = self._up(local)
        if command in ("install", "reinstall", "push") and isinstance(given.get("path"), str):
            given["path"] = self._up(Path(given["path"]))
        if command == "upload":
            given["files"] = [self._up(Path(str(one))) for one in as_list(given.get("files")) or []]
        for key in _OUTPUTS.get(command, ()):
            if isinstance(given.get(key), str):
                given[key] = self._out(given[key])
        if command == "batch":
            given["steps"] = [self._step(step) for step in as_list(given.get("steps")) or []]
        return given

    def _step(self, step: Any) -> Any:
        call = as_object(step)
        inner = as_object(call.get("args")) if call is not None else None
        return step if call is None or inner is None else {**call, "args": self._lent(str(call["command"]), inner)}

    def _up(self, file: Path) -> str:
        return f"lease:/{self.hop.put(file)}"

    def _out(self, path: str) -> str:
        folder = os.path.isdir(path)
        with self._lock:
            self._wanted.add(path.rstrip("/") + "/" if folder else path)
        return f"lease:/out{path.rstrip('/')}{'/' if folder else ''}"

    def _fetched(self, hop: Mapping[str, Any], data: dict[str, Any]) -> dict[str, Any]:
        """Fetches the files that an answer speaks of, and says where they are now."""
        for entry in as_list(hop.get("files")) or []:
            file = as_object(entry) or {}
            name = str(file.get("name"))
            to = self._place(name)
            if to is not None:
                self.hop.get(name, to, int(file.get("bytes") or 0), str(file.get("sha256")))
        return as_object(self._own(hop, data)) or {}

    def _place(self, name: str) -> Path | None:
        """Where a file of the lease goes; `None` where nobody has asked for it there."""
        if ".." in name.split("/"):
            return None
        if name.startswith("host/"):
            return Path(self._host_folder()) / name
        path = "/" + name.removeprefix("out/")
        plain = re.sub(r"-\d+(\.[^./]*)?$", lambda end: end.group(1) or "", path)
        with self._lock:
            asked = path in self._wanted or plain in self._wanted or os.path.dirname(path) + "/" in self._wanted
        return Path(path) if name.startswith("out/") and asked else None

    def _host_folder(self) -> str:
        with self._lock:
            if self._local is None:
                self._local = tempfile.mkdtemp(prefix="agent-device-")
            return self._local

    def _own(self, hop: Mapping[str, Any], value: Any) -> Any:
        """The caller's own paths in place of the device host's."""
        folder = as_text(hop.get("folder"))
        if not folder:
            return value
        if isinstance(value, str):
            if f"{folder}/host/" in value:
                value = value.replace(f"{folder}/host/", f"{self._host_folder()}/host/")
            return value.replace(f"{folder}/out/", "/")
        entries, items = as_object(value), as_list(value)
        if entries is not None:
            return {key: self._own(hop, inner) for key, inner in entries.items()}
        return [self._own(hop, inner) for inner in items] if items is not None else value


_OUTPUTS: dict[str, tuple[str, ...]] = {
    "open": ("saveScript",),
    "pull": ("path",),
    "screenshot": ("out", "path"),
    "record": ("path",),
    "session": ("path",),
}


def _not_fetched(asked: Asked, why: Exception) -> AgentDeviceError:
    dispatched = "no" if asked.effect == "observes" else "unknown"
    return error_of(
        {
            "code": "STORAGE_FAILED",
            "message": f"the command was done, and its file could not be fetched: {why}",
            "details": {"dispatched": dispatched, "reason": "file_not_fetched"},
            "hint": "the file stays with the lease: ask for it again",
        },
        asked.id,
    )
