//! The commands that compile a program for a document: what they print, and how they end.

mod contract;
mod examples;

use std::path::{Path, PathBuf};
use std::process::Command;

use bothends_tests::root;
use bothends_tests::scratch::{bothends as built, forget_package, target};

/// What a run came to.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

/// The path of a document beside this file.
fn document(name: &str) -> PathBuf {
    root().join("tests/tests/projects/commands").join(name)
}

/// Runs the command in a folder, with these variables of the environment.
fn bothends(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let runtime = root().join("runtime");
    let mut command = Command::new(built().expect("the command"));
    forget_package(&mut command);
    let output = command
        .args(args)
        .arg("--runtime-path")
        .arg(runtime)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_NET_OFFLINE", "true")
        .env("RUSTFLAGS", "-D warnings")
        .env("NO_COLOR", "1")
        .envs(variables.iter().copied())
        .output()
        .expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}
