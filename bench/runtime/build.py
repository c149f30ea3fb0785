"""Builds the programs of both sides, and the stub."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from cases import Case

HERE = Path(__file__).resolve().parent
TARGET = HERE / "target"


def build(cases: list[Case]) -> None:
    """Builds what the cases need: each package by itself, so that features of dependencies are not unified."""
    packages = [f"{programs}-{side}" for programs in sorted({case.programs for case in cases}) for side in ("ours", "peer")]
    if any(case.where != "local" for case in cases):
        packages.append("bench-stub")
    env = dict(os.environ, CARGO_TARGET_DIR=str(TARGET), CARGO_INCREMENTAL="0")
    for package in packages:
        command = ["cargo", "build", "--quiet", "--release", "--package", package]
        if subprocess.run(command, cwd=HERE, env=env, stdout=sys.stderr).returncode != 0:
            sys.exit(f"{package} does not build")


def program(name: str) -> str:
    return str(TARGET / "release" / name)


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
