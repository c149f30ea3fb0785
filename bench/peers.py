"""Shared parts of the benchmarks in this folder: the generators, their crates, and measuring.

Times are seconds of CPU time, user and system, of a command and its child processes, so that they are meaningful on a
shared machine. The minimum of ROUNDS runs counts (default: 3). Output is written to target/bench. The documents are
read from the corpus in BOTHENDS_CORPUS (default: ../shared/corpus).
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CORPUS = Path(os.environ.get("BOTHENDS_CORPUS", ROOT / "../shared/corpus")).resolve()
TARGET = ROOT / "target/bench"
PEERS = TARGET / "peers"
ROUNDS = int(os.environ.get("ROUNDS", "3"))

NEXUS = CORPUS / "progenitor/sample_openapi.nexus.json"
GITHUB = CORPUS / "progenitor/sample_openapi.api.github.com.json"
OPENAI = CORPUS / "openai-openapi/openapi.yaml"

PROGENITOR = "0.15.1"
OPENAPI_TO_RUST = "0.23.0"
OURS, CLIENT, SERVER = ["types", "client", "server", "webhooks"], ["types", "client"], ["types", "server"]


@dataclass
class Spent:
    """The cost of a command: CPU seconds, and the MiB of its largest process."""

    cpu: float
    memory: float

    def least(self, other: "Spent | None") -> "Spent":
        return self if other is None or self.cpu < other.cpu else other


class Failed(Exception):
    """An error for a failed command, with its output."""


def run(command: list[str | Path], cwd: Path = ROOT, incremental: bool = False) -> Spent:
    """Runs a command to completion."""
    env = dict(os.environ, CARGO_TARGET_DIR=str(TARGET), CARGO_INCREMENTAL=str(int(incremental)), CARGO_TERM_COLOR="never")
    log = TARGET / "log"
    with log.open("wb") as out:
        child = subprocess.Popen([str(word) for word in command], cwd=cwd, env=env, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if status != 0:
        lines = log.read_text(errors="replace").splitlines()
        said = [line for line in lines if re.search("error|panicked|fail", line, re.I)] or lines
        raise Failed(f"{Path(str(command[0])).name} {' '.join(map(str, command[1:3]))}: {said[0] if said else status}")
    return Spent(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def tools() -> None:
    """Builds each generator once, and bothends whenever it has changed."""
    TARGET.mkdir(parents=True, exist_ok=True)
    run(["cargo", "build", "--quiet", "--release", "--package", "bothends"])
    run(["cargo", "build", "--quiet", "--release", "--manifest-path", HERE / "progenitor-peer/Cargo.toml"])
    installed = PEERS / ".crates.toml"
    if not installed.exists() or f'"openapi-to-rust {OPENAPI_TO_RUST} ' not in installed.read_text():
        folder = TARGET / "peers-build"
        install = ["cargo", "install", "--quiet", "--locked", "--root", PEERS, "--target-dir", folder]
        run([*install, "openapi-to-rust", "--version", OPENAPI_TO_RUST])
        shutil.rmtree(folder, ignore_errors=True)


class Bothends:
    """bothends, with the selected parts."""

    def __init__(self, parts: list[str] = CLIENT, unimplemented: bool = False):
        self.parts, self.unimplemented = parts, unimplemented
        self.crate = "ours-" + ("all" if parts == OURS else parts[-1])
        self.name = "bothends, all parts" if parts == OURS else "bothends"
        # The other generators have no TLS here either: TLS adds the same cost to each of them.
        features = [part for part in parts if part != "types"] + ["hyper"] * ("client" in parts)
        self.features = ["--no-default-features", "--features", ",".join(features)]

    def generate(self, spec: Path, out: Path) -> list[str | Path]:
        more = ["--unimplemented-handlers"] if self.unimplemented else []
        parts = ["--parts", ",".join(self.parts)] if self.parts != OURS else []
        command = [TARGET / "release/bothends", "generate", spec, "--out", out, "--name", self.crate]
        return [*command, "--runtime-path", ROOT / "runtime", *parts, *more]

    def finish(self, out: Path) -> None:
        # In a folder of a workspace, cargo would treat the crate as a member.
        manifest = out / "Cargo.toml"
        text = manifest.read_text()
        if "[workspace]" not in text:
            manifest.write_text(text + "\n[workspace]\n")


class Progenitor:
    """progenitor: types and a client."""

    name, crate, features = f"progenitor {PROGENITOR}", "peer", []

    def generate(self, spec: Path, out: Path) -> list[str | Path]:
        return [TARGET / "release/progenitor-peer", spec, out]

    def finish(self, _: Path) -> None:
        """Does nothing: the crate is complete."""


class OpenapiToRust:
    """openapi-to-rust: types and a client, as modules and a list of dependencies."""

    name, crate, features = f"openapi-to-rust {OPENAPI_TO_RUST}", "openapi-to-rust-peer", []

    def generate(self, spec: Path, out: Path) -> list[str | Path]:
        program = PEERS / "bin/openapi-to-rust"
        return [program, "generate", spec, "--output-dir", out / "src/api", "--module-name", "api"]

    def finish(self, out: Path) -> None:
        needed = (out / "src/api/REQUIRED_DEPS.toml").read_text()
        package = f'[package]\nname = "{self.crate}"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n'
        (out / "Cargo.toml").write_text(package + needed)
        (out / "src/lib.rs").write_text("pub mod api;\n")


class OpenapiToRustServer(OpenapiToRust):
    """openapi-to-rust: types and a server of all operations."""

    crate = "openapi-to-rust-server"

    def generate(self, spec: Path, out: Path) -> list[str | Path]:
        config = TARGET / f"{self.crate}.toml"
        config.write_text(
            f"""[generator]
spec_path = {json.dumps(str(spec))}
output_dir = {json.dumps(str(out / "src/api"))}
module_name = "api"
[features]
enable_async_client = false
[server]
framework = "axum"
operations = {json.dumps(list(operations(json.loads(spec.read_text()))))}
"""
        )
        return [PEERS / "bin/openapi-to-rust", "generate", "--config", config]


def operations(document: dict) -> dict[str, tuple[str, str]]:
    """Returns the path and the method of each operation by its id."""
    paths = document["paths"].items()
    items = [(path, method, item) for path, methods in paths for method, item in methods.items()]
    return {item["operationId"]: (path, method) for path, method, item in items if isinstance(item, dict) and "operationId" in item}


def served(spec: Path) -> tuple[Path, int, int]:
    """Writes the document without the operations of which openapi-to-rust refuses to generate a server. Returns its
    path, the number of operations that are left, and the number of all."""
    document = json.loads(spec.read_text())
    count = len(operations(document))
    written, out = TARGET / f"served-{spec.name}", TARGET / "crates/served"
    while True:
        written.write_text(json.dumps(document))
        command = OpenapiToRustServer().generate(written, out)
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        left = operations(document)
        if result.returncode == 0:
            return written, len(left), count
        # The message names the operation.
        named = [word for word in re.findall("`([^`]*)`", result.stderr) if word in left]
        if not named:
            raise Failed(result.stderr.strip())
        path, method = left[named[0]]
        del document["paths"][path][method]


def generate(tool, spec: Path, out: Path, rounds: int = 1) -> Spent:
    """Generates a crate repeatedly. The lock file is kept, so that versions stay the same."""
    lock = out / "Cargo.lock"
    kept = lock.read_bytes() if lock.exists() else None
    least = None
    for _ in range(rounds):
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        least = run(tool.generate(spec, out)).least(least)
    tool.finish(out)
    if kept:
        lock.write_bytes(kept)
    tell(f"  generate: {least.cpu:.2f} s, {least.memory:.0f} MiB")
    return least


def build(tool, out: Path, *how: str) -> Spent:
    """Measures cargo for the crate alone, with its dependencies built and its root touched."""
    command = ["cargo", *how, "--quiet", *tool.features]
    run(command, out)
    least = None
    for _ in range(ROUNDS):
        (out / "src/lib.rs").touch()
        least = run(command, out).least(least)
    tell(f"  {' '.join(how)}: {least.cpu:.2f} s, {least.memory:.0f} MiB")
    return least


def rlib(tool, profile: str) -> float:
    """Returns the size in MB of the library built last."""
    name = tool.crate.replace("-", "_")
    files = (TARGET / profile / "deps").glob(f"lib{name}-*.rlib")
    return max(files, key=lambda file: file.stat().st_mtime).stat().st_size / 1e6


def lines(out: Path) -> int:
    """Returns the number of lines of Rust in a crate."""
    return sum(len(file.read_text().splitlines()) for file in (out / "src").rglob("*.rs"))


def table(head: list[str], rows: list[list[str]]) -> None:
    """Prints a table in Markdown."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    show = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    print("\n".join([show(head), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(show, rows)]), flush=True)


def tell(what: str) -> None:
    """Prints progress, separate from the tables."""
    print(what, file=sys.stderr, flush=True)
