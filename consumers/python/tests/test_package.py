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


def test_both_clients_take_their_settings_from_one_definition() -> None:
    for name in ("__init__", "with_options", "session_name", "binary"):
        assert name not in vars(Client), name
        assert name not in vars(AsyncClient), name
    assert inspect.signature(Client) == inspect.signature(AsyncClient)
    # What a reader of the signature sees is explained where it stands.
    explained = inspect.getdoc(Client.__init__) or ""
    for setting in inspect.signature(Client).parameters:
        assert f"\n    {setting}: " in explained, setting


def test_other_options_leave_the_client_as_it_was_and_of_its_kind() -> None:
    class Named(Client):
        pass

    before = Named("first", timeout_ms=700, start=False)
    after = before.with_options(session="second")
    assert type(after) is Named
    assert (before.session_name, after.session_name) == ("first", "second")
    assert (before._options.timeout_ms, after._options.timeout_ms) == (700, 700)
    assert after._way is before._way
