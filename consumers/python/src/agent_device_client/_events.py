"""Going through a session's timeline."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from ._json import as_list, as_object

if TYPE_CHECKING:
    from .generated import Event

#: Events asked for at a time: all there are. Fewer would be the newest ones, and the older ones would be missing.
ALL = 1_000_000


class Follower:
    """Where a reader of the timeline is."""

    def __init__(self, after: int, follow: bool, limit: float | None) -> None:
        self.cursor = after
        self.ended = False
        self._follow = follow
        self._until = None if limit is None else time.monotonic() + limit

    def args(self) -> dict[str, Any]:
        """What to ask `events` for."""
        return {"cursor": self.cursor, "limit": ALL}

    def taken(self, page: Mapping[str, Any]) -> Iterator[Event]:
        """The events of a page that are new."""
        for entry in as_list(page.get("events")) or []:
            event = as_object(entry) or {"number": 0}
            if int(event["number"]) <= self.cursor:
                continue
            self.cursor = int(event["number"])
            yield cast("Event", event)
            if self._follow and event.get("command") == "close" and event.get("ok") is True:
                # What follows would be of another session of the same name.
                self.ended = True
                return
        if not self._follow or (self._until is not None and time.monotonic() >= self._until):
            self.ended = True

    @staticmethod
    def closed(sessions: Mapping[str, Any], name: str | None, workspace: str | None) -> bool:
        """Whether the session has ended without a `close` of its own: by idleness, or by another's `close --all`."""
        listed = as_list(sessions.get("sessions"))
        key, own = ("workspace", workspace) if name is None else ("name", name)
        return listed is not None and all((as_object(one) or {}).get(key) != own for one in listed)
