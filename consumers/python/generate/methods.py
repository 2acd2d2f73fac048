"""`_commands.py` and `_async_commands.py`: one method for each command."""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass, replace

from .catalogue import Catalogue, Command, Field, Form, forms, python_name
from .types import Types

WIDTH = 118

#: Arguments that nobody has to name although they may be left out, in their order, as on the command line.
POSITIONAL: dict[str, tuple[str, ...]] = {
    "open": ("app",),
    "screenshot": ("path",),
    "is": ("value",),
    "find": ("action", "value"),
    "session": ("path",),
    "pull": ("path",),
    "logs": ("message",),
    "record": ("path",),
    "keyboard": (),
    "alert": ("text",),
}

#: Where the result depends on an argument: which one, and for which of its values what comes. `None` stands for an
#: argument that is left out. Every name must be a member of the union in the catalogue, and every member must be named.
NARROWED: dict[str, tuple[str, dict[str, tuple[str | bool | None, ...]]]] = {
    "snapshot": ("diff", {"Screen": (False,), "Difference": (True,)}),
    "get": ("format", {"Text": ("text",), "Attributes": ("attrs",)}),
    "find": (
        "action",
        {
            "Pressed": ("click", "focus", "type", None),
            "Filled": ("fill",),
            "FoundAny": ("exists",),
            "FoundList": ("list",),
            "Text": ("getText",),
            "Attributes": ("getAttrs",),
            "Waited": ("wait",),
        },
    ),
    "clipboard": ("action", {"ClipboardText": ("read",), "Acted": ("write",)}),
    "logs": ("action", {"LogLines": ("show",), "LogFile": ("start", "stop", "path", "clear", "mark")}),
    "perf": ("area", {"FramesOf": ("frames",), "MemoryOf": ("memory",)}),
    "record": ("action", {"FilmStarted": ("start",), "Film": ("stop",)}),
    "session": ("action", {"SessionList": ("list",), "StateDir": ("state-dir",), "Saved": ("save-script",)}),
    "close": ("all", {"Closed": (False,), "ClosedAll": (True,)}),
    "daemon": ("action", {"Running": ("start", "status"), "Stopped": ("stop",)}),
}

#: Commands whose method is written by hand, for what a method that only asks cannot do.
BY_HAND = frozenset({"events", "batch", "trace"})


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method."""

    field: Field
    name: str
    annotation: str
    optional: bool
    positional: bool
    default: str = "None"

    @property
    def is_target(self) -> bool:
        """Whether it says what a command aims at."""
        return self.annotation.split(" | ")[0] == "Target"

    def written(self) -> str:
        """As it stands in the signature."""
        if not self.optional:
            return f"{self.name}: {self.annotation}"
        if self.annotation == "bool":
            return f"{self.name}: bool = False"
        if self.default != "None":
            return f"{self.name}: {self.annotation} = {self.default}"
        annotation = self.annotation if self.annotation.endswith("| None") else f"{self.annotation} | None"
        return f"{self.name}: {annotation} = None"


class Methods:
    """Writes the methods of one kind of client."""

    def __init__(self, results: dict[str, str], known: set[str], *, asynchronous: bool) -> None:
        self._results = results
        self._known = known
        self._async = asynchronous
        self._def = "async def" if asynchronous else "def"
        self._types = Types()

    def file(self, catalogue: Catalogue) -> str:
        """The whole file."""
        kind = "asyncio" if self._async else "blocking"
        name = "AsyncCommands" if self._async else "Commands"
        methods = "\n".join(self._command(one) for one in catalogue.commands if one.name not in BY_HAND)
        used = sorted(self._used(methods) - {"Target"}, key=str.casefold)
        imports = "".join(f"        {one},\n" for one in used)
        return f'''"""Written by `generate` from contracts/schemas/commands.json: do not change it by hand.

One method for each command, for the {kind} client. An argument that is left out is not sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, {"cast, " if "cast(" in methods else ""}overload

from ._arguments import Form, Target, as_target, filled

if TYPE_CHECKING:
    from .generated import (
{imports}    )


class {name}:
    """Every command as a method."""

    {self._def} _call(
        self, command: str, args: Mapping[str, Any], *, readiness_timeout_ms: int | None = None
    ) -> dict[str, Any]:
        raise NotImplementedError

{methods}'''

    def _used(self, text: str) -> set[str]:
        """The types that are named in the methods, their documentation aside."""
        words = set(re.findall(r"\w+", re.sub(r'""".*?"""', "", text, flags=re.DOTALL)))
        return {name for name in self._known if name in words}

    def _command(self, command: Command) -> str:
        text = ""
        ways = forms(command.args, command.args)
        result = self._results[command.name]
        narrowed = self._narrowed(command)
        if len(ways) > 1:
            for way in ways:
                came = next((name for name, values in narrowed.items() if way.kind in values), result)
                text += self._overload(command, self._parameters(command, way), way.doc or command.doc, came)
            text += self._choice(command, ways, result)
        else:
            for name, values in narrowed.items():
                text += self._overload(command, self._told(command, ways[0], values), command.doc, name)
            text += self._body(command, ways[0], result, command.doc)
        for alias in command.aliases:
            name = python_name(alias)
            if name != command.method:
                text += f"\n    {name} = {command.method}\n"
        return text

    def _narrowed(self, command: Command) -> dict[str, tuple[str | bool | None, ...]]:
        """For which values of an argument which result comes, held against what the catalogue says."""
        if command.name not in NARROWED or command.result is None:
            return {}
        narrowed = NARROWED[command.name][1]
        members = {str(one["$ref"]).rsplit("/", 1)[-1] for one in command.result.get("anyOf", [])}
        if set(narrowed) != members:
            raise ValueError(f"results of {command.name} are {sorted(members)}: say in NARROWED which comes when")
        return narrowed

    def _told(self, command: Command, way: Form, values: tuple[str | bool | None, ...]) -> list[Parameter]:
        """The parameters with those values of the argument that tells the result."""
        name = NARROWED[command.name][0]
        words = [json.dumps(one) if isinstance(one, str) else str(one) for one in values if one is not None]
        literal = f"Literal[{', '.join(words)}]"
        told = []
        for one in self._parameters(command, way):
            if one.field.name == name:
                optional = None in values or False in values
                one = replace(
                    one, annotation=literal, optional=optional, default="False" if False in values else "None"
                )
            told.append(one)
        return told

    def _parameters(self, command: Command, way: Form) -> list[Parameter]:
        positional = POSITIONAL.get(command.name, ())
        found = []
        for field in way.fields:
            annotation = self._types.expression(field.schema, command.args, python_name(field.name), command.type_name)
            parts = ["Target" if part.startswith("Target") else part for part in annotation.split(" | ")]
            annotation = " | ".join(parts)
            found.append(
                Parameter(
                    field,
                    python_name(field.name),
                    annotation,
                    not field.required,
                    field.required or field.name in positional,
                )
            )
        order = {name: number for number, name in enumerate(positional)}
        found.sort(key=lambda one: (not one.field.required, not one.positional, order.get(one.field.name, 0)))
        return found

    def _signature(self, command: Command, parameters: list[Parameter], result: str) -> str:
        words = ["self", *(one.written() for one in parameters if one.positional)]
        named = [one.written() for one in parameters if not one.positional]
        if command.readiness:
            named.append("readiness_timeout_ms: int | None = None")
        if named:
            words += ["*", *named]
        head = f"    {self._def} {command.method}("
        line = f"{head}{', '.join(words)}) -> {result}:"
        if len(line) <= WIDTH:
            return line
        return head + "\n" + "".join(f"        {word},\n" for word in words) + f"    ) -> {result}:"

    def _overload(self, command: Command, parameters: list[Parameter], doc: str, result: str) -> str:
        lines = ["    @overload", self._signature(command, parameters, result), *_doc(doc, parameters)]
        return "\n".join(lines) + "\n\n"

    def _body(self, command: Command, way: Form, result: str, doc: str) -> str:
        parameters = self._parameters(command, way)
        lines = [self._signature(command, parameters, result), *_doc(doc, parameters)]
        entries = []
        for one in parameters:
            value = f"as_target({one.name})" if one.is_target else one.name
            entries.append(f'            "{one.field.name}": {value},')
        args = "{}" if not entries else "{\n" + "\n".join(entries) + "\n        }"
        lines.append(f"        args: dict[str, Any] = {args}")
        extra = ", readiness_timeout_ms=readiness_timeout_ms" if command.readiness else ""
        lines.append(self._return(command, result, extra))
        return "\n".join(lines) + "\n"

    def _choice(self, command: Command, ways: list[Form], result: str) -> str:
        """The method behind the overloads: the first argument says which form the others are of."""
        key = next(field for field in ways[0].fields if field.constant is not None)
        lines = [
            f"    {self._def} {command.method}(self, *values: Any, **named: Any) -> {result}:",
            *_doc(command.doc, []),
        ]
        lines.append("        forms = {")
        for way in ways:
            parameters = self._parameters(command, way)
            positional = " ".join(one.name for one in parameters if one.positional)
            named = " ".join(one.name for one in parameters if not one.positional)
            line = f'            "{way.kind}": Form("{positional}", "{named}"),'
            if len(line) > WIDTH:
                pad = " " * 16
                line = f'            "{way.kind}": Form(\n{pad}"{positional}",\n{pad}"{named}",\n            ),'
            lines.append(line)
        lines.append("        }")
        targets = sorted({one.name for way in ways for one in self._parameters(command, way) if one.is_target})
        said = (
            "".join(f'"{name}", ' for name in targets).strip()
            if len(targets) == 1
            else ", ".join(f'"{name}"' for name in targets)
        )
        lines.append(f'        args = filled("{command.method}", "{key.name}", forms, values, named, targets=({said}))')
        lines.append(self._return(command, result, ""))
        return "\n".join(lines) + "\n"

    def _return(self, command: Command, result: str, extra: str) -> str:
        call = f'{"await " if self._async else ""}self._call("{command.name}", args{extra})'
        return f"        return {call}" if result == "dict[str, Any]" else f'        return cast("{result}", {call})'


def _doc(doc: str, parameters: list[Parameter]) -> list[str]:
    said = [(one.name, one.field.doc) for one in parameters if one.field.doc]
    text = doc.rstrip(".") + "."
    lines = textwrap.wrap(text, WIDTH - 12)
    if not said:
        if len(lines) == 1:
            return [f'        """{_safe(lines[0])}"""']
    else:
        lines += ["", "Args:"]
        for name, words in said:
            lines += textwrap.wrap(f"{name}: {words}", WIDTH - 12, initial_indent="    ", subsequent_indent="        ")
    return [f'        """{_safe(lines[0])}', *(f"        {_safe(line)}".rstrip() for line in lines[1:]), '        """']


def _safe(line: str) -> str:
    line = line.replace("\\", "\\\\")
    return line + " " if line.endswith('"') else line
