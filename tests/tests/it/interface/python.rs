//! The other end, in Python.

use bothends_tests::python::Running;
use bothends_tests::{has_python, root};
use serde_json::Value;
use std::process::Command;

/// The script with its arguments.
fn script(arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(root().join("tests/python/financial_data.py"))
        .args(arguments)
        // Its texts are UTF-8 wherever this runs.
        .env("PYTHONUTF8", "1");
    command
}

/// Whether there is a Python at all; says so where there is none.
pub(crate) fn is_there(test: &str) -> bool {
    let there = has_python(test);
    assert!(
        there || std::env::var_os("CI").is_none(),
        "python3 is needed in CI"
    );
    there
}

/// Runs the script to its end; what it said.
pub(crate) fn run(arguments: &[&str]) -> String {
    let output = script(arguments).output().expect("python3 runs");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{arguments:?}\n{stdout}\n{complaint}"
    );
    stdout
}

/// Runs the script, which is to fail; what it complained of.
pub(crate) fn fails(arguments: &[&str]) -> String {
    let output = script(arguments).output().expect("python3 runs");
    assert!(!output.status.success(), "{arguments:?} did not fail");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The script as a server.
pub(crate) struct Server {
    script: Running,
    port: u16,
}

/// A request as it arrived there: method, target, headers by lower-case names, body.
#[derive(Debug, PartialEq)]
pub(crate) struct Arrived(pub(crate) Value);

impl Arrived {
    pub(crate) fn line(&self) -> (&str, &str) {
        let text = |index: usize| self.0[index].as_str().expect("a text");
        (text(0), text(1))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.0[2].get(name).and_then(Value::as_str)
    }

    pub(crate) fn body(&self) -> &str {
        self.0[3].as_str().expect("a text")
    }
}

impl Server {
    pub(crate) fn start() -> Self {
        let script = Running::start("financial_data.py", &["server"]);
        let mut script = script.expect("python3 runs");
        let port = script.line().expect("a line").parse().expect("a port");
        Self { script, port }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The next request: the script prints it before it answers.
    pub(crate) fn arrived(&mut self) -> Arrived {
        Arrived(serde_json::from_str(&self.script.line().expect("a line")).expect("JSON"))
    }
}
