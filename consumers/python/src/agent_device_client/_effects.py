"""What a call does to the app, by its arguments: what a client has to know of a call whose reply is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from ._facts import COMMANDS, EffectRule

Effect = Literal["observes", "mutates", "manages"]


def effect_of(name: str, args: Mapping[str, Any]) -> Effect:
    """The effect of a command with these arguments.

    Where it cannot be told it is the most that the command does: a client that takes a look for an act asks for one look
    more, the other way round it would act twice.
    """
    facts = COMMANDS.get(name)
    if facts is None:
        return "mutates"
    for rule in facts.effects:
        if _fits(rule, args.get(rule.argument)):
            return rule.effect
    return facts.effect


def _fits(rule: EffectRule, value: object) -> bool:
    if rule.values is not None:
        return (value is None or isinstance(value, str)) and value in rule.values
    if not isinstance(value, list):
        return False
    steps = cast("list[object]", value)
    return bool(steps) and all(_effect_of_step(step) == rule.effect for step in steps)


def _effect_of_step(step: object) -> Effect:
    """A step that is a line is the daemon's to read."""
    if not isinstance(step, Mapping):
        return "mutates"
    named = cast("Mapping[str, object]", step)
    command, args = named.get("command"), named.get("args")
    if not isinstance(command, str):
        return "mutates"
    return effect_of(command, cast("Mapping[str, Any]", args) if isinstance(args, Mapping) else {})
