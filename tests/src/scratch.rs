//! Throw-away crates that generated code is compiled in.
//!
//! They use the target folder and the lock file of the workspace, so that dependencies are built
//! once and nothing is looked up on the network. Where `RUSTFLAGS` are those of [`run`], as in `.ci/run`, they share
//! the dependencies of the workspace too.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::root;

/// What compiling said.
#[derive(Debug)]
pub struct Checked {
    /// Whether it went through without a warning.
    pub clean: bool,
    /// What the compiler printed.
    pub output: String,
}

/// Checks a crate with all its features; warnings count as failures.
///
/// # Errors
/// When cargo cannot be run or the lock file cannot be copied.
pub fn check(dir: &Path, command: &[&str]) -> std::io::Result<Checked> {
    let all: Vec<&str> = command.iter().copied().chain(["--all-features"]).collect();
    run(dir, &all)
}

/// Runs cargo in a crate, with the features that the command names; warnings count as failures.
///
/// # Errors
/// When cargo cannot be run or the lock file cannot be copied.
pub fn run(dir: &Path, command: &[&str]) -> std::io::Result<Checked> {
    run_with(dir, command, &[])
}

/// Does the same with variables in the environment.
///
/// # Errors
/// When cargo cannot be run or the lock file cannot be copied.
pub fn run_with(
    dir: &Path,
    command: &[&str],
    variables: &[(&str, &OsStr)],
) -> std::io::Result<Checked> {
    if !dir.join("Cargo.lock").exists() {
        std::fs::copy(root().join("Cargo.lock"), dir.join("Cargo.lock"))?;
    }
    let run = cargo()
        .arg("--offline")
        .args(command)
        .current_dir(dir)
        // As a shell has it: build scripts look there for the workspace that is built.
        .env("PWD", dir)
        .env("CARGO_TARGET_DIR", target())
        .env("RUSTFLAGS", "-D warnings")
        .env("CARGO_TERM_COLOR", "never")
        .envs(variables.iter().copied())
        .output()?;
    let output = String::from_utf8_lossy(&run.stderr).into_owned();
    Ok(Checked {
        clean: run.status.success(),
        output,
    })
}

/// A command of cargo, in the environment of a shell.
#[must_use]
pub fn cargo() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    forget_package(&mut command);
    command
}

/// Removes what `cargo test` states about the package of a test. Build scripts of dependencies watch these variables: with
/// others, everything that depends on them is compiled again.
pub fn forget_package(command: &mut Command) {
    let names = std::env::vars_os().map(|(name, _)| name);
    let of_package = names.filter(|name| {
        let name = name.to_string_lossy();
        name == "OUT_DIR" || name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
    });
    for name in of_package {
        command.env_remove(name);
    }
}

/// Builds programs of this workspace, with the features of the test command so that nothing is compiled twice, and
/// returns their paths by their names.
///
/// # Errors
/// When cargo cannot be run or a program does not compile.
pub fn programs(names: &[&str]) -> std::io::Result<BTreeMap<String, PathBuf>> {
    let mut command = cargo();
    command
        .args(["build", "--offline", "--workspace", "--all-features"])
        // Features of dependencies for tests count only where a test is built: this is a small one.
        .args(["--test", "bridge", "--message-format", "json"])
        .current_dir(root());
    // As .ci/run compiles the workspace.
    if let Some(wrapper) = std::env::var_os("BOTHENDS_WORKSPACE_WRAPPER") {
        command.env("RUSTC_WORKSPACE_WRAPPER", wrapper);
    }
    for name in names {
        command.args(["--bin", name]);
    }
    let built = command.output()?;
    if !built.status.success() {
        let errors = String::from_utf8_lossy(&built.stderr);
        return Err(std::io::Error::other(errors.into_owned()));
    }
    let messages = String::from_utf8_lossy(&built.stdout);
    let messages = messages.lines().map(serde_json::from_str::<Value>);
    let programs = messages.filter_map(|message| {
        let message = message.ok()?;
        let name = message["target"]["name"].as_str()?.to_owned();
        Some((name, message["executable"].as_str()?.into()))
    });
    Ok(programs.collect())
}

/// Builds the command, and returns its path.
///
/// # Errors
/// When cargo cannot be run or the command does not compile.
pub fn bothends() -> std::io::Result<PathBuf> {
    static BUILT: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if built.is_none() {
        *built = programs(&["bothends"])?.remove("bothends");
    }
    let missing = || std::io::Error::other("cargo names no executable");
    built.clone().ok_or_else(missing)
}

/// `bothends new` in a folder that is named as the project is to be, with the crates of this workspace.
///
/// # Errors
/// When the command cannot be run or fails.
pub fn new_project(project: &Path, template: &str, spec: &Path) -> std::io::Result<()> {
    let run = Command::new(bothends()?)
        .arg("new")
        .arg(project)
        .args(["--template", template, "--runtime-path", "runtime"])
        .arg("--spec")
        .arg(spec)
        .current_dir(root())
        .output()?;
    if run.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&run.stderr);
    Err(std::io::Error::other(format!("{template}: {message}")))
}

/// The target folder of the workspace, which scratch crates use too.
#[must_use]
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A manifest for a crate of generated modules.
#[must_use]
pub fn manifest(name: &str) -> String {
    manifest_with(name, &["client", "server", "hyper", "tasks"])
}

/// A manifest for a crate of generated modules, with these features of the runtime and those that are
/// about types alone.
#[must_use]
pub fn manifest_with(name: &str, features: &[&str]) -> String {
    member_manifest(name, features) + "\n[workspace]\n"
}

/// A manifest like that of [`manifest_with`], for a member of a workspace.
#[must_use]
pub fn member_manifest(name: &str, features: &[&str]) -> String {
    let runtime = root().join("runtime");
    let features = [features, &["uuid", "jiff", "pattern"]].concat();
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nbothends-runtime = {{ path = {:?}, features = {features:?} }}\n\n\
         [lib]\ndoctest = false\n",
        runtime.display().to_string()
    )
}

/// A manifest for a workspace of crates.
#[must_use]
pub fn workspace_manifest(members: &[String]) -> String {
    format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n")
}
