"""Written by `generate` from contracts/schemas/commands.json: do not change it by hand.

What the client knows of the program and its commands when it runs.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

VERSION = "0.1.0"
"""The exact version of the program that this client is of."""

LINE_LIMIT = 16777216
"""A longer request is refused, bytes."""

READINESS_CAP_MS = 2000
"""A press waits no longer for its target, ms."""


class EffectRule(NamedTuple):
    """What a command does where an argument has one of these values."""

    argument: str
    """The argument; one that is left out counts as `None`."""
    values: tuple[str | None, ...] | None
    """The values. `None`: it is a list of steps, at least one, and each of them has the effect."""
    effect: Literal["observes", "mutates", "manages"]


class CommandFacts(NamedTuple):
    """What is true of a command apart from its arguments."""

    effect: Literal["observes", "mutates", "manages"]
    """What it does to the app, at most."""
    timeout_ms: int
    """How long it may take when nothing is said, ms; the waits that it is asked to make come on top."""
    readiness: bool
    """Whether it may wait for its target."""
    effects: tuple[EffectRule, ...] = ()
    """What it does where that depends on an argument: the first rule that fits."""


COMMANDS: dict[str, CommandFacts] = {
    "devices": CommandFacts("observes", 30000, False),
    "capabilities": CommandFacts("observes", 30000, False),
    "doctor": CommandFacts("observes", 60000, False),
    "open": CommandFacts("mutates", 90000, False),
    "close": CommandFacts("mutates", 30000, False),
    "snapshot": CommandFacts("observes", 30000, False),
    "diff": CommandFacts("observes", 30000, False),
    "screenshot": CommandFacts("observes", 30000, False),
    "press": CommandFacts("mutates", 30000, True),
    "longpress": CommandFacts("mutates", 60000, True),
    "hover": CommandFacts("mutates", 30000, False),
    "focus": CommandFacts("mutates", 30000, False),
    "fill": CommandFacts("mutates", 60000, False),
    "type": CommandFacts("mutates", 60000, False),
    "scroll": CommandFacts("mutates", 60000, False),
    "swipe": CommandFacts("mutates", 90000, False),
    "gesture": CommandFacts("mutates", 60000, False),
    "get": CommandFacts("observes", 30000, False),
    "is": CommandFacts("observes", 30000, False),
    "find": CommandFacts(
        "mutates",
        60000,
        False,
        (
            EffectRule("action", ("click", "focus", "fill", "type"), "mutates"),
            EffectRule("action", ("exists", "list", "getText", "getAttrs", "wait"), "observes"),
        ),
    ),
    "wait": CommandFacts("observes", 30000, False),
    "back": CommandFacts("mutates", 30000, False),
    "home": CommandFacts("mutates", 60000, False),
    "app-switcher": CommandFacts("mutates", 30000, False),
    "orientation": CommandFacts("mutates", 30000, False),
    "viewport": CommandFacts("mutates", 30000, False),
    "alert": CommandFacts(
        "mutates",
        30000,
        False,
        (
            EffectRule("action", ("get", "wait"), "observes"),
            EffectRule("action", ("accept", "dismiss"), "mutates"),
        ),
    ),
    "keyboard": CommandFacts(
        "mutates",
        30000,
        False,
        (
            EffectRule("action", ("status",), "observes"),
            EffectRule("action", ("dismiss", "enter"), "mutates"),
        ),
    ),
    "clipboard": CommandFacts(
        "mutates",
        30000,
        False,
        (
            EffectRule("action", ("read",), "observes"),
            EffectRule("action", ("write",), "mutates"),
        ),
    ),
    "settings": CommandFacts("mutates", 30000, False),
    "appstate": CommandFacts("observes", 30000, False),
    "logs": CommandFacts("observes", 30000, False),
    "perf": CommandFacts("observes", 30000, False),
    "record": CommandFacts("observes", 60000, False),
    "upload": CommandFacts("mutates", 30000, False),
    "downloads": CommandFacts("observes", 30000, False),
    "windows": CommandFacts(
        "mutates",
        30000,
        False,
        (
            EffectRule("close", (None,), "observes"),
        ),
    ),
    "apps": CommandFacts("observes", 30000, False),
    "install": CommandFacts("mutates", 180000, False),
    "reinstall": CommandFacts("mutates", 180000, False),
    "push": CommandFacts("mutates", 180000, False),
    "pull": CommandFacts("observes", 180000, False),
    "boot": CommandFacts("manages", 240000, False),
    "shutdown": CommandFacts("manages", 60000, False),
    "pair": CommandFacts("manages", 120000, False),
    "batch": CommandFacts(
        "mutates",
        600000,
        False,
        (
            EffectRule("steps", None, "observes"),
        ),
    ),
    "events": CommandFacts("observes", 30000, False),
    "trace": CommandFacts("manages", 30000, False),
    "session": CommandFacts(
        "manages",
        30000,
        False,
        (
            EffectRule("action", ("list", "state-dir"), "observes"),
            EffectRule("action", ("save-script",), "manages"),
        ),
    ),
    "daemon": CommandFacts("manages", 30000, False),
}
"""Every command by its name."""

ALIASES: dict[str, str] = {
    "launch": "open",
    "goto": "open",
    "click": "press",
    "tap": "press",
    "long-press": "longpress",
}
"""Other names of commands."""
