"""The pytest plugin, in runs of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_device_client import Client

from .conftest import plugin_words


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder for a run."""
    return pytester


def run(suite: pytest.Pytester, *options: str) -> pytest.RunResult:
    """Runs the tests in it, with the plugin."""
    return suite.runpytest_inprocess(*plugin_words(), *options)


def kept(suite: pytest.Pytester, folder: str = "agent-device-results") -> list[Path]:
    """The files that a run has kept."""
    return sorted(path for path in (suite.path / folder).rglob("*") if path.is_file())


def test_every_test_has_a_fresh_session_that_is_closed_afterwards(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        names = []

        def test_one(device):
            device.press("label=Counter")
            device.press("id=tap")
            names.append(device.session_name)

        def test_two(device):
            assert device.is_("exists", 'label="Counter"')["pass"]
            names.append(device.session_name)
            assert len(set(names)) == 2
        """
    )
    result = run(suite, "--device-app", "demo", "--device-platform", "stage")
    result.assert_outcomes(passed=2)
    assert all(not one["name"].startswith("pytest-") for one in Client("x").session("list")["sessions"])
    assert kept(suite) == []


def test_a_failure_keeps_the_screen_its_text_and_every_step(suite: pytest.Pytester) -> None:
    suite.makeini("[pytest]\ndevice_app = demo\ndevice_platform = stage\ndevice_artifacts = kept\n")
    suite.makepyfile(
        """
        def test_counts(device):
            device.press("label=Counter")
            device.press("id=tap")
            assert device.get("text", "id=taps")["text"] == "Pressed 2 times"
        """
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*device: snapshot*", "Page: Counter", "*device: kept*", "*trace.html"])
    files = {path.name: path for path in kept(suite, "kept")}
    assert sorted(files) == ["screenshot.png", "snapshot.txt", "trace.html"]
    assert files["screenshot.png"].read_bytes().startswith(b"\x89PNG")
    assert "Pressed 1 times" in files["snapshot.txt"].read_text()
    page = files["trace.html"].read_text()
    assert "<html" in page and "id=tap" in page
    assert files["trace.html"].parent.name == "test_a_failure_keeps_the_screen_its_text_and_every_step.py-test_counts"


def test_a_failed_command_is_shown_with_what_it_says_of_a_resend(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it(device):\n    device.open('demo')\n    device.press('id=nothing')\n")
    result = run(suite, "--device-platform", "stage", "--device-readiness-ms", "0", "--device-trace", "never")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ELEMENT_NOT_FOUND*", "*Dispatched: no*", "*dispatched: no, request python-*"])
    assert [path.name for path in kept(suite)] == ["screenshot.png", "snapshot.txt"]


def test_a_trace_of_every_test_is_kept_where_that_is_wanted(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it(device):\n    device.press('label=Counter')\n")
    options = ("--device-app", "demo", "--device-platform", "stage", "--device-trace", "always")
    run(suite, *options).assert_outcomes(passed=1)
    assert [path.name for path in kept(suite)] == ["trace.html"]


def test_an_app_that_does_not_open_is_an_error_of_the_test_and_nothing_else(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it(device):\n    pass\n")
    result = run(suite, "--device-app", "./no-such-app.toml", "--device-platform", "stage")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*OPEN_FAILED*", "*Dispatched: no*"])
    assert kept(suite) == []


def test_a_fixture_that_fails_behind_the_device_has_its_screen_kept(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest

        @pytest.fixture
        def basket(device):
            device.press("label=Counter")
            assert False

        def test_it(basket):
            pass
        """
    )
    run(suite, "--device-app", "demo", "--device-platform", "stage").assert_outcomes(errors=1)
    assert [path.name for path in kept(suite)] == ["screenshot.png", "snapshot.txt", "trace.html"]


def test_the_traceback_ends_where_the_test_called(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it(device):\n    device.press('id=nothing')\n")
    result = run(suite, "--device-app", "demo", "--device-platform", "stage", "--device-readiness-ms", "0")
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*_exchange.py*")
    result.stdout.fnmatch_lines(["*device.press('id=nothing')", "E *ELEMENT_NOT_FOUND*"])
    whole = run(
        suite, "--device-app", "demo", "--device-platform", "stage", "--device-readiness-ms", "0", "--full-trace"
    )
    whole.stdout.fnmatch_lines(["*_exchange.py*"])


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--device-trace", "sometimes"), "never, on-failure, always"),
        (("--device-readiness-ms", "soon"), "number of ms"),
    ],
)
def test_a_wrong_option_is_refused_before_the_first_test(
    suite: pytest.Pytester, option: tuple[str, str], said: str
) -> None:
    suite.makepyfile("def test_it(device):\n    pass\n")
    result = run(suite, *option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{said}*"])


def test_the_options_of_the_client_can_be_overridden(suite: pytest.Pytester) -> None:
    suite.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def device_options(device_options):
            return {**device_options, "timeout_ms": 1}
        """
    )
    suite.makepyfile(
        """
        import pytest
        from agent_device_client import AgentDeviceError

        def test_it(device):
            with pytest.raises(AgentDeviceError) as failed:
                device.wait("duration", 5000)
            assert failed.value.code in ("TIMEOUT", "SESSION_NOT_FOUND")
        """
    )
    run(suite, "--device-platform", "stage").assert_outcomes(passed=1)
