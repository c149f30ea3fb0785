//! Scripts in Python: strangers that know nothing of us, with nothing but their standard library.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A script that runs until this is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Running {
    /// Starts a script of `tests/python`.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(script: &str, arguments: &[&str]) -> io::Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("python")
            .join(script);
        let mut command = Command::new("python3");
        command.arg("-B").arg(path).args(arguments);
        // Its texts are UTF-8 wherever this runs.
        command.env("PYTHONUTF8", "1").stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let lines = child
            .stdout
            .take()
            .map(BufReader::new)
            .ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self { child, lines })
    }

    /// Returns the next line of its output, without the line break.
    ///
    /// # Errors
    /// When its output cannot be read.
    pub fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.lines.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a script of `tests/python` with this standard input, and returns its standard output.
///
/// # Errors
/// When it cannot be run or fails: what it said.
pub fn run(script: &str, arguments: &[&str], input: &str) -> Result<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("python")
        .join(script);
    let mut child = Command::new("python3")
        .arg(path)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    let _ = writer.join();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a script with a line of JSON for each of these, and reads a line of JSON for each.
///
/// # Errors
/// When it fails, or says anything else.
pub fn exchange(script: &str, arguments: &[&str], sent: &[Value]) -> Result<Vec<Value>, String> {
    let lines: String = sent.iter().map(|value| format!("{value}\n")).collect();
    let output = run(script, arguments, &lines)?;
    let read = |line: &str| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"));
    output.lines().map(read).collect()
}
