//! The program as its users start it: the README's commands, the configuration, and stopping.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod readme;
#[cfg(target_os = "linux")]
mod syscalls;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running sandbox, killed when it is dropped.
struct Program {
    child: Child,
    out: BufReader<ChildStdout>,
}

const BINARY: &str = env!("CARGO_BIN_EXE_financial-data-sandbox");

impl Program {
    fn start(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::run(Command::new(BINARY).args(arguments), environment)
    }

    fn run(command: &mut Command, environment: &[(&str, &str)]) -> Self {
        let mut child = command
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    fn ready(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// Sends SIGTERM; the exit code.
    fn stop(mut self) -> Option<i32> {
        let id = Pid::from_child(&self.child);
        kill_process(id, Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const FREE: [&str; 4] = ["--listen", "127.0.0.1:0", "--console-listen", "127.0.0.1:0"];

/// Sends a GET by hand; the status line and the body.
fn get(url: &str) -> (String, String) {
    let (address, path) = url
        .strip_prefix("http://")
        .unwrap()
        .split_once('/')
        .unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head.lines().next().unwrap().to_owned(), body.to_owned())
}

#[test]
fn the_line_of_ready_json_has_what_a_client_needs() {
    let mut program = Program::start(&[&FREE[..], &["--ready-json"]].concat(), &[]);
    let ready = program.ready();
    for field in [
        "api",
        "console",
        "client_id",
        "client_secret",
        "customer_id",
    ] {
        assert!(ready[field].is_string(), "{field}: {ready}");
    }
    let (api, console) = (
        ready["api"].as_str().unwrap(),
        ready["console"].as_str().unwrap(),
    );
    for url in [api, console] {
        assert_eq!(
            get(&format!("{url}/healthz")),
            ("HTTP/1.1 200 OK".into(), "ok\n".into())
        );
        assert_eq!(
            get(&format!("{url}/readyz")),
            ("HTTP/1.1 200 OK".into(), "ready\n".into())
        );
    }
    get(&format!("{api}/v1/nothing"));
    // Calls are counted after their response.
    loop {
        let (status, text) = get(&format!("{console}/metrics"));
        assert_eq!(status, "HTTP/1.1 200 OK");
        if text.contains("sandbox_api_requests_total{operation=\"other\",status=\"404\"} 1") {
            break;
        }
    }
    // Metrics are for operators only.
    assert!(get(&format!("{api}/metrics")).0.contains("404"));
    assert_eq!(program.stop(), Some(0));
}

#[test]
fn secrets_are_told_once_unless_a_seed_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("sandbox.db").display());
    let arguments = [&FREE[..], &["--ready-json", "--database", &database]].concat();
    let mut program = Program::start(&arguments, &[]);
    let first = program.ready();
    assert!(first["client_secret"].is_string());
    assert_eq!(program.stop(), Some(0));
    let mut program = Program::start(&arguments, &[]);
    let second = program.ready();
    assert!(second["client_secret"].is_null() && second["customer_secret"].is_null());
    for field in ["project", "client_id", "customer_id"] {
        assert!(
            first[field].is_string() && first[field] == second[field],
            "{field}: {second}"
        );
    }
    assert_eq!(program.stop(), Some(0));
    let arguments = [&FREE[..], &["--database", &database]].concat();
    let mut program = Program::start(&arguments, &[]);
    let text = std::iter::repeat_with(|| program.line())
        .take_while(|line| !line.starts_with("Secrets are"));
    let text: String = text.collect();
    for (name, field) in [
        ("Project", "project"),
        ("Client id", "client_id"),
        ("Customer id", "customer_id"),
    ] {
        let line = format!("{name:<17} {}\n", first[field].as_str().unwrap());
        assert!(text.contains(&line), "{line}: {text}");
    }
    assert!(!text.contains("secret"), "{text}");
    assert_eq!(program.stop(), Some(0));

    let seeded = format!("sqlite:{}", folder.path().join("seeded.db").display());
    let arguments = [
        &FREE[..],
        &["--ready-json", "--seed", "7", "--database", &seeded],
    ]
    .concat();
    let mut program = Program::start(&arguments, &[]);
    let first = program.ready();
    assert_eq!(program.stop(), Some(0));
    let mut program = Program::start(&arguments, &[]);
    let second = program.ready();
    for field in [
        "client_id",
        "client_secret",
        "customer_id",
        "customer_secret",
        "project",
    ] {
        assert!(
            first[field].is_string() && first[field] == second[field],
            "{field}"
        );
    }
}

#[test]
fn the_command_line_precedes_the_environment_and_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.toml");
    std::fs::write(
        &file,
        "listen = \"127.0.0.1:0\"\nconsole-listen = \"127.0.0.1:0\"\nseed = 7\nready-json = true\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let project = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut program = Program::start(arguments, environment);
        let ready = program.ready();
        ready["project"].as_str().unwrap().to_owned()
    };
    let from_file = project(&["--config-file", file], &[]);
    let from_environment = project(&[], &[("SANDBOX_CONFIG", file), ("SANDBOX_SEED", "8")]);
    let from_line = project(
        &["--seed", "7"],
        &[("SANDBOX_CONFIG", file), ("SANDBOX_SEED", "8")],
    );
    assert_ne!(from_file, from_environment);
    assert_eq!(from_file, from_line);
}

#[test]
fn a_seed_where_strangers_reach_the_sandbox_is_reported() {
    let log = |arguments: &[&str]| {
        let mut command = Command::new(BINARY);
        command.args(FREE).args(arguments).stderr(Stdio::piped());
        let mut program = Program::run(&mut command, &[]);
        program.ready();
        let mut log = program.child.stderr.take().unwrap();
        assert_eq!(program.stop(), Some(0));
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    };
    let seed = ["--ready-json", "--seed", "7"];
    let public = ["--public-url", "https://sandbox.example"];
    for (arguments, is_warned) in [
        ([&seed[..], &public[..]].concat(), true),
        (seed.to_vec(), false),
        ([&seed[..1], &public[..]].concat(), false),
    ] {
        let log = log(&arguments);
        assert_eq!(log.contains("without `--seed`"), is_warned, "{log}");
    }
}

#[test]
fn mistakes_are_told_in_a_line() {
    let fails = |arguments: &[&str]| {
        let output = Command::new(BINARY).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let reported = fails(&["--listen", &address]);
    assert!(
        reported.contains(&address) && reported.contains("--listen"),
        "{reported}"
    );
    let reported = fails(&[
        "--listen",
        "127.0.0.1:0",
        "--console-listen",
        "127.0.0.1:0",
        "--database",
        "mysql:x",
    ]);
    assert!(reported.contains("sqlite::memory:"), "{reported}");
    let reported = fails(&["--config-file", "/no/such/file"]);
    assert!(reported.contains("/no/such/file"), "{reported}");
}

#[test]
fn half_heads_do_not_stop_the_program() {
    let start = |limit: &str| {
        let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command
            .args(["-c", &script, BINARY, "--ready-json"])
            .args(FREE);
        Program::run(&mut command, &[])
    };
    // More than the files of the limits below, and fewer than a full listener and its queue.
    let attack = |url: &Value| -> Vec<TcpStream> {
        let address = url.as_str().unwrap().strip_prefix("http://").unwrap();
        let half = || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nhost: s").unwrap();
            stream
        };
        (0..150).map(|_| half()).collect()
    };
    // Whether the program responds again and again before it closes the first of the connections.
    let is_alive = |url: &Value, halves: &[TcpStream]| {
        let url = format!("{}/healthz", url.as_str().unwrap());
        let is_well = (0..20).all(|_| get(&url).1 == "ok\n");
        halves[0].set_nonblocking(true).unwrap();
        let waits = (&halves[0]).read(&mut [0]);
        is_well && waits.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    };

    // The limit of a login shell may be low; the program raises it to what the system permits.
    let mut program = start("-Sn 128");
    let ready = program.ready();
    let halves = attack(&ready["api"]);
    assert!(is_alive(&ready["api"], &halves));
    assert!(is_alive(&ready["console"], &halves));
    drop(halves);
    // If the system permits no more, a listener that is full leaves files to the other one.
    let mut program = start("-n 128");
    let ready = program.ready();
    let halves = attack(&ready["api"]);
    assert!(is_alive(&ready["console"], &halves));
}
