"""Makes a wheel of the package and a program that is built already: `python3 wheel.py PROGRAM FOLDER`.

`maturin build --release` makes the wheel that is published; it compiles the program for minutes. This makes the same
wheel around a program that is there, for `check` and for whoever has built one for its own platform.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "agent_device_client"


def main(program: Path, folder: Path) -> Path:
    """Writes the wheel and returns its path."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = _found(r'^VERSION = "(.+)"$', (PACKAGE / "_facts.py").read_text(encoding="utf-8"))
    name = project["name"].replace("-", "_")
    tag = f"py3-none-{re.sub(r'[-.]', '_', sysconfig.get_platform())}"
    about = f"{name}-{version}.dist-info"
    files: list[tuple[str, bytes, int]] = [
        (f"{name}/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes(), 0o644)
        for path in sorted(PACKAGE.rglob("*"))
        if path.is_file() and path.suffix in (".py", ".typed")
    ]
    files += [
        (f"{name}-{version}.data/scripts/agent-device", program.read_bytes(), 0o755),
        (f"{about}/METADATA", _metadata(project, version).encode(), 0o644),
        (
            f"{about}/WHEEL",
            f"Wheel-Version: 1.0\nGenerator: wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
            0o644,
        ),
        (f"{about}/entry_points.txt", _entry_points(project).encode(), 0o644),
    ]
    records = [f"{path},sha256={_hash(content)},{len(content)}" for path, content, _ in files]
    record = "\n".join([*records, f"{about}/RECORD,,", ""])
    files.append((f"{about}/RECORD", record.encode(), 0o644))
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path, content, mode in files:
            # One fixed time, so that the same content is the same wheel.
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def _metadata(project: dict[str, object], version: str) -> str:
    classifiers = project["classifiers"]
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {one}" for one in (classifiers if isinstance(classifiers, list) else [])),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (HERE / "README.md").read_text(encoding="utf-8")


def _entry_points(project: dict[str, object]) -> str:
    groups = project["entry-points"]
    lines: list[str] = []
    for group, entries in groups.items() if isinstance(groups, dict) else ():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in entries.items()), ""]
    return "\n".join(lines)


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"nothing in the package matches {pattern}")
    return found.group(1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python3 wheel.py PROGRAM FOLDER")
    print(main(Path(sys.argv[1]), Path(sys.argv[2])))
