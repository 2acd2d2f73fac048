"""What a caller writes, made into what goes over the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from . import generated

Target: TypeAlias = "str | tuple[float, float] | generated.Target"
"""What a command aims at: a ref (`"@e5"`), a selector (`'label="Save"'`), a point (`(x, y)`), or one as an object."""


def as_target(target: Target | None) -> generated.Target | None:
    """A target as it goes over the wire."""
    if target is None:
        return None
    if isinstance(target, str):
        if target.startswith("@"):
            return {"kind": "ref", "ref": target}
        return {"kind": "selector", "selector": target}
    if isinstance(target, tuple):
        if len(target) != 2:
            raise ValueError(f"a point is two numbers, (x, y), not {target!r}")
        return {"kind": "point", "x": float(target[0]), "y": float(target[1])}
    return target


@dataclass(frozen=True)
class Form:
    """One way to call a command that has several: the names of its arguments, those that need no name first."""

    positional: str
    named: str


def wire_name(name: str) -> str:
    """`duration_ms` as it goes over the wire: `durationMs`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


def filled(
    method: str,
    key: str,
    forms: Mapping[str, Form],
    values: Sequence[Any],
    named: Mapping[str, Any],
    *,
    targets: Sequence[str] = (),
) -> dict[str, Any]:
    """The arguments of a command that has several forms. Type checkers have checked them already by its overloads; who
    has none gets the `TypeError` that any wrong call gets.
    """
    chosen = values[0] if values else named.get(key)
    form = forms.get(chosen) if isinstance(chosen, str) else None
    if form is None:
        raise TypeError(f"{method}() takes {key} first, one of: {', '.join(forms)}; not {chosen!r}")
    positional = form.positional.split()
    known = {*positional, *form.named.split()}
    if len(values) > len(positional):
        raise TypeError(f"{method}({chosen!r}) takes {len(positional)} positional arguments, not {len(values)}")
    given = dict(zip(positional, values, strict=False))
    for name, value in named.items():
        if name not in known:
            raise TypeError(
                f"{method}({chosen!r}) has no argument {name!r}: it takes {', '.join(sorted(known - {key}))}"
            )
        if name in given:
            raise TypeError(f"{method}({chosen!r}) was given {name!r} twice")
        given[name] = value
    return {wire_name(name): as_target(value) if name in targets else value for name, value in given.items()}


def said(args: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments without those that were left out."""
    return {name: value for name, value in args.items() if value is not None}
