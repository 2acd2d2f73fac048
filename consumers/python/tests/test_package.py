"""The package as a whole."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys

import agent_device_client
from agent_device_client import AsyncClient, Client, _facts
from agent_device_client._async_commands import AsyncCommands
from agent_device_client._commands import Commands

from .conftest import REPOSITORY


def test_types_cost_nothing_when_the_client_runs_and_can_be_loaded() -> None:
    words = "import sys, agent_device_client; assert 'agent_device_client.generated' not in sys.modules; "
    words += "import agent_device_client.generated as types; assert types.Pressed.__name__ == 'Pressed'"
    subprocess.run([sys.executable, "-c", words], check=True, timeout=60, env={"PYTHONPATH": ":".join(sys.path)})


def test_every_command_of_the_catalogue_has_a_method_in_both_clients() -> None:
    catalogue = json.loads((REPOSITORY / "contracts" / "schemas" / "commands.json").read_text())
    assert catalogue["version"] == agent_device_client.__version__ == _facts.VERSION
    for name in (one["name"] for one in catalogue["commands"]):
        method = {"is": "is_"}.get(name, name.replace("-", "_"))
        for kind in (Commands, AsyncCommands) if name not in ("batch", "events", "trace") else (Client,):
            assert callable(getattr(kind, method)), f"{kind.__name__}.{method}"


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    def surface(kind: type) -> dict[str, str]:
        methods = {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}
        parameters = {name: inspect.signature(one).parameters for name, one in methods.items() if callable(one)}
        return {name: ", ".join(map(str, known.values())) for name, known in parameters.items()}

    assert surface(Client) == surface(AsyncClient)
    assert str(inspect.signature(Client)) == str(inspect.signature(AsyncClient))
