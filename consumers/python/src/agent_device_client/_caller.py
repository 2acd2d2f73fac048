"""What only the caller's side knows: its folder. The daemon lives elsewhere, so paths go out whole."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ._json import as_list, as_object
from .errors import AgentDeviceError, refused

#: Extensions of files that a browser opens.
PAGES = frozenset(
    ("html", "htm", "xhtml", "svg", "pdf", "txt", "md", "json", "xml", "png", "jpg", "jpeg", "gif", "webp")
)


def workspace(folder: str) -> str:
    """The folder that names the implied session: the git worktree around a folder, else the folder."""
    here = Path(folder)
    return str(next((one for one in (here, *here.parents) if (one / ".git").exists()), here))


def absolute(folder: str, path: str) -> str:
    """The whole path, without `.` and `..`. Links stay: what a page asks for lies beside the link."""
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def resolve(command: str, args: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """The arguments with every path made absolute, and checked as far as it can be before anything is sent."""
    given = dict(args)
    work = _RESOLVERS.get(command)
    if work is not None:
        work(given, folder)
    return given


def _open(args: dict[str, Any], folder: str) -> None:
    if isinstance(args.get("app"), str):
        args["app"] = _opened(args["app"], folder)
    if isinstance(args.get("saveScript"), str):
        args["saveScript"] = _script(args["saveScript"], folder, force=bool(args.get("force")))
    wanted = args.get("capabilities")
    if isinstance(wanted, str) and wanted.startswith("@"):
        name = absolute(folder, wanted[1:])
        try:
            args["capabilities"] = json.loads(Path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as why:
            raise _unreadable(name, why) from why


def _opened(app: str, folder: str) -> str:
    """An app as it is sent: files with their whole path, pages on disk as addresses."""
    path = absolute(folder, app)
    extension = os.path.splitext(path)[1].lstrip(".").lower()
    if "://" in app or (not os.path.isfile(path) and extension != "toml"):
        # Written as a path, so no address is meant: example.org/a.html may be one.
        if extension in PAGES and app.startswith((".", "/")):
            raise _unreadable(app, "there is no such file")
        return app
    return "file://" + quote(path) if extension in PAGES else path


def _script(given: str, folder: str, *, force: bool) -> str:
    path = absolute(folder, given or ".")
    # A file that is there is the daemon's to refuse, under its own name for it.
    if not os.path.isdir(path) and (force or not os.path.exists(path)):
        _writable(path)
    return path


def _file(args: dict[str, Any], folder: str) -> None:
    if isinstance(args.get("path"), str):
        args["path"] = absolute(folder, args["path"])


def _upload(args: dict[str, Any], folder: str) -> None:
    files = as_list(args.get("files"))
    if files is not None:
        args["files"] = [absolute(folder, one) if isinstance(one, str) else one for one in files]


def _pull(args: dict[str, Any], folder: str) -> None:
    name = next((part for part in reversed(str(args.get("from", "")).split("/")) if part), "pulled")
    path = absolute(folder, args.get("path") or name)
    args["path"] = os.path.join(path, name) if os.path.isdir(path) else path
    _writable(args["path"])


def _record(args: dict[str, Any], folder: str) -> None:
    if args.get("action") == "start":
        args["path"] = _output(folder, args.get("path"), "film", "mp4")


def _screenshot(args: dict[str, Any], folder: str) -> None:
    args["out"] = _output(folder, args.get("out") or args.pop("path", None), "screenshot", "png")
    args.pop("path", None)


def _session(args: dict[str, Any], folder: str) -> None:
    if args.get("action") == "save-script" and isinstance(args.get("path"), str):
        args["path"] = _script(args["path"], folder, force=bool(args.get("force")))


def _batch(args: dict[str, Any], folder: str) -> None:
    steps = as_list(args.get("steps"))
    if steps is not None:
        args["steps"] = [_step(step, folder) for step in steps]


def _step(step: Any, folder: str) -> Any:
    call = as_object(step)
    inner = as_object(call.get("args")) if call is not None else None
    if call is None or inner is None:
        return step
    return {**call, "args": resolve(str(call.get("command")), inner, folder)}


def _output(folder: str, given: Any, kind: str, extension: str) -> str:
    path = absolute(folder, given if isinstance(given, str) else f"{kind}-{time.time_ns() // 1_000_000}.{extension}")
    _writable(path)
    return path


def _writable(path: str) -> None:
    """Refuses a file that could not be written in the end, before the request is made."""
    parent = os.path.dirname(path)
    why = None
    if os.path.isdir(path):
        why = "is a folder"
    elif not os.path.exists(parent):
        why = "its folder does not exist"
    elif not os.path.isdir(parent):
        why = "its parent is no folder"
    elif not os.access(parent, os.W_OK):
        why = "its folder cannot be written"
    if why:
        raise refused(
            "STORAGE_FAILED",
            f"{path}: {why}",
            row="client.output-unwritable",
            reason="file_unwritable",
            hint="name a file in a folder that exists and can be written",
        )


def _unreadable(name: str, why: object) -> AgentDeviceError:
    return refused("INVALID_ARGS", f"{name}: {why}", row="client.usage", reason="file_unreadable")


_RESOLVERS: dict[str, Callable[[dict[str, Any], str], None]] = {
    "open": _open,
    "upload": _upload,
    "install": _file,
    "reinstall": _file,
    "push": _file,
    "pull": _pull,
    "record": _record,
    "screenshot": _screenshot,
    "session": _session,
    "batch": _batch,
}
