//! Throw-away crates that generated code is compiled in.
//!
//! They share one target folder and the lock file of the workspace, so that dependencies are built
//! once and nothing is looked up on the network.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = Command::new(cargo)
        .arg("--offline")
        .args(command)
        .current_dir(dir)
        // As a shell has it: build scripts look there for the workspace that is built.
        .env("PWD", dir)
        .env("CARGO_TARGET_DIR", target())
        .env("RUSTFLAGS", "-D warnings")
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("OUT_DIR")
        .envs(variables.iter().copied())
        .output()?;
    let output = String::from_utf8_lossy(&run.stderr).into_owned();
    Ok(Checked {
        clean: run.status.success(),
        output,
    })
}

/// Builds the command, and returns its path. It is not optimised, which takes a quarter of the time.
///
/// # Errors
/// When cargo cannot be run or the command does not compile.
pub fn bothends() -> std::io::Result<PathBuf> {
    let level = "profile.dev.package.bothends.opt-level=0";
    let command = ["build", "--package", "bothends", "--config", level];
    let built = run(&root(), &command)?;
    if !built.clean {
        return Err(std::io::Error::other(built.output));
    }
    Ok(target().join("debug/bothends"))
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
    let said = String::from_utf8_lossy(&run.stderr);
    Err(std::io::Error::other(format!("{template}: {said}")))
}

/// The target folder that scratch crates share.
#[must_use]
pub fn target() -> PathBuf {
    let ours =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    ours.join("scratch")
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
