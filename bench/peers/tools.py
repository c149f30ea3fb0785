"""The generators that are compared: how each is installed and run, and how its output becomes a crate.

Every tool writes one crate for a case, below target/bench/peers/work; the crates of a tool are one workspace, so that
cargo checks them in one run. Nothing else of this folder names a command of a generator.
"""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = ROOT / "target/bench/peers"
WORK, BUILD, BIN = TARGET / "work", TARGET / "build", TARGET / "bin"

PROGENITOR, OPENAPI_TO_RUST, OAS3_GEN, SPARGEN = "0.15.1", "0.23.0", "0.29.0", "0.5.0"
OPENAPI_GENERATOR = "7.26.0"


@dataclass
class Ran:
    """How a command ended, and what it printed."""

    status: int
    output: str


def run(command: list, cwd: Path = ROOT) -> Ran:
    """Runs a command to its end."""
    env = dict(os.environ, CARGO_TARGET_DIR=str(BUILD), CARGO_TERM_COLOR="never", CARGO_INCREMENTAL="0", NO_COLOR="1")
    # A backtrace is no part of what a generator reports.
    env |= {"CARGO_PROFILE_DEV_DEBUG": "0", "RUST_BACKTRACE": "0"}
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    return Ran(done.returncode, done.stdout + done.stderr)


def install(crate: str, version: str, *more: str) -> None:
    """Installs a crate's program, once."""
    installed = TARGET / ".crates.toml"
    if not installed.exists() or f'"{crate} {version} ' not in installed.read_text():
        command = ["cargo", "install", "--quiet", "--debug", "--locked", "-j1", "--root", TARGET, *more, crate]
        expect(run([*command, "--version", version]))


def expect(ran: Ran) -> None:
    if ran.status != 0:
        raise SystemExit(ran.output)


def manifest(name: str, dependencies: str) -> str:
    return f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n\n{dependencies}\n'


class Tool:
    """A generator: a name, a side (`client` or `server`), the OpenAPI version of its cases, and where types are.

    `settings` has what a document needs in the generator's configuration, where its defaults do without the feature.
    """

    key, title, side, version = "", "", "client", "3.1.0"
    types = "types"
    features: list[str] = []
    settings: dict[str, str] = {}
    help: list = []

    def install(self) -> None:
        """Makes the program available."""

    def command(self, spec: Path, out: Path, name: str) -> list:
        raise NotImplementedError

    def finish(self, out: Path, name: str) -> None:
        """Makes a crate of what was written."""

    def generate(self, spec: Path, out: Path, name: str) -> Ran:
        """Writes the crate of a case anew."""
        shutil.rmtree(out, ignore_errors=True)
        (out / "src").mkdir(parents=True)
        ran = run(self.command(spec, out, name), spec.parent)
        if ran.status == 0:
            self.finish(out, name)
            text = (out / "Cargo.toml").read_text()
            text = re.sub(r"(?m)^\[workspace\]$", "", text)
            (out / "Cargo.toml").write_text(text + "\n[dev-dependencies.serde_json]\nversion = \"1\"\n")
        return ran

    def code(self, out: Path) -> str:
        """The generated Rust without its comments."""
        files = sorted((out / "src").rglob("*.rs"))
        lines = [line for file in files for line in file.read_text().splitlines()]
        kept = [line for line in lines if not line.lstrip().startswith(("//", "#[doc", "*", "/*"))]
        return "\n".join(kept)


class Bothends(Tool):
    key, title = "bothends", "bothends"
    features = ["--no-default-features", "--features", "client,server,webhooks,hyper,tokens"]

    def install(self) -> None:
        expect(run(["cargo", "build", "--quiet", "--package", "bothends"]))

    def command(self, spec: Path, out: Path, name: str) -> list:
        program = BUILD / "debug/bothends"
        return [program, "generate", spec, "--out", out, "--name", name, "--runtime-path", ROOT / "runtime"]


class Progenitor(Tool):
    key, title, version = "progenitor", f"progenitor {PROGENITOR}", "3.0.3"

    def install(self) -> None:
        install("cargo-progenitor", PROGENITOR)

    def command(self, spec: Path, out: Path, name: str) -> list:
        command = [TARGET / "bin/cargo-progenitor", "progenitor", "-i", spec, "-o", out, "-n", name, "-v", "0.0.0"]
        return [*command, "--include-client", "false"]


class OpenapiToRust(Tool):
    key, title = "openapi-to-rust", f"openapi-to-rust {OPENAPI_TO_RUST}"
    types = "api"
    server = False
    settings = {
        "enums": '[extensible_enums]\n"State" = true\n',
        "sse": "[[streaming.endpoints]]\n"
        'operation_id = "listEvents"\npath = "events"\nhttp_method = "GET"\nevent_union_type = "Event"\n',
    }

    def install(self) -> None:
        install("openapi-to-rust", OPENAPI_TO_RUST)

    def command(self, spec: Path, out: Path, name: str) -> list:
        # The indentation tells the operations of paths and webhooks from those of callbacks.
        operations = re.findall(r"(?m)^ {6}operationId: (\w+)", spec.read_text())
        features = f"enable_async_client = {str(not self.server).lower()}\nenable_sse_client = {str(not self.server).lower()}"
        text = f'[generator]\nspec_path = "{spec}"\noutput_dir = "{out}/src/api"\nmodule_name = "api"\n\n[features]\n{features}\n'
        if self.server:
            text += f'\n[server]\nframework = "axum"\noperations = {json.dumps(operations)}\n'
        text += self.settings.get(name, "")
        (out / "openapi-to-rust.toml").write_text(text)
        return [TARGET / "bin/openapi-to-rust", "generate", "--config", out / "openapi-to-rust.toml"]

    def finish(self, out: Path, name: str) -> None:
        (out / "Cargo.toml").write_text(manifest(name, (out / "src/api/REQUIRED_DEPS.toml").read_text()))
        (out / "src/lib.rs").write_text("pub mod api;\n")


class OpenapiToRustServer(OpenapiToRust):
    key, side, server = "openapi-to-rust-server", "server", True


class Oas3Gen(Tool):
    key, title = "oas3-gen", f"oas3-gen {OAS3_GEN}"
    types, mode = "", "client-mod"

    def install(self) -> None:
        install("oas3-gen", OAS3_GEN)

    def command(self, spec: Path, out: Path, name: str) -> list:
        return [TARGET / "bin/oas3-gen", "generate", self.mode, "-i", spec, "-o", out, "--workspace", "--color", "never"]

    def finish(self, out: Path, name: str) -> None:
        text = re.sub(r'(?m)^name = ".*"', f'name = "{name}"', (out / "Cargo.toml").read_text(), count=1)
        (out / "Cargo.toml").write_text(text)


class Oas3GenServer(Oas3Gen):
    key, side, mode = "oas3-gen-server", "server", "server-mod"


class Spargen(Tool):
    key, title, types = "spargen", f"spargen {SPARGEN}", "api::types"

    def install(self) -> None:
        install("spargen", SPARGEN, "--features", "cli")
        expect(run(["cargo", "build", "--quiet", "--manifest-path", HERE / "spargen-peer/Cargo.toml"]))

    def command(self, spec: Path, out: Path, name: str) -> list:
        return [BUILD / "debug/spargen-peer", spec, out]

    def finish(self, out: Path, name: str) -> None:
        (out / "Cargo.toml").write_text(manifest(name, (out / "dependencies.toml").read_text()))
        (out / "src/lib.rs").write_text("pub mod api;\n")


class OpenapiGenerator(Tool):
    key, title, types = "openapi-generator", f"openapi-generator {OPENAPI_GENERATOR}", "models"
    generator, features = "rust", ["--no-default-features"]

    def install(self) -> None:
        program = TARGET / "venv/bin/openapi-generator-cli"
        if not program.exists():
            expect(run(["python3", "-m", "venv", TARGET / "venv"]))
        expect(run([TARGET / "venv/bin/pip", "install", "--quiet", f"openapi-generator-cli=={OPENAPI_GENERATOR}"]))

    def command(self, spec: Path, out: Path, name: str) -> list:
        program = TARGET / "venv/bin/openapi-generator-cli"
        return [program, "generate", "-g", self.generator, "-i", spec, "-o", out, "--package-name", name]


class OpenapiGeneratorServer(OpenapiGenerator):
    key, side, generator, features = "openapi-generator-server", "server", "rust-axum", []


TOOLS = [
    Bothends(),
    Progenitor(),
    OpenapiToRust(),
    OpenapiToRustServer(),
    Oas3Gen(),
    Oas3GenServer(),
    Spargen(),
    OpenapiGenerator(),
    OpenapiGeneratorServer(),
]
