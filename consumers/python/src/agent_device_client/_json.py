"""Values that came over the wire, taken for what they should be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast


def as_object(value: Any) -> dict[str, Any] | None:
    """The value, if it is an object."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def as_list(value: Any) -> list[Any] | None:
    """The value, if it is a list."""
    return list(cast("Iterable[Any]", value)) if isinstance(value, list) else None


def as_text(value: Any) -> str | None:
    """The value, if it is a text."""
    return value if isinstance(value, str) else None
