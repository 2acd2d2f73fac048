"""The guide's Python examples, as they are written there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import agent_device_client

from .conftest import REPOSITORY, plugin_words

GUIDE = REPOSITORY / "docs" / "guide" / "python.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("example", EXAMPLES, ids=range(1, len(EXAMPLES) + 1))
def test_an_example_runs(example: str, tmp_path: Path) -> None:
    words = [sys.executable]
    if "def test_" in example:
        words += ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--device-app", "demo"]
        words += plugin_words()
    (tmp_path / "test_example.py").write_text(example)
    package = str(Path(agent_device_client.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": package}
    ran = subprocess.run(
        [*words, "test_example.py"],
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
