//! The console in a browser: `drive.py` uses it as a person does.
//!
//! Needs `chromium` and `chromium-driver` of Debian's packages, and axe-core of npm, which looks for
//! violations of accessibility. CI installs them. Pictures of every page are in
//! `target/browser-screenshots`.

use bothends_test_environment::{has_program, has_python, skipped};
use financial_data_sandbox::Sandbox;
use std::path::{Path, PathBuf};
use std::process::Command;

const AXE: &str = "target/ci-axe/node_modules/axe-core/axe.min.js";

fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().expect("a workspace").to_owned()
}

/// Returns where axe-core is. `None` if it, or a program, is missing.
fn axe(test: &str) -> Option<PathBuf> {
    let install = "apt-get install --no-install-recommends chromium chromium-driver";
    let has = has_python(test)
        && has_program(test, "chromium", "--version", install)
        && has_program(test, "chromedriver", "--version", install);
    let axe = root().join(AXE);
    if has && !axe.exists() {
        let install =
            "npm install --prefix target/ci-axe --no-save --ignore-scripts axe-core@4.14.1";
        skipped(test, "axe-core is not installed", install);
        return None;
    }
    has.then_some(axe)
}

#[test]
#[ignore = "slow suite `browser`: run with --include-ignored"]
fn a_person_uses_the_console() {
    let Some(axe) = axe("a_person_uses_the_console") else {
        return;
    };
    let screenshots = root().join("target/browser-screenshots");
    std::fs::create_dir_all(&screenshots).expect("a directory");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let sandbox = runtime.block_on(Sandbox::start()).expect("a sandbox");
    let script = root().join("sandbox/tests/slow/browser/drive.py");
    let status = Command::new("python3")
        .arg(script)
        .args([
            sandbox.console_url(),
            sandbox.console_password().expect("a password"),
        ])
        .args([&axe, &screenshots])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .status()
        .expect("python3");
    runtime.block_on(sandbox.stop());
    assert!(status.success(), "{status}");
}
