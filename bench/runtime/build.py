"""Builds the programs of both sides."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE / "target"


def both() -> None:
    """Builds each side by itself, so that features of dependencies are not unified."""
    for side in ("ours", "peer"):
        command = ["cargo", "build", "--quiet", "--release", "--locked", "--package", f"bench-{side}"]
        env = dict(os.environ, CARGO_TARGET_DIR=str(TARGET), CARGO_INCREMENTAL="0")
        if subprocess.run(command, cwd=HERE, env=env, stdout=sys.stderr).returncode != 0:
            sys.exit(f"bench-{side} does not build")


def program(side: str) -> Path:
    return TARGET / "release" / f"bench-{side}"


def versions() -> dict[str, str]:
    """Returns the versions of the peers, and of the compiler."""
    manifest = tomllib.loads((HERE / "Cargo.toml").read_text())
    found = {}
    for name, value in manifest["workspace"]["dependencies"].items():
        version = value if isinstance(value, str) else value.get("version")
        if version:
            found[name] = version.removeprefix("=")
    found["rustc"] = subprocess.check_output(["rustc", "--version"], text=True).split()[1]
    return found
