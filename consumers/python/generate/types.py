"""Types of arguments, results and messages (`generated.py`), and what is needed when the client runs (`_facts.py`)."""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from dataclasses import dataclass, field
from typing import Any

from .catalogue import Catalogue, Command, Field, Schema, followed, forms, is_object, is_target

WIDTH = 118

HEAD = '''"""Written by `generate` from contracts/schemas/commands.json: do not change it by hand.

What goes over the wire, as types. Names are those of the wire. For type checkers and editors: the client itself does not
load this module when it runs.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


'''

FACTS = '''"""Written by `generate` from contracts/schemas/commands.json: do not change it by hand.

What the client knows of the program and its commands when it runs.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

'''


@dataclass
class Types:
    """The types written so far, by their names."""

    blocks: dict[str, str] = field(default_factory=dict)
    _schemas: dict[str, str] = field(default_factory=dict)

    def named(self, name: str, schema: Schema, root: Schema, prefix: str) -> str:
        """Writes the type of a schema under a name, once; where another type has that name, under a longer one."""
        same = json.dumps(_resolved(schema, root), sort_keys=True)
        for candidate in (name, prefix + name):
            if candidate not in self._schemas:
                self._schemas[candidate] = same
                self.blocks[candidate] = ""
                text = self._block(candidate, schema, root, prefix)
                # Behind what it is made of.
                del self.blocks[candidate]
                self.blocks[candidate] = text
                return candidate
            if self._schemas[candidate] == same:
                return candidate
        raise ValueError(f"{prefix}{name} stands for two types")

    def expression(self, schema: Schema, root: Schema, hint: str, prefix: str) -> str:
        """A schema as it stands in an annotation. `hint` names what has no name of its own."""
        reference = schema.get("$ref")
        if isinstance(reference, str) and "properties" not in schema:
            target = followed(schema, root)
            name = "Target" if is_target(target) else reference.rsplit("/", 1)[-1]
            return self.named(name, target, root, prefix)
        if "const" in schema:
            return f"Literal[{schema['const']!r}]".replace("'", '"')
        if "enum" in schema:
            return _literal(schema["enum"])
        variants = schema.get("oneOf") or schema.get("anyOf")
        if variants:
            constants = [one["const"] for one in variants if "const" in one]
            if len(constants) == len(variants):
                return _literal(constants)
            if is_object(schema):
                return self.named(hint, schema, root, prefix)
            parts = [self.expression(one, root, f"{hint}{number}", prefix) for number, one in enumerate(variants, 1)]
            return " | ".join(dict.fromkeys(parts))
        if "properties" in schema or "allOf" in schema:
            return self.named(hint, schema, root, prefix)
        return self._plain(schema, root, hint, prefix)

    def _plain(self, schema: Schema, root: Schema, hint: str, prefix: str) -> str:
        kinds = schema.get("type")
        words = kinds if isinstance(kinds, list) else [kinds]
        parts = [self._word(word, schema, root, hint, prefix) for word in words]
        return " | ".join(dict.fromkeys(parts))

    def _word(self, word: Any, schema: Schema, root: Schema, hint: str, prefix: str) -> str:
        simple = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
        if word in simple:
            return simple[word]
        if word == "array":
            items = schema.get("items")
            return f"list[{self.expression(items, root, hint + 'Item', prefix) if isinstance(items, dict) else 'Any'}]"
        if word == "object":
            values = schema.get("additionalProperties")
            inner = self.expression(values, root, hint + "Value", prefix) if isinstance(values, dict) else "Any"
            return f"dict[str, {inner}]"
        return "Any"

    def _block(self, name: str, schema: Schema, root: Schema, prefix: str) -> str:
        doc = str(schema.get("description", "")).strip()
        variants = schema.get("oneOf") or schema.get("anyOf") or []
        if not (is_object(schema) or "allOf" in schema or "properties" in followed(schema, root) or "$ref" in schema):
            constants = [(str(one["const"]), str(one.get("description", ""))) for one in variants if "const" in one]
            if constants and len(constants) == len(variants):
                lines = [_alias(name, _literal([value for value, _ in constants]))]
                lines += _doc_lines("\n".join([doc, "", *(f"{value}: {said}" for value, said in constants)]))
                return "\n".join(lines) + "\n"
            written = self.expression({**schema, "description": ""}, root, name + "Value", prefix)
            return _alias(name, written) + "\n" + "".join(line + "\n" for line in _doc_lines(doc))
        ways = forms(schema, root)
        if len(ways) == 1:
            return self._typed_dict(name, ways[0].fields, ways[0].doc or doc, root, prefix)
        names = []
        for number, way in enumerate(ways, 1):
            part = name + _camel(way.kind or str(number))
            names.append(part)
            self.blocks[part] = self._typed_dict(part, way.fields, way.doc, root, prefix)
        return _alias(name, " | ".join(names)) + "\n" + "".join(line + "\n" for line in _doc_lines(doc))

    def _typed_dict(self, name: str, fields: tuple[Field, ...], doc: str, root: Schema, prefix: str) -> str:
        entries = []
        for one in fields:
            written = self.expression(one.schema, root, name + _camel(one.name), prefix)
            entries.append((one.name, written if one.required else f"NotRequired[{written}]", one.doc))
        if all(re.fullmatch(r"[A-Za-z_]\w*", key) and not keyword.iskeyword(key) for key, _, _ in entries):
            lines = [f"class {name}(TypedDict):", *_doc_lines(doc or f"{name}.", 4)]
            for key, written, said in entries:
                lines += ["", f"    {key}: {written}", *_doc_lines(said, 4)]
            return "\n".join(lines) + "\n"
        # A field whose name is a Python keyword can only be written so.
        lines = [f"{name} = TypedDict(", f'    "{name}",', "    {"]
        for key, written, said in entries:
            lines += [f"        # {line}" for line in textwrap.wrap(said, WIDTH - 10)]
            lines.append(f'        "{key}": "{written.replace(chr(34), chr(39))}",')
        return "\n".join([*lines, "    },", ")"]) + "\n" + "".join(line + "\n" for line in _doc_lines(doc))


def write(catalogue: Catalogue) -> tuple[str, dict[str, str], set[str]]:
    """The file, the name of each command's result type, and the names of all types."""
    types = Types()
    results: dict[str, str] = {}
    for command in catalogue.commands:
        types.named(command.type_name + "Args", command.args, command.args, command.type_name)
        if command.result is None:
            results[command.name] = "dict[str, Any]"
        else:
            title = str(command.result.get("title", command.type_name + "Result"))
            results[command.name] = types.named(title, command.result, command.result, command.type_name)
    for name in ("welcome", "failure"):
        schema = catalogue.protocol[name]
        types.named(str(schema.get("title", name.title())), schema, schema, "Protocol")
    request = catalogue.protocol["request"]
    types.expression({"$ref": "#/$defs/Platform"}, request, "Platform", "Request")
    blocks = [block.rstrip("\n") for block in types.blocks.values()]
    return HEAD + "\n\n\n".join(blocks) + "\n", results, set(types.blocks)


def write_facts(catalogue: Catalogue) -> str:
    """`_facts.py`: what is needed when the client runs."""
    facts = "\n".join(_facts(one) for one in catalogue.commands)
    aliases = "\n".join(f'    "{alias}": "{one.name}",' for one in catalogue.commands for alias in one.aliases)
    return f'''{FACTS}VERSION = "{catalogue.version}"
"""The exact version of the program that this client is of."""

LINE_LIMIT = {catalogue.protocol["lineLimit"]}
"""A longer request is refused, bytes."""

READINESS_CAP_MS = {catalogue.protocol["readinessCapMs"]}
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


COMMANDS: dict[str, CommandFacts] = {{
{facts}
}}
"""Every command by its name."""

ALIASES: dict[str, str] = {{
{aliases}
}}
"""Other names of commands."""
'''


def _rules(rules: tuple[dict[str, Any], ...]) -> str:
    """The rules as the last argument of the facts; nothing where there are none."""
    if not rules:
        return ""
    written = "".join(
        f'            EffectRule("{rule["argument"]}", {_values(rule.get("is"))}, "{rule["effect"]}"),\n'
        for rule in rules
    )
    return f"        (\n{written}        ),\n"


def _values(values: list[str | None] | None) -> str:
    if values is None:
        return "None"
    words = [_quoted(value) if value is not None else "None" for value in values]
    return f"({words[0]},)" if len(words) == 1 else f"({', '.join(words)})"


def _facts(one: Command) -> str:
    """The facts of a command: on one line where it has no rules."""
    own = (_quoted(one.effect), str(one.timeout_ms), str(one.readiness))
    if not one.effects:
        return f'    "{one.name}": CommandFacts({", ".join(own)}),'
    lines = "".join(f"        {fact},\n" for fact in own)
    return f'    "{one.name}": CommandFacts(\n{lines}{_rules(one.effects)}    ),'


def _resolved(schema: Any, root: Schema) -> Any:
    """A schema with what its references stand for, to tell two that have the same name apart."""
    if isinstance(schema, list):
        return [_resolved(one, root) for one in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {
        key: _resolved(value, root)
        for key, value in schema.items()
        if key not in ("$ref", "$defs", "$schema", "description")
    }
    if isinstance(schema.get("$ref"), str):
        rest["$ref"] = _resolved(followed(schema, root), root)
    return rest


def _alias(name: str, written: str) -> str:
    """A name for a type, in several lines where one is too long."""
    line = f"{name}: TypeAlias = {written}"
    if len(line) <= WIDTH:
        return line
    literal = re.fullmatch(r"Literal\[(.*)\]", written)
    if literal:
        values = "".join(f"    {value},\n" for value in literal.group(1).split(", "))
        return f"{name}: TypeAlias = Literal[\n{values}]"
    parts = "\n    | ".join(written.split(" | "))
    return f"{name}: TypeAlias = (\n    {parts}\n)"


def _literal(values: list[Any]) -> str:
    return f"Literal[{', '.join(json.dumps(value) for value in values)}]"


def _quoted(text: str) -> str:
    return json.dumps(text)


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


def _doc_lines(text: str, indent: int = 0) -> list[str]:
    """A docstring."""
    if not text.strip():
        return []
    pad = " " * indent
    # Links of Rust's documentation mean nothing here.
    text = re.sub(r"\[`(?:crate::)?([^`\]]+)`\]", r"`\1`", text).replace("\\", "\\\\").replace('"""', "'''")
    lines: list[str] = []
    for line in text.split("\n"):
        lines += textwrap.wrap(line, WIDTH - indent - 6) or [""]
    if lines[-1].endswith('"'):
        lines[-1] += " "
    if len(lines) == 1:
        return [f'{pad}"""{lines[0]}"""']
    return [f'{pad}"""{lines[0]}', *(f"{pad}{line}".rstrip() for line in lines[1:]), f'{pad}"""']
