"""`python -m generate [--check]`, in consumers/python."""

from __future__ import annotations

import sys
from pathlib import Path

from .catalogue import load
from .methods import Methods
from .types import write, write_facts

HERE = Path(__file__).resolve().parent.parent
PACKAGE = HERE / "src" / "agent_device_client"
SCHEMA = HERE.parent.parent / "contracts" / "schemas" / "commands.json"


def main(words: list[str]) -> int:
    """Writes the files; with `--check` only compares them."""
    catalogue = load(SCHEMA)
    generated, results, known = write(catalogue)
    files = {
        "generated.py": generated,
        "_facts.py": write_facts(catalogue),
        "_commands.py": Methods(results, known, asynchronous=False).file(catalogue),
        "_async_commands.py": Methods(results, known, asynchronous=True).file(catalogue),
    }
    stale = []
    for name, text in files.items():
        path = PACKAGE / name
        there = path.read_text(encoding="utf-8") if path.exists() else ""
        if there == text:
            continue
        stale.append(name)
        if "--check" not in words:
            path.write_text(text, encoding="utf-8")
    if stale and "--check" in words:
        print(f"out of date: {', '.join(stale)}; in consumers/python run: python3 -m generate", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
