//! The calls of the system behind one response: what is read on the thread of the request, and is
//! written for many calls together, costs none.

use super::{FREE, Program};
use bothends_test_environment::{has_program, skipped};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

/// A connection that is kept.
struct Connection(BufReader<TcpStream>);

impl Connection {
    /// Sends a request and returns the body of the response.
    fn call(&mut self, head: &str, body: &str) -> String {
        let request = format!(
            "{head}\r\nHost: sandbox\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        String::from_utf8(body).unwrap()
    }
}

/// A sandbox whose calls of the system are traced.
struct Traced {
    program: Program,
    connection: Connection,
    ready: serde_json::Value,
}

impl Traced {
    fn start(options: &[&str], output: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new("strace");
        command.args(options).arg("-o").arg(output);
        command.arg(super::BINARY).args(FREE).arg("--ready-json");
        let mut program = Program::run(command.args(arguments), &[]);
        let ready = program.ready();
        let address = ready["api"].as_str().unwrap().replace("http://", "");
        let connection = Connection(BufReader::new(TcpStream::connect(address).unwrap()));
        Self {
            program,
            connection,
            ready,
        }
    }

    fn text(&self, field: &str) -> String {
        self.ready[field].as_str().unwrap().to_owned()
    }

    fn token(&mut self) -> String {
        let form = "Content-Type: application/x-www-form-urlencoded";
        let (id, secret) = (self.text("client_id"), self.text("client_secret"));
        let basic = base64(&format!("{id}:{secret}"));
        let token = self.connection.call(
            &format!("POST /v1/oauth/token HTTP/1.1\r\nAuthorization: Basic {basic}\r\n{form}"),
            "grant_type=client_credentials",
        );
        let token: serde_json::Value = serde_json::from_str(&token).unwrap();
        token["data"]["access_token"].as_str().unwrap().to_owned()
    }

    /// Ends the program, and returns what strace has written.
    fn stop(mut self, output: &Path) -> String {
        // strace waits for its child, and signals do not end it.
        let strace = self.program.child.id();
        let children = std::fs::read_to_string(format!("/proc/{strace}/task/{strace}/children"));
        let child: i32 = children.unwrap().trim().parse().unwrap();
        kill_process(Pid::from_raw(child).unwrap(), Signal::TERM).unwrap();
        self.program.child.wait().unwrap();
        std::fs::read_to_string(output).unwrap()
    }
}

/// Returns the numbers of futex calls and of writes of a sandbox that responds to requests for the
/// status of a task.
fn count(requests: usize, summary: &Path) -> [usize; 2] {
    let calls = "trace=futex,write,writev,sendto,sendmsg,pwrite64,pwritev,fsync,fdatasync";
    let mut sandbox = Traced::start(&["-f", "-c", "-e", calls], summary, &[]);
    let token = sandbox.token();
    let (client, customer) = (sandbox.text("client_id"), sandbox.text("customer_id"));
    let headers = format!(
        "HTTP/1.1\r\nAuthorization: Bearer {token}\r\nX-Client-Id: {client}\r\nX-Customer-Id: {customer}"
    );
    let connection = &mut sandbox.connection;
    let started = connection.call(&format!("POST /v1/open-banking/refresh {headers}"), "");
    let started: serde_json::Value = serde_json::from_str(&started).unwrap();
    let task = started["task_id"].as_str().unwrap();
    let status = format!("GET /v1/open-banking/refresh/{task} {headers}");
    for _ in 0..requests {
        let response = connection.call(&status, "");
        assert!(response.contains(task), "{response}");
    }
    let table = sandbox.stop(summary);
    let mut counts = [0, 0];
    for row in table.lines() {
        let cells: Vec<&str> = row.split_whitespace().collect();
        let (Some(name), Some(calls)) = (cells.last(), cells.get(3)) else {
            continue;
        };
        let kind = match *name {
            "total" | "syscall" | "----------------" => continue,
            "futex" => 0,
            _ => 1,
        };
        counts[kind] += calls.parse::<usize>().unwrap_or_default();
    }
    counts
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for group in text.as_bytes().chunks(3) {
        let bits = group
            .iter()
            .fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for at in 0..4 {
            let sign = ALPHABET[bits >> (18 - 6 * at) & 63];
            encoded.push(if at > group.len() {
                '='
            } else {
                char::from(sign)
            });
        }
    }
    encoded
}

/// How many requests are counted.
const CALLS: usize = 2_000;

/// Returns whether programs can be traced here.
fn can_trace(test: &str, output: &Path) -> bool {
    if !has_program(test, "strace", "--version", "install strace") {
        return false;
    }
    let mut traced = Command::new("strace");
    let status = traced.arg("-o").arg(output).arg("true").status();
    let can_trace = status.is_ok_and(|status| status.success());
    if !can_trace {
        skipped(test, "strace may not trace", "permit ptrace");
    }
    can_trace
}

#[test]
fn a_response_costs_few_calls_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary");
    if !can_trace("a_response_costs_few_calls_of_the_system", &summary) {
        return;
    }
    let few = count(10, &summary);
    let many = count(10 + CALLS, &summary);
    let each = |at: usize| many[at].saturating_sub(few[at]) as f64 / CALLS as f64;
    println!("futex: {:.2}, writes: {:.2}", each(0), each(1));
    // One write is the response. The others are those of the log, which is written for many calls together.
    assert!(each(1) >= 1.0, "{}", each(1));
    assert!(each(1) <= 6.0, "{} writes for a response", each(1));
    assert!(each(0) <= 4.0, "{} futex calls for a response", each(0));
}

#[test]
fn what_a_response_says_is_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("calls");
    if !can_trace("what_a_response_says_is_on_the_disk", &output) {
        return;
    }
    let file = folder.path().join("sandbox.db");
    let database = format!("sqlite:{}", file.display());
    let calls = "trace=write,writev,sendto,sendmsg,fsync,fdatasync";
    let options = ["-f", "-y", "-s", "4096", "-e", calls];
    let mut sandbox = Traced::start(&options, &output, &["--database", &database]);
    let tokens: Vec<String> = (0..10).map(|_| sandbox.token()).collect();
    let trace = sandbox.stop(&output);
    let mut is_written = false;
    let mut responses = 0;
    for line in trace.lines() {
        let is_sync = line.contains("fsync") || line.contains("fdatasync");
        // A call that another thread interrupts has a second line with the result.
        if is_sync && line.ends_with("= 0") {
            is_written = true;
        } else if tokens.iter().any(|token| line.contains(token.as_str())) {
            assert!(
                is_written,
                "the response precedes the write to the disk:\n{trace}"
            );
            is_written = false;
            responses += 1;
        }
    }
    assert_eq!(responses, tokens.len(), "{trace}");
}
