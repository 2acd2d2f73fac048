"""What `commands.json` says, in the shape in which it is written out."""

from __future__ import annotations

import json
import keyword
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Schema = dict[str, Any]


@dataclass(frozen=True)
class Field:
    """One property of an object."""

    name: str
    schema: Schema
    required: bool
    doc: str

    @property
    def constant(self) -> str | None:
        """The only value that it can have, where there is but one."""
        value = self.schema.get("const")
        return value if isinstance(value, str) else None


@dataclass(frozen=True)
class Form:
    """One way in which an object can be filled in: most have one, some one for each of their kinds."""

    fields: tuple[Field, ...]
    doc: str

    @property
    def kind(self) -> str | None:
        """The constant that tells this form from the others."""
        return next((field.constant for field in self.fields if field.constant is not None), None)


@dataclass(frozen=True)
class Command:
    """One command of the catalogue."""

    name: str
    aliases: tuple[str, ...]
    effect: str
    effects: tuple[dict[str, Any], ...]
    readiness: bool
    timeout_ms: int
    args: Schema
    result: Schema | None

    @property
    def doc(self) -> str:
        """What it does, one sentence."""
        return str(self.args.get("description", "")).strip()

    @property
    def method(self) -> str:
        """The name of its method."""
        return python_name(self.name)

    @property
    def type_name(self) -> str:
        """What the names of its types begin with."""
        return "".join(part[:1].upper() + part[1:] for part in self.name.replace("_", "-").split("-"))


@dataclass(frozen=True)
class Catalogue:
    """The whole file."""

    version: str
    commands: tuple[Command, ...]
    protocol: dict[str, Any]
    codes: tuple[dict[str, str], ...]


def python_name(name: str) -> str:
    """`durationMs` and `app-switcher` as Python names; one that is a keyword gets an underscore."""
    snake = "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)
    snake = snake.replace("-", "_").strip("_")
    return snake + "_" if keyword.iskeyword(snake) else snake


def load(path: Path) -> Catalogue:
    """Reads the file."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    return Catalogue(
        version=raw["version"],
        commands=tuple(
            Command(
                name=one["name"],
                aliases=tuple(one["aliases"]),
                effect=one["effect"],
                effects=tuple(one["effects"]),
                readiness=one["readiness"],
                timeout_ms=one["timeoutMs"],
                args=one["args"],
                result=one["result"],
            )
            for one in raw["commands"]
        ),
        protocol=raw["protocol"],
        codes=tuple(raw["codes"]),
    )


def followed(schema: Schema, root: Schema) -> Schema:
    """The schema behind a reference."""
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    target: Any = root
    for part in reference.removeprefix("#/").split("/"):
        target = target[part]
    return followed(target, root)


def is_target(schema: Schema) -> bool:
    """Whether it describes what a command aims at: a ref, a selector or a point."""
    kinds = [one.get("properties", {}).get("kind", {}).get("const") for one in schema.get("oneOf", [])]
    return kinds == ["ref", "selector", "point"]


def is_object(schema: Schema) -> bool:
    """Whether it describes an object with named properties, in one form or in several."""
    if "properties" in schema:
        return True
    variants = schema.get("oneOf") or schema.get("anyOf") or []
    return bool(variants) and all("properties" in one for one in variants)


def forms(schema: Schema, root: Schema) -> list[Form]:
    """Every way in which the object can be filled in."""
    own: list[Field] = []
    choices: list[list[Form]] = []
    for part in _parts(schema, root):
        own += _fields(part)
        variants = [followed(one, root) for one in [*part.get("oneOf", []), *part.get("anyOf", [])]]
        if variants and all(is_object(one) or one.get("type") == "object" for one in variants):
            choices.append([form for one in variants for form in forms(one, root)])
    doc = str(schema.get("description", "")).strip()
    if not choices:
        return [Form(_ordered(own), doc)]
    if len(choices) > 1:
        raise ValueError("an object with two choices at once is not understood yet")
    return [Form(_ordered([*form.fields, *own]), form.doc) for form in choices[0]]


def _parts(schema: Schema, root: Schema) -> Iterator[Schema]:
    """A schema with everything that is merged into it."""
    yield schema
    if "$ref" in schema:
        yield from _parts(followed(schema, root), root)
    for part in schema.get("allOf", []):
        yield from _parts(part, root)


def _fields(schema: Schema) -> list[Field]:
    # The file's properties are sorted by their names; `required` keeps the order in which they were declared.
    required = list(schema.get("required", []))
    properties: dict[str, Any] = schema.get("properties", {})
    order = [name for name in required if name in properties]
    order += [name for name in properties if name not in required]
    return [
        Field(name, one, name in required, str(one.get("description", "")).strip())
        for name in order
        for one in [properties[name] if isinstance(properties[name], dict) else {}]
    ]


def _ordered(fields: list[Field]) -> tuple[Field, ...]:
    unique = {field.name: field for field in reversed(fields)}
    kept = [field for field in dict.fromkeys(field.name for field in fields)]
    ordered = [unique[name] for name in kept]
    return tuple(sorted(ordered, key=lambda field: not field.required))
