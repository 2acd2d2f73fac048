"""What a call does at most, by its arguments."""

from __future__ import annotations

from typing import Any

import pytest

from agent_device_client._effects import effect_of


@pytest.mark.parametrize(
    ("name", "args", "effect"),
    [
        ("press", {}, "mutates"),
        ("snapshot", {}, "observes"),
        ("boot", {}, "manages"),
        ("find", {}, "mutates"),
        ("find", {"action": "getText"}, "observes"),
        ("alert", {"action": "accept"}, "mutates"),
        ("alert", {"action": "wait"}, "observes"),
        ("windows", {}, "observes"),
        ("windows", {"close": 1}, "mutates"),
        ("keyboard", {"action": "status"}, "observes"),
        ("clipboard", {"action": "read"}, "observes"),
        ("clipboard", {"action": "write", "text": ""}, "mutates"),
        ("session", {"action": "list"}, "observes"),
        ("session", {"action": "save-script"}, "manages"),
        ("batch", {"steps": [{"command": "get"}, {"command": "find", "args": {"action": "list"}}]}, "observes"),
        ("batch", {"steps": [{"command": "get"}, "get text id=a"]}, "mutates"),
        ("batch", {"steps": []}, "mutates"),
        ("no-such-command", {}, "mutates"),
    ],
)
def test_a_look_is_told_from_an_act(name: str, args: dict[str, Any], effect: str) -> None:
    assert effect_of(name, args) == effect
