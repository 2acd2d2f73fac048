"""The rules of contracts/conformance: placeholders, patterns, what is kept. The README there says them exactly."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path
from typing import Any

from agent_device_client import AgentDeviceError

FOLDER = Path(__file__).resolve().parents[3] / "contracts" / "conformance"

ABSENT = object()


def cases() -> list[dict[str, Any]]:
    """All of them."""
    found: list[dict[str, Any]] = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))["cases"]
    return found


def names(platform: str, session: str, folder: Path) -> dict[str, Any]:
    """What stands behind the placeholders of one case."""
    app = str(FOLDER / "app.toml") if platform == "stage" else (FOLDER / "app.html").as_uri()
    return {
        "app": app,
        "platform": platform,
        "session": session,
        "folder": str(folder),
        "unique": f"u-{uuid.uuid4().hex}",
    }


def filled(value: Any, known: dict[str, Any]) -> Any:
    """A value with its placeholders replaced."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{(\w+)\}", value)
        if whole:
            return known[whole.group(1)]
        return re.sub(r"\$\{(\w+)\}", lambda name: str(known[name.group(1)]), value)
    if isinstance(value, dict):
        return {key: filled(inner, known) for key, inner in value.items()}
    return [filled(inner, known) for inner in value] if isinstance(value, list) else value


def failure(failed: AgentDeviceError) -> dict[str, Any]:
    """A failure as patterns see it."""
    seen = {
        "code": failed.code,
        "dispatched": failed.dispatched,
        "row": failed.row,
        "dispatchedSteps": failed.dispatched_steps,
        "hint": failed.hint,
        "message": failed.message,
        "details": failed.details,
    }
    return {key: value for key, value in seen.items() if value is not None}


def misfit(pattern: Any, value: Any, at: str = "") -> str | None:
    """Why a value does not fit a pattern; `None` where it does."""
    if isinstance(pattern, dict) and len(pattern) == 1 and next(iter(pattern)).startswith("$"):
        return _special(*next(iter(pattern.items())), value, at)
    if value is ABSENT:
        return f"{at}: is not there"
    if isinstance(pattern, dict):
        if not isinstance(value, dict):
            return f"{at}: {value!r} is no object"
        found = (misfit(inner, value.get(key, ABSENT), f"{at}.{key}") for key, inner in pattern.items())
        return next((why for why in found if why), None)
    if isinstance(pattern, list):
        if not isinstance(value, list) or len(value) != len(pattern):
            return f"{at}: {value!r} is no list of {len(pattern)}"
        pairs = enumerate(zip(pattern, value, strict=True))
        return next((why for index, (one, other) in pairs if (why := misfit(one, other, f"{at}[{index}]"))), None)
    same = pattern == value and isinstance(pattern, bool) == isinstance(value, bool)
    return None if same else f"{at}: {value!r} is not {pattern!r}"


def _special(kind: str, wanted: Any, value: Any, at: str) -> str | None:
    fits: bool
    if kind == "$absent":
        fits = value is ABSENT
    elif kind == "$without":
        fits = value is ABSENT or wanted not in json.dumps(value, ensure_ascii=False)
    elif kind == "$some":
        fits = isinstance(value, list) and any(misfit(wanted, item) is None for item in value)
    elif kind == "$length":
        fits = isinstance(value, list) and len(value) == wanted
    elif kind == "$text":
        fits = isinstance(value, str) and wanted in value
    elif kind == "$atLeast":
        fits = isinstance(value, int | float) and not isinstance(value, bool) and value >= wanted
    else:
        return f"{at}: there is no pattern {kind}"
    return None if fits else f"{at}: {'nothing' if value is ABSENT else repr(value)} does not fit {kind} {wanted!r}"


def kept(step: dict[str, Any], data: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """What a step keeps of its answer."""
    found: dict[str, Any] = {}
    for name, rule in step.get("keep", {}).items():
        place: Any = data
        if "in" in rule:
            where = filled(rule.get("where", {}), known)
            place = next(item for item in data[rule["in"]] if misfit(where, item) is None)
        found[name] = place[rule["take"]]
    return found
